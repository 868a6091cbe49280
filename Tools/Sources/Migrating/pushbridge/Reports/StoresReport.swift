import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The report of `migrate` on many stores: one line for each store, and the totals.
struct StoresReport: PageReport {
    /// The result of one store.
    struct Line {
        /// The store's path as the user wrote it.
        let source: String
        /// The path of the store's database.
        let destination: String
        /// Whether the result is from an earlier run.
        let isResumed: Bool
        let result: StoreResult
        /// Warnings about records that may be missing from the store, and about records that are not read.
        let warnings: [String]
    }

    let folder: String
    /// A text that identifies reports on the stores of this folder.
    let job: String
    let lines: [Line]

    /// Returns the report with pseudonyms for the folder, the stores and their databases, and without warnings.
    func redacted(_ redaction: Redaction) -> Self {
        guard !redaction.isNone else { return self }
        let lines = lines.enumerated().map { index, line in
            Line(
                source: redaction.pseudonym(of: line.source, "store", index + 1),
                destination: redaction.pseudonym(of: line.source, "database", index + 1),
                isResumed: line.isResumed,
                result: line.result.redacted,
                warnings: []
            )
        }
        return Self(folder: "folder", job: job, lines: lines)
    }

    /// The stores that need attention.
    var attention: [Line] { lines.filter { !$0.result.isComplete } }

    /// The number of records with each outcome, summed over all stores, and the total.
    var totals: [String: Int] {
        lines.reduce(into: ["records": 0]) { sum, line in
            sum.merge(line.result.totals) { $0 + $1 }
        }
    }

    var unproven: Int { lines.reduce(0) { $0 + $1.result.unproven } }

    private var resumed: Int { lines.count(where: \.isResumed) }
    private var refused: Int { lines.count { $0.result.failure != nil } }

    /// The most severe status of all stores.
    ///
    /// The order is: an internal error, unwritable output, a wrong key, a temporary failure, and stores that need
    /// attention. If no store can be read, the status reports unreadable input.
    var status: ExitStatus {
        let statuses = Set(lines.compactMap { ExitStatus(rawValue: $0.result.status) })
        if statuses == [.unreadableInput] { return .unreadableInput }
        return [.fault, .unwritableOutput, .wrongKey, .tryAgain].first(where: statuses.contains)
            ?? (statuses == [.success] ? .success : .needsAttention)
    }
}

extension StoresReport {
    /// The maximum number of stores in the list on a terminal; `--json` lists all stores.
    private static let listed = 40

    /// The report for a terminal.
    var text: String {
        """
        migrate: \(lines.count.counted("store")), \((totals["records"] ?? 0).counted("record")) -> \(folder.visible)\
        \(resumed > 0 ? " (\(resumed.counted("store")) done by an earlier run)" : "")

        \(totalsTable)
        \(storeTable)
        \(verdict)

        """
    }

    /// A row of the table of totals.
    struct Row {
        let outcome: MigrationOutcome
        let count: Int
        let meaning: String
    }

    /// The number of records with each outcome that occurred.
    var rows: [Row] {
        MigrationOutcome.allCases.compactMap { outcome in
            let count = totals[outcome.rawValue] ?? 0
            guard count > 0 else { return nil }
            return Row(outcome: outcome, count: count, meaning: outcome.meaning(isVerified: true))
        }
    }

    /// The result of the run, in one or two sentences.
    var verdict: String {
        let count = attention.count
        guard count > 0 else {
            let stores = lines.count == 1 ? "the store" : "the \(lines.count) stores"
            return "All records of \(stores) are accounted for and proven. "
                + "Nothing was removed from \(stores)."
        }
        let verb = count == 1 ? "needs" : "need"
        let unread =
            refused > 0
            ? " \(refused.counted("store")) could not be migrated; fix the cause, and then try again." : ""
        return """
            \(count) of \(lines.count.counted("store")) \(verb) attention; records that need attention stay in their stores.\(unread)
            """
    }

    private var totalsTable: String {
        var table = Table(("Outcome", .left), ("Records", .right), ("Meaning", .left))
        for row in rows { table.add(row.outcome.rawValue, "\(row.count)", row.meaning) }
        if unproven > 0 {
            table.add(
                "not proven",
                "\(unproven)",
                "the rows above also count these records; examine the stores one by one"
            )
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
    /// Writes the report as JSON, one store per line.
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

    /// The number of records with each outcome, including outcomes that did not occur.
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
                        "code": .optional(reason.code?.rawValue), "number": .optional(reason.code?.number),
                        "records": .integer(reason.records),
                    ]
                }
            ),
            "failure": .optional(result.failure),
        ]
    }
}
