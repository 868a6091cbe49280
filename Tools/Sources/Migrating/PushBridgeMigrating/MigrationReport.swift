package import CredentialMigration
package import Foundation
@_spi(PushBridgeTools) import LegacyFiles
package import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals

/// The report of `plan`, `migrate` and `verify`.
///
/// The text, the page and the JSON describe the same records. Only the JSON always lists all of them.
package struct MigrationReport: PageReport {
    package let command: String
    let source: String
    let container: String
    let destination: String
    let records: [MigrationRecord]
    let totals: MigrationTotals
    /// Whether the source is a database that has no records and whose log is missing.
    let lacksLog: Bool
    let names: RecordNames

    package init(
        command: String,
        source: String,
        container: String,
        destination: String,
        records: [MigrationRecord],
        redaction: Redaction = .none
    ) {
        lacksLog = records.isEmpty && LegacyFile.lacksLog(URL(fileURLWithPath: source))
        self.command = command
        self.source = redaction.isNone ? source : "source"
        self.container = container
        self.destination = redaction.isNone ? destination : "destination"
        self.records = records
        totals = MigrationTotals(records)
        names = RecordNames(records, redaction)
    }

    /// Creates the report of a completed migration.
    package init(
        of receipt: MigrationReceipt,
        from source: String,
        to destination: String,
        redaction: Redaction = .none
    ) {
        self.init(
            command: "migrate",
            source: source,
            container: receipt.container,
            destination: destination,
            records: receipt.records,
            redaction: redaction
        )
    }

    /// Returns the indexes of the records that need attention.
    func needingAttention(verifying: Bool) -> [Int] { records.indices.filter { !isFine($0, verifying) } }

    /// Returns whether a record arrives or is kept and, if the outcomes are verified, was proven.
    private func isFine(_ index: Int, _ isVerified: Bool) -> Bool {
        isVerified ? records[index].isRetirable : records[index].result.outcome.isRetirable
    }

    /// The summary of each account of the source.
    var accounts: [AccountSummary] {
        AccountSummary.all(of: records, names) { isFine($0, isVerified) }
    }
}

extension MigrationReport {
    /// One sentence about push secrets that the migration converts to standard base64; `nil` if there are none.
    var repairs: String? {
        let count = records.lazy.filter(\.isRepaired).count
        guard count > 0 else { return nil }
        return
            "Push secrets in URL-safe or unpadded base64: \(count) \(isVerified ? "repaired" : "will be repaired")."
    }

    /// One sentence about push credentials that arrive unchanged and cannot sign; `nil` if there are none.
    var unsigned: String? {
        let count = records.lazy.filter { $0.result.outcome == .migrated && $0.result.reason != nil }.count
        guard count > 0 else { return nil }
        return
            "\(count.counted("push credential")) cannot sign answers in either store: \(count == 1 ? "its secret is" : "their secrets are") not base64."
    }

    /// One sentence about records whose row in the ledger is unreadable; `nil` if all rows are readable.
    var unreadableEntries: String? {
        let count = records.lazy.filter {
            $0.result.outcome == .alreadyPresent && $0.result.code == .unreadableDestination
        }.count
        guard count > 0 else { return nil }
        return """
            \(count.counted("row")) of the ledger cannot be read: the database was changed. The records of these rows are proven \
            nevertheless; migrate again to rewrite the rows.
            """
    }

    /// Whether the outcomes were verified, as they are for every command except `plan`.
    var isVerified: Bool { command != "plan" }

    /// The exit status of the command that made the report.
    package var status: ExitStatus {
        needingAttention(verifying: isVerified).isEmpty && !lacksLog ? .success : .needsAttention
    }
}

extension MigrationReport {
    /// The maximum number of records in the list on a terminal; `--json` lists all records.
    private static let listed = 40

    /// The report for a terminal.
    package var text: String {
        let attention = needingAttention(verifying: isVerified)
        return """
            \(headline)

            \(records.isEmpty ? "" : "\(totalsTable)\n")\(AccountSummary.sentence(of: accounts).map { "\($0)\n\n" } ?? "")\(attention.isEmpty ? "" : table(of: attention))\([repairs, unsigned, unreadableEntries].compactMap(\.self).map { "\($0)\n" }.joined())\(verdict(attention.count))

            """
    }

    private var headline: String {
        "\(command): \(source.visible) (\(container), \(records.count.counted("record"))) -> \(destination.visible)"
    }

    private var totalsTable: String {
        var table = Table(("Outcome", .left), ("Records", .right), ("Meaning", .left))
        for row in rows { table.add(row.name, "\(row.count)", row.meaning) }
        return table.text
    }

    private func table(of attention: [Int]) -> String {
        var table = Table(("Kind", .left), ("Key", .left), ("Outcome", .left), ("Reason", .left))
        for index in attention.prefix(Self.listed) {
            let record = records[index]
            table.add(record.kind.plainName, names.keys[index], outcome(of: record), reason(of: index))
        }
        let rest = attention.count - Self.listed
        return """
            Needing attention

            \(table.text)\(rest > 0 ? "... and \(rest) more; see --report.\n" : "")
            \(decision)
            """
    }

    /// Returns the words for the outcome of a record that needs attention.
    func outcome(of record: MigrationRecord) -> String {
        isVerified && record.result.outcome.isRetirable ? "not proven" : record.result.outcome.rawValue
    }

    /// Returns the reason why a record needs attention, preceded by the reason's number if it has one.
    func reason(of index: Int) -> String { sentence(of: index) ?? "Could not be proven." }

    /// Returns the reason for a record's outcome; `nil` if the outcome has no reason.
    ///
    /// If the reason has a number, which a support desk can search for, the number comes first.
    func sentence(of index: Int) -> String? {
        let text = records[index].reason.map { names.redacted($0, index) }
        guard let code = records[index].result.code(isVerified: isVerified) else { return text }
        return code.numbered(text ?? "Could not be proven.")
    }

    /// The advice about conflicts.
    private var decision: String {
        guard totals[.conflict] > 0, command != "verify" else { return "" }
        return """
            Conflicts: find out which secret the server knows. --on-conflict replace uses the secrets of the source; the \
            secrets of the destination are then lost, so export the destination first.

            """
    }

    private func verdict(_ attention: Int) -> String {
        switch (isVerified, attention) {
        case (_, 0) where records.isEmpty: nothingIsLeft
        case (true, 0): "All records are accounted for and proven. Nothing was removed from the source."
        case (false, 0): "All records will arrive or be kept. Nothing was written."
        case (true, _): attentionSentence(attention)
        case (false, _):
            "\(attention) of \(records.count.counted("record")) will need attention. Nothing was written."
        }
    }

    /// The sentence about a source without records.
    var nothingIsLeft: String {
        lacksLog
            ? "The source contains no records, but its log is missing."
            : "The source contains no records."
    }

    /// Returns the sentence about the number of records that need attention.
    func attentionSentence(_ count: Int) -> String {
        let (need, stay) = count == 1 ? ("needs", "it stays") : ("need", "they stay")
        return "\(count) of \(records.count.counted("record")) \(need) attention; \(stay) in the source."
    }
}

extension MigrationReport {
    /// The reason that is reported for a sealed record if no key was given.
    package static let missingKey =
        "The record is sealed; --source-key names its key. If only the app on the phone has this key, the user must enrol again."
}

extension MigrationRecord {
    /// The reason for the record's outcome, in one sentence; `nil` for a migrated record without a problem.
    package var reason: String? {
        if let reason = result.reason { return reason }
        return switch result.outcome {
        case .migrated: nil
        case .alreadyPresent: "The destination already contains the same record."
        case .kept:
            "No credential corresponds to the record, or the stored account has different details; the record is kept for the way back."
        case .conflict: "The destination contains a different record with this id."
        case .unsupported: "PushBridge cannot convert the record; it is kept verbatim."
        case .damaged: "The record cannot be read, or lacks a required field."
        case .locked: "The record cannot be opened now."
        case .undecryptable: MigrationReport.missingKey
        }
    }
}

extension MigrationReport {
    /// A row of the table of totals.
    struct Row {
        let outcome: MigrationOutcome
        let name: String
        let count: Int
        let meaning: String
    }

    /// The number of records with each outcome.
    ///
    /// Records whose verification failed have a separate row.
    var rows: [Row] {
        MigrationOutcome.allCases.flatMap { outcome in
            let unproven = isVerified ? totals.unproven(outcome) : 0
            let meant = "\(outcome.rawValue) according to the ledger, or not migrated yet; see the reasons"
            let proven = totals[outcome] - unproven
            let meaning = outcome.meaning(isVerified: isVerified)
            return [
                Row(outcome: outcome, name: outcome.rawValue, count: proven, meaning: meaning),
                Row(outcome: outcome, name: "not proven", count: unproven, meaning: meant),
            ]
        }
        .filter { $0.count > 0 }
    }
}

extension MigrationOutcome {
    /// Returns the meaning of an outcome, for a support engineer.
    package func meaning(isVerified: Bool) -> String {
        switch self {
        case .migrated where !isVerified: "will be converted, stored, read back and proven equivalent"
        case .migrated: "converted, stored, read back and proven equivalent"
        case .alreadyPresent: "the destination already contains the same record"
        case .kept:
            "no credential corresponds to the record, or the stored account has different details; kept for the way back"
        case .conflict: "the destination contains a different record with this id"
        case .unsupported: "valid, but PushBridge cannot convert it; kept verbatim"
        case .damaged: "cannot be read, or lacks a required field"
        case .locked: "cannot be opened now; try again later"
        case .undecryptable:
            "sealed; only the key that sealed the record opens it: give the key with --source-key, or migrate in the app on the phone"
        }
    }
}

extension MigrationReport {
    /// Writes the report as JSON, in its documented form.
    package func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let head = Head(
            schema: 1,
            command: command,
            source: Head.Source(container: container, records: records.count),
            destination: destination,
            totals: totals.byName,
            unproven: isVerified ? totals.unproven : nil,
            accounts: Head.Accounts(accounts)
        )
        try JSONStream(write: write).document(
            head: head,
            array: "records",
            of: records.indices,
            text: { Self.line(records[$0], isVerified: isVerified, number: $0, names) }
        )
    }

    private struct Head: Encodable {
        struct Source: Encodable {
            let container: String
            let records: Int
        }

        struct Accounts: Encodable {
            let all: Int
            let withoutPush: Int
            let withoutCodes: Int

            init(_ accounts: [AccountSummary]) {
                all = accounts.count
                withoutPush = accounts.count(where: \.push.isLost)
                withoutCodes = accounts.count(where: \.codes.isLost)
            }
        }

        let schema: Int
        let command: String
        let source: Source
        let destination: String
        let totals: [String: Int]
        let unproven: Int?
        let accounts: Accounts
    }

    /// Returns one record as a JSON object.
    ///
    /// Absent values are null in the object.
    ///
    /// The function concatenates text because a store has many records, and encoding a record with an encoder
    /// takes longer than migrating it.
    package static func line(
        _ record: MigrationRecord,
        isVerified: Bool = true,
        number: Int = 0,
        _ names: RecordNames? = nil
    ) -> String {
        let key = names?.keys[number] ?? record.key
        let id = names.map { $0.credentialIds[number] } ?? record.result.credentialId
        let reason = record.reason.map { names?.redacted($0, number) ?? $0 }
        func quoted(_ text: String?) -> String { text.map { JSONValue.string($0).text } ?? "null" }
        let code = record.result.code(isVerified: isVerified)
        return """
            {"code":\(quoted(code?.rawValue)),"credentialId":\(quoted(id)),"key":\(quoted(key)),\
            "kind":"\(record.kind.rawValue)","number":\(quoted(code?.number)),\
            "outcome":"\(record.result.outcome.rawValue)",\
            "reason":\(quoted(reason)),"repaired":\(record.isRepaired),\
            "verified":\(record.result.isVerified)}
            """
    }
}

extension MigrationResult {
    /// Returns the code of the reason; in a plan, `nil` instead of `notReadBack`, because a plan reads no record back.
    fileprivate func code(isVerified: Bool) -> MigrationReason? {
        code.flatMap { isVerified || $0 != .notReadBack ? $0 : nil }
    }
}

extension MigrationReason {
    /// Returns the sentence, preceded by the reason's number, which a support desk can search for.
    package func numbered(_ sentence: String) -> String { "\(number): \(sentence)" }
}

extension MigrationTotals {
    /// The count of every outcome and the total, by their JSON names.
    package var byName: [String: Int] {
        var counts = ["records": records]
        for outcome in MigrationOutcome.allCases { counts[outcome.rawValue] = self[outcome] }
        return counts
    }
}
