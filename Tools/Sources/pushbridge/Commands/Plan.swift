import ArgumentParser
import CredentialMigration
import Foundation
import PushBridgeCore

/// Says what `migrate` would do; writes nothing.
struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say what migrate would do; write nothing.")

    @OptionGroup var migration: MigrationOptionGroup
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .output) {
            let file = try migration.reportFile.file()
            let progress = ProgressBar()
            defer { progress.finish() }
            let store = try migration.destination.openIfPresent() ?? MemoryCredentialStore()
            let plan = try migration.migration(to: store).plan(progress: progress.show)
            progress.finish()
            try migration.report(command: "plan", container: plan.container, records: plan.records)
                .deliver(asJSON: output.json, to: file)
        }
    }
}
