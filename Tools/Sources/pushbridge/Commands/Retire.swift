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
            try output.json ? report.writeJSON() : Terminal.write(report.text)
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
        guard !receipt.records.isEmpty else { return "retire: nothing is left to retire in \(store).\n" }
        let copy = removed.isEmpty ? "No backup was needed." : "The store as it was is in \(backup)."
        var table = Table(("Kind", .left), ("Key", .left), ("Why it stays", .left))
        for record in staying.prefix(40) {
            table.add(record.kind.rawValue, record.key, record.reason ?? "Not proven.")
        }
        return """
            retire: \(removed.count) of \(receipt.records.count) records left \(store); \(remaining) stay. \(copy)
            \(table.isEmpty ? "" : "\n\(table.text)\(remaining > 40 ? "... and \(remaining - 40) more\n" : "")")
            """
    }

    /// Writes the report as JSON, with the records that stay.
    func writeJSON() throws {
        let head = Head(
            source: Head.Source(container: receipt.container, records: receipt.records.count),
            removed: removed.count,
            remaining: remaining,
            backup: removed.isEmpty ? nil : backup
        )
        try JSONStream().document(head: head, array: "records", of: staying, text: MigrationReport.line)
    }

    private var remaining: Int { receipt.records.count - removed.count }

    private var staying: some Sequence<MigrationRecord> {
        receipt.records.lazy.filter { !removed.contains($0.fingerprint) }
    }

    private struct Head: Encodable {
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
