import CredentialMigration
import Foundation
import PushBridgeFleet
import Testing

/// Each reason that the migration gives is counted as `docs/fleet.md` states.
///
/// Each reason for the outcome of a record is also in the schemas of `migrate`, `plan`, `retire` and `verify`.
@Suite struct ReasonTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The reasons for the outcome of a whole attempt; no record has one of them.
    private static let ofAttempts: Set<MigrationReason> = [
        .sourceUnreadable, .sourceLocked, .sourceChanged, .sourceNotWritable, .storeLocked, .storeFailed,
        .other, .stateReset,
    ]

    /// Returns the rows of the table of reasons.
    ///
    /// Each row has a reason and its measure.
    private static func documented() throws -> [(reason: String, measure: String)] {
        let page = try String(contentsOf: root.appendingPathComponent("docs/fleet.md"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "| reasons | count as |\n").dropFirst().first)
        let rows = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
        return rows.dropFirst().flatMap { row -> [(reason: String, measure: String)] in
            let cells = row.split(separator: "|")
            func codes(_ cell: Substring) -> [String] {
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
            return codes(cells[0]).map { ($0, codes(cells[1]).first ?? "") }
        }
    }

    @Test func everyReasonIsDocumentedOnce() throws {
        let documented = try Self.documented().map(\.reason)
        #expect(documented.sorted() == MigrationReason.allCases.map(\.rawValue).sorted())
    }

    @Test func everyReasonIsCountedAsDocumented() throws {
        for (reason, measure) in try Self.documented() {
            var phones = Phones()
            let isAttempt = MigrationReason(rawValue: reason).map(Self.ofAttempts.contains) ?? false
            let outcome =
                switch measure {
                case "locked": "locked"
                case "": isAttempt ? "complete" : "partial"
                default: isAttempt ? "failed" : "partial"
                }
            let count =
                measure == "unproven" ? #"{"kind":"push","outcome":"migrated","proven":false,"count":1}"# : ""
            let lines = phones(1, outcome, reason: reason, counts: "[\(count)]")
            let row = try #require(try answers(lines)[.sharesByRelease]?.first)
            let counted = FleetMeasure.allCases.map(\.rawValue).filter { row[$0] == 1 }
            #expect(counted == (measure.isEmpty ? [] : [measure]), "\(reason)")
        }
    }

    @Test(arguments: ["migrate", "plan", "retire", "verify"])
    func everyReasonOfARecordIsInTheSchema(_ command: String) throws {
        let file = Self.root.appendingPathComponent("docs/schemas/\(command)-1.schema.json")
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        )
        let record = (schema["$defs"] as? [String: Any])?["record"] as? [String: Any]
        let code = (record?["properties"] as? [String: Any])?["code"] as? [String: Any]
        let listed = try #require(code?["enum"] as? [Any]).compactMap { $0 as? String }
        let expected = MigrationReason.allCases.filter { !Self.ofAttempts.contains($0) }.map(\.rawValue)
        #expect(listed.sorted() == expected.sorted())
    }
}
