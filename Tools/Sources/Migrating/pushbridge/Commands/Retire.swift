import ArgumentParser
import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating

/// The command `retire`, which removes proven records from the legacy store.
struct Retire: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a backup, and then remove the proven records from the legacy store.",
        discussion: """
            The proven records are removed from a keychain database. A file of another format is removed as a whole, and only when \
            each record in it is proven.
            """
    )

    @Argument(help: .legacyStore)
    var store: String

    @Option(name: .customLong("against"), help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var key: KeyOptions
    @OptionGroup var form: FormOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The path of the complete backup; the file may exist if a failed run wrote it.",
            valueName: "file"
        )
    )
    var backup: String

    func run() throws {
        try perform(storeRole: .input, resumes: true) {
            let progress = try ProgressBar(recordsOf: store)
            defer { progress.finish() }
            try URL(storeAt: store).warnOfLeftOvers(services: source.services, progress: progress)
            let destination = Destination(path: database, keyFile: key.keyFile, form: form.form)
            if LegacyFile.isMissing(URL(fileURLWithPath: store)),
                let earlier = try earlierRemoval(from: destination)
            {
                return try earlier.deliver(asJSON: output.json)
            }
            let migration = try destination.migration(from: source.source(at: store))
            let receipt = try migration.verify(progress: progress.show)
            let lacksLog = receipt.records.isEmpty && LegacyFile.lacksLog(URL(fileURLWithPath: store))
            if lacksLog, let earlier = try earlierRemoval(from: destination) {
                progress.finish()
                return try earlier.deliver(asJSON: output.json)
            }
            let removed = try migration.retire(
                receipt,
                backup: URL(fileURLWithPath: backup),
                warn: Terminal.warn
            )
            progress.finish()
            try RetirementReport(
                store: store,
                backup: backup,
                receipt: receipt,
                removed: removed,
                lacksLog: lacksLog
            )
            .deliver(asJSON: output.json)
        }
    }

    /// Returns a report if an earlier run already removed the store's file, or all records of a database.
    ///
    /// The method assumes an earlier run if the backup has records, and if all of them are proven.
    private func earlierRemoval(from destination: Destination) throws -> RetirementReport? {
        do {
            let receipt = try destination.migration(from: source.source(at: backup)).verify()
            guard receipt.isComplete, !receipt.records.isEmpty else { return nil }
            let rest = receipt.filter { _ in false }
            return RetirementReport(
                store: store,
                backup: backup,
                receipt: rest,
                removed: [],
                lacksLog: false
            )
        } catch is LegacyStoreError {
            // The command itself reports the store's error, or that the store's log is missing.
            return nil
        }
    }
}

/// The report of `retire`.
struct RetirementReport: Report {
    let store: String
    let backup: String
    let receipt: MigrationReceipt
    let removed: Set<RecordFingerprint>
    /// Whether the store is a database that has no records and whose log is missing.
    let lacksLog: Bool

    /// The exit status; `needsAttention` if records remain, or if a missing log may contain records.
    var status: ExitStatus { remaining == 0 && !lacksLog ? .success : .needsAttention }

    var text: String {
        guard !lacksLog else {
            return "retire: \(store) contains no records, but its log is missing.\n"
        }
        guard !receipt.records.isEmpty else { return "retire: nothing is left to retire in \(store).\n" }
        let all = receipt.records.count.counted("record")
        let stay = remaining == 1 ? "1 stays" : "\(remaining) stay"
        let copy = removed.isEmpty ? "No backup was needed." : "The store's earlier state is in \(backup)."
        var table = Table(("Kind", .left), ("Key", .left), ("Why it stays", .left))
        let listed = staying
        for record in listed.prefix(40) {
            let reason = record.reason ?? "Not proven."
            table.add(record.kind.plainName, record.key, record.result.code?.numbered(reason) ?? reason)
        }
        return """
            retire: \(removed.count) of \(all) left \(store); \(stay). \(copy)
            \(table.isEmpty ? "" : "\n\(table.text)\(listed.count > 40 ? "... and \(listed.count - 40) more\n" : "")")
            """
    }

    /// Writes the report as JSON, with the records that stay.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let (container, count) = (JSONValue.string(receipt.container), receipt.records.count)
        var head: [String: JSONValue] = [
            "schema": 1, "command": "retire", "source": ["container": container, "records": .integer(count)],
            "removed": .integer(removed.count), "remaining": .integer(remaining),
        ]
        if !removed.isEmpty { head["backup"] = .string(backup) }
        try JSONStream(write: write)
            .document(head: head, array: "records", of: staying) { MigrationReport.line($0) }
    }

    private var remaining: Int { receipt.records.count - removed.count }

    /// The records that the command does not remove.
    ///
    /// A file that is not a database is removed only as a whole. If records of the file are not proven, the list
    /// contains only these records, because they prevent the removal.
    private var staying: [MigrationRecord] {
        let all = receipt.records.filter { !removed.contains($0.fingerprint) }
        let unproven = all.filter { !$0.isRetirable }
        return unproven.isEmpty ? all : unproven
    }
}
