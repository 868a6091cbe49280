import CredentialMigration
import PingPush
import Testing

/// A file that imports `CredentialMigration` and `PingPush` can name the progress types of both.
@Suite("Names of the progress types")
struct ProgressNameTests {
    @Test func anAppThatImportsBothModulesCanNameBothTypes() {
        let migration: CredentialMigration.Progress = .init(step: .applying, completed: 1, total: 2)
        let events: [MigrationProgress] = [.started, .success(message: "migrated")]
        #expect(migration == CredentialMigration.Progress(step: .applying, completed: 1, total: 2))
        #expect(events.count == 2)
    }
}
