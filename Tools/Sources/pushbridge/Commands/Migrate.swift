import ArgumentParser
import CredentialMigration
import Foundation
import PushBridgeCore

/// Plans, applies and proves.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a legacy store into credentials and prove every one; the source stays as it is."
    )

    @OptionGroup var migration: MigrationOptionGroup
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .output) {
            let file = try migration.reportFile.file()
            let progress = ProgressBar()
            defer { progress.finish() }
            let receipt = try migrate(progress)
            progress.finish()
            try migration.report(command: "migrate", container: receipt.container, records: receipt.records)
                .deliver(asJSON: output.json, to: file)
        }
    }

    /// Nothing is created before the source has proven to be a legacy store.
    private func migrate(_ progress: ProgressBar) throws -> MigrationReceipt {
        if let store = try migration.destination.openIfPresent(writable: true) {
            let migration = migration.migration(to: store)
            return try migration.apply(migration.plan(progress: progress.show), progress: progress.show)
        }
        let plan = try migration.migration(to: MemoryCredentialStore()).plan(progress: progress.show)
        let store = try migration.destination.create()
        return try migration.migration(to: store).apply(plan, progress: progress.show)
    }
}
