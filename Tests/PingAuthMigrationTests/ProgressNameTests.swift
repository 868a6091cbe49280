import CredentialMigration
import PingPush
import Testing

/// An app that migrates and uses the async API imports both modules in one file.
@Suite("Names of the progress types")
struct ProgressNameTests {
    @Test func anAppThatImportsBothModulesCanNameBothTypes() {
        let migration: CredentialMigration.Progress = .init(step: .applying, completed: 1, total: 2)
        let events: [MigrationProgress] = [.started, .success(message: "migrated")]
        #expect(migration == CredentialMigration.Progress(step: .applying, completed: 1, total: 2))
        #expect(events.count == 2)
    }
}
