import ArgumentParser
import CredentialMigration
import Foundation
import PushBridgeCore

/// Removes proven records from the legacy store.
struct Retire: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove from the legacy store the records that are proven, after writing a backup."
    )

    @OptionGroup var pair: StorePairOptionGroup
    @OptionGroup var output: OutputOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Where the complete copy goes; must not exist.", valueName: "file")
    )
    var backup: String

    func run() throws {
        try perform(storeRole: .input) {
            let progress = ProgressBar()
            defer { progress.finish() }
            let migration = try pair.migration()
            let receipt = try migration.verify(progress: progress.show)
            let removed = try migration.retire(receipt, backup: URL(fileURLWithPath: backup))
            progress.finish()
            let report = RetirementReport(
                store: pair.store,
                backup: backup,
                receipt: receipt,
                removed: removed
            )
            try Terminal.write(output.json ? report.json() : Data(report.text.utf8))
            try report.status.exit()
        }
    }
}
