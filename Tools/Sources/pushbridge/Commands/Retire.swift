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
        help: ArgumentHelp(
            "Where the complete copy goes; may exist if it is the copy of a call that failed.",
            valueName: "file"
        )
    )
    var backup: String

    func run() throws {
        try perform(storeRole: .input) {
            let progress = ProgressBar()
            defer { progress.finish() }
            let migration = try pair.migration()
            let receipt = try migration.verify(progress: progress.show)
            let removed = try migration.retire(
                receipt,
                backup: URL(fileURLWithPath: backup),
                warn: { Terminal.diagnose("pushbridge: \($0)\n") }
            )
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

/// What `retire` says.
struct RetirementReport {
    let store: String
    let backup: String
    let receipt: MigrationReceipt
    let removed: Set<RecordFingerprint>

    /// The status to end with: attention is needed while records stay behind.
    var status: ExitStatus { remaining == 0 ? .success : .needsAttention }

    /// The report for a terminal.
    var text: String {
        let copy = removed.isEmpty ? "No backup was needed." : "The store as it was is in \(backup)."
        var table = Table(("Kind", .left), ("Key", .left), ("Outcome", .left), ("Why it stays", .left))
        for record in receipt.records.lazy.filter({ !removed.contains($0.fingerprint) }).prefix(40) {
            let reason = record.reason ?? "Not proven."
            table.add(record.kind.rawValue, record.key, record.result.outcome.rawValue, reason)
        }
        return """
            retire: \(removed.count) of \(receipt.records.count) records left \(store); \(remaining) stay. \(copy)
            \(table.isEmpty ? "" : "\n\(table.text)\(remaining > 40 ? "... and \(remaining - 40) more\n" : "")")
            """
    }

    /// The report as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            source: Document.Source(container: receipt.container, records: receipt.records.count),
            removed: removed.count,
            remaining: remaining,
            backup: removed.isEmpty ? nil : backup
        )
        return try encoder.encode(document) + Data("\n".utf8)
    }

    private var remaining: Int { receipt.records.count - removed.count }

    private struct Document: Encodable {
        struct Source: Encodable {
            let container: String
            let records: Int
        }

        var schema = 1
        var command = "retire"
        let source: Source
        let removed: Int
        let remaining: Int
        let backup: String?
    }
}
