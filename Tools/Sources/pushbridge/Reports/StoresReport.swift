import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// What `migrate` says of many stores: a line for each, and the sum.
struct StoresReport: PageReport {
    /// What became of one store.
    struct Line {
        /// The store, as it was named.
        let source: String
        /// Its database.
        let destination: String
        /// Whether an earlier run migrated it.
        let isResumed: Bool
        let result: StoreResult
    }

    let folder: String
    /// A text by which reports of this folder's stores are known.
    let job: String
    let lines: [Line]

    /// The stores that a person should look at.
    var attention: [Line] { lines.filter { !$0.result.isComplete } }

    /// How many records of all stores had each outcome, and their sum.
    var totals: [String: Int] {
        lines.reduce(into: ["records": 0]) { sum, line in
            sum.merge(line.result.totals) { $0 + $1 }
        }
    }

    var unproven: Int { lines.reduce(0) { $0 + $1.result.unproven } }

    private var resumed: Int { lines.count(where: \.isResumed) }
    private var refused: Int { lines.count { $0.result.failure != nil } }

    /// The gravest of all statuses.
    ///
    /// A fault of ours, what cannot be written, a wrong key, what may go better later; then that stores need attention. If
    /// none can be read, that.
    var status: ExitStatus {
        let statuses = Set(lines.compactMap { ExitStatus(rawValue: $0.result.status) })
        if statuses == [.unreadableInput] { return .unreadableInput }
        return [.fault, .unwritableOutput, .wrongKey, .tryAgain].first(where: statuses.contains)
            ?? (statuses == [.success] ? .success : .needsAttention)
    }
}

extension StoresReport {
    /// How many stores are listed one by one; `--json` and `--report` list all.
    private static let listed = 40

    /// The report for a terminal.
    var text: String {
        """
        migrate: \(lines.count.counted("store")), \((totals["records"] ?? 0).counted("record")) -> \(folder)\
        \(resumed > 0 ? " (\(resumed.counted("store")) done by an earlier run)" : "")

        \(totalsTable)
        \(storeTable)
        \(verdict)

        """
    }

    /// A row of the sum.
    struct Row {
        let outcome: MigrationOutcome
        let count: Int
        let meaning: String
    }

    /// How many records had an outcome, for those that any had.
    var rows: [Row] {
        MigrationOutcome.allCases.compactMap { outcome in
            let count = totals[outcome.rawValue] ?? 0
            guard count > 0 else { return nil }
            return Row(outcome: outcome, count: count, meaning: outcome.meaning(isVerified: true))
        }
    }

    /// One sentence or two for people.
    var verdict: String {
        let count = attention.count
        guard count > 0 else {
            let subject = lines.count == 1 ? "The one store is" : "All \(lines.count) stores are"
            return "\(subject) accounted for and proven. Nothing was removed from any."
        }
        let verb = count == 1 ? "needs" : "need"
        let unread =
            refused > 0
            ? " \(refused.counted("store")) could not be migrated; run it again when the reason is gone." : ""
        return """
            \(count) of \(lines.count.counted("store")) \(verb) attention; what needs it stays where it is.\(unread)
            """
    }

    private var totalsTable: String {
        var table = Table(("Outcome", .left), ("Records", .right), ("Meaning", .left))
        for row in rows { table.add(row.outcome.rawValue, "\(row.count)", row.meaning) }
        if unproven > 0 {
            table.add("not proven", "\(unproven)", "among these; look at the stores one by one")
        }
        return table.isEmpty ? "" : table.text
    }

    private var storeTable: String {
        let shown = lines.count <= Self.listed ? lines : attention
        guard !shown.isEmpty else { return "" }
        var table = Table(("Store", .left), ("Database", .left), ("Records", .right), ("Attention", .left))
        for line in shown.prefix(Self.listed) {
            let database =
                line.result.failure == nil ? URL(fileURLWithPath: line.destination).lastPathComponent : ""
            table.add(line.source, database, "\(line.result.records)", line.result.attention)
        }
        let rest = shown.count - Self.listed
        return table.text + (rest > 0 ? "... and \(rest) more; see --report.\n" : "")
    }
}

extension StoresReport {
    /// Writes the report as JSON, a store a line.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let head: JSONValue = [
            "schema": 1, "command": "migrate", "into": .string(folder), "job": .string(job),
            "totals": .object(allTotals.mapValues(JSONValue.integer)), "unproven": .integer(unproven),
            "sum": [
                "stores": .integer(lines.count), "complete": .integer(lines.count - attention.count),
                "attention": .integer(attention.count - refused), "failed": .integer(refused),
                "resumed": .integer(resumed),
            ],
        ]
        try JSONStream(write: write).document(head: head, array: "stores", of: lines) { $0.json.text }
    }

    /// The totals with every outcome, also those that no record had.
    private var allTotals: [String: Int] {
        MigrationOutcome.allCases.reduce(into: totals) { sum, outcome in
            sum[outcome.rawValue] = sum[outcome.rawValue] ?? 0
        }
    }
}

extension StoresReport.Line {
    fileprivate var json: JSONValue {
        [
            "source": .string(source), "destination": .string(destination), "resumed": .bool(isResumed),
            "status": .integer(Int(result.status)), "container": .optional(result.container),
            "totals": .object(result.totals.mapValues(JSONValue.integer)),
            "unproven": .integer(result.unproven), "repaired": .integer(result.repaired),
            "reasons": .array(
                result.reasons.map { reason in
                    [
                        "outcome": .string(reason.outcome), "reason": .string(reason.reason),
                        "records": .integer(reason.records),
                    ]
                }
            ),
            "failure": .optional(result.failure),
        ]
    }
}
