import ArgumentParser
import AuthenticatorCore
import CredentialMigration
import Foundation

/// Proves every record again, from both sides.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove every record again, from both sides; write nothing."
    )

    @OptionGroup var pair: StorePairOptionGroup
    @OptionGroup var output: OutputOptions
    @OptionGroup var reportFile: ReportOptions

    func run() throws {
        try perform(storeRole: .input) {
            let file = try reportFile.file()
            let progress = ProgressBar()
            defer { progress.finish() }
            let receipt = try pair.migration().verify(progress: progress.show)
            progress.finish()
            try MigrationReport(
                command: "verify",
                source: pair.store,
                container: receipt.container,
                destination: pair.database,
                records: receipt.records
            )
            .deliver(asJSON: output.json, to: file)
        }
    }
}
