import CredentialMigration
import Foundation
import PushBridgeFleet
import Testing

/// Every list of the outcomes of records contains the same cases as `MigrationOutcome`.
///
/// The compiler checks this for switches. The SQL for a fleet gets its lists from the enumeration.
@Suite struct OutcomeTests {
    private static let all = MigrationOutcome.allCases.map(\.rawValue)
    private static let arrived = MigrationOutcome.allCases.filter(\.isRetirable).map(\.rawValue)

    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(arguments: ["plan", "migrate", "migrate-into", "verify", "retire"])
    func everySchemaListsTheOutcomes(_ command: String) throws {
        let lists = try Self.lists(in: Self.schema(command), containing: "migrated")
        #expect(!lists.isEmpty)
        for list in lists { #expect(list.sorted() == Self.all.sorted()) }
    }

    @Test func theSchemaOfAFleetListsTheOutcomesOfAttempts() throws {
        let lists = try Self.lists(in: Self.schema("fleet"), containing: "nothingToDo")
        #expect(!lists.isEmpty)
        for list in lists { #expect(list == MigrationEvent.Outcome.allCases.map(\.rawValue) + ["outOfTime"]) }
    }

    private static func schema(_ command: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text("docs/schemas/\(command)-1.schema.json").utf8))
    }

    /// Returns each list of names in a schema that contains the name of an outcome.
    ///
    /// A list is an enumeration, or the members or the required members of an object. The result omits two
    /// names that are not outcomes: `records`, the number of all records, and `otherSecret`, a code in a list
    /// that also contains names of outcomes.
    private static func lists(in json: Any, containing name: String) -> [[String]] {
        let others: Set = ["records", "otherSecret"]
        if let array = json as? [Any] {
            let names = array.compactMap { $0 as? String }
            return names.contains(name)
                ? [names.filter { !others.contains($0) }] : array.flatMap { lists(in: $0, containing: name) }
        }
        guard let object = json as? [String: Any] else { return [] }
        let names = object[name] == nil ? [] : [object.keys.filter { !others.contains($0) }]
        return names + object.values.flatMap { lists(in: $0, containing: name) }
    }

    @Test func everyOutcomeHasAColourAndAFilterOnTheReport() throws {
        let sheet = try Self.text("Tools/Sources/Shared/PushBridgeCommandLine/Resources/report.css")
        for outcome in Self.all {
            #expect(sheet.contains("\n.\(outcome) { background: "))
            #expect(sheet.contains("#only-\(outcome):checked ~ .scroll tbody tr:not(.r-\(outcome))"))
        }
    }

    @Test func everyOutcomeThatNeedsAttentionHasAColourInTheTerminal() throws {
        let source = try Self.text("Tools/Sources/Shared/PushBridgeCommandLine/Terminal.swift")
        let lists = source.components(separatedBy: "\n").filter {
            $0.contains("static let red = ") || $0.contains("static let yellow = ")
        }
        #expect(lists.count == 2)
        for outcome in Self.all where !Self.arrived.contains(outcome) {
            #expect(lists.contains { $0.contains("\"\(outcome)\"") }, "\(outcome)")
        }
    }

    @Test func theDocumentsListTheOutcomesAndWhichMayBeRetired() throws {
        let table = try Self.text("docs/outcomes.md").components(separatedBy: "| outcome | meaning |")
        let rows = try #require(table.dropFirst().first).split(separator: "\n").dropFirst(2)
            .prefix { $0.hasPrefix("| `") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(rows.map { $0[0] } == Self.all.map { "`\($0)`" })
        #expect(rows.filter { $0[2] == "yes" }.map { $0[0] } == Self.arrived.map { "`\($0)`" })
        let names = Self.all.map { "`\($0)`" }
        let list = "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
        #expect(try Self.text("docs/glossary.md").contains("result of the migration of one record: \(list)."))
    }

    @Test(arguments: ["Scripts/checks/carried-over", "Scripts/checks/many-stores"])
    func scriptsListTheOutcomesOfRecordsThatArrived(_ path: String) throws {
        let list = Self.arrived.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try Self.text(path).contains("(\(list))"))
    }

    /// A new outcome, reason or step appears in the SQL without a change to the SQL files.
    @Test(arguments: FleetDialect.allCases)
    func theSQLOfAFleetGetsItsListsFromTheMigration(_ dialect: FleetDialect) throws {
        let list = Self.arrived.map { "'\($0)'" }.joined(separator: ", ")
        #expect(dialect.load.contains("outcome NOT IN (\(list))"))
        for sql in [FleetQuery.attempts, FleetQuery.unproven.sql] {
            #expect(sql.contains("proven = 0 AND outcome IN (\(list))"))
        }
        let outcomes = MigrationEvent.Outcome.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        #expect(dialect.schema.contains("IN (\(outcomes))"))
        #expect(dialect.script.firstMatch(of: #/\{[A-Za-z.]+\}/#) == nil)
        for file in ["attempts", "unproven", "load_\(dialect.rawValue)"] {
            let source = try Self.text("Tools/Sources/Operating/PushBridgeFleet/Resources/\(file).sql")
            for name in Self.arrived { #expect(!source.contains("'\(name)'"), "\(file) contains \(name).") }
        }
    }
}
