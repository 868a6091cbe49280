import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushParity

/// The report of `parity`.
struct ParityReport: PageReport {
    /// The results of all scenarios on the first version, then the results on the next version, and so on.
    let results: [ScenarioResult]
    /// The requested versions of the server, in the order of the results.
    let versions: [ServerVersion]
    /// The differences that clients notice between each version and the previous version, by scenario.
    let comparisons: [(version: ServerVersion, scenario: String, comparison: VersionComparison)]
    /// The address of the folder with the project's documents; `nil` if the user named none.
    let documents: String?

    /// Compares the results of the same scenarios on consecutive versions.
    init(results: [ScenarioResult], versions: [ServerVersion], documents: String? = nil) {
        (self.results, self.versions, self.documents) = (results, versions, documents)
        let count = results.count / versions.count
        comparisons = zip(results, results.dropFirst(count)).enumerated().map { index, pair in
            let version = versions[index / count + 1]
            return (version, pair.1.scenario.name, VersionComparison(pair.0, pair.1, of: version))
        }
    }

    var status: ExitStatus {
        different.isEmpty && comparisons.allSatisfy(\.comparison.differences.isEmpty)
            ? .success : .needsAttention
    }

    /// The results of each scenario, by version.
    var rows: [[ScenarioResult]] {
        let count = results.count / versions.count
        return (0..<count).map { row in versions.indices.map { results[$0 * count + row] } }
    }

    var different: [ScenarioResult] { results.filter { $0.verdict == .different } }

    /// The results, with unintended differences first.
    var ordered: [ScenarioResult] {
        let verdicts: [ScenarioResult.Verdict] = [.different, .notCompared, .differentByDesign, .same]
        return verdicts.flatMap { verdict in results.filter { $0.verdict == verdict } }
    }

    func count(_ verdict: ScenarioResult.Verdict) -> Int {
        results.count { $0.verdict == verdict }
    }

    /// The divergences that occurred, in the order of the register.
    ///
    /// Each divergence has the number of scenarios in which it occurred. A scenario counts once, even if it
    /// was played on several versions.
    var shown: [(divergence: Divergence, scenarios: Int)] {
        var counts: [String: Int] = [:]
        for row in rows {
            let ids = Set(row.flatMap(\.divergences).map(\.divergence.id))
            for id in ids { counts[id, default: 0] += 1 }
        }
        return (Divergence.register + Divergence.inPlace).compactMap { divergence in
            counts[divergence.id].map { (divergence, $0) }
        }
    }
}

extension ParityReport {
    /// The maximum number of results in the list.
    ///
    /// If there are more, only results with unintended differences are listed.
    private static let listed = 200
    /// The maximum number of differences that are shown for a scenario.
    private static let shownDifferences = 8

    /// The report for a terminal.
    var text: String {
        let parts = [
            scenarioTable, divergenceTable, countTable, versionTable, differencesText, itemsText,
            versionsText,
            verdict,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The result of the run, as one sentence.
    var verdict: String {
        // Scenarios that cannot be compared occur only in the user's files.
        let verdicts = ScenarioResult.Verdict.allCases.filter { $0 != .notCompared || count($0) > 0 }
        let counts = verdicts.map { "\(count($0)) \($0.words)" }.joined(separator: ", ")
        let scenarios = (results.count / versions.count).counted("scenario")
        let server =
            versions.count == 1
            ? "" : " on \(versions.count) versions of the server, \(results.count) plays"
        return "\(scenarios) on both APIs\(server): \(counts).\n"
    }

    /// Returns the scenario's name.
    ///
    /// If there are several versions, the name is followed by the version.
    private func name(of result: ScenarioResult) -> String {
        versions.count == 1 ? result.scenario.name : "\(result.scenario.name) (AM \(result.version.rawValue))"
    }

    private var scenarioTable: String {
        var table = Table(("Scenario", .left), ("Verdict", .left), ("What differs", .left))
        for result in results.count > Self.listed ? different : ordered {
            let ids = result.divergences.map(\.divergence.id).joined(separator: ", ")
            table.add(name(of: result), result.verdict.words, result.verdict == .same ? "" : ids)
        }
        return table.isEmpty ? "" : table.text
    }

    private var divergenceTable: String {
        guard !shown.isEmpty else { return "" }
        let parts = shown.map { divergence, count in
            """
            \(divergence.id), \(count.counted("scenario"))
              FRAuthenticator: \(divergence.legacy)
              PingPush:        \(divergence.async)
              why:             \(divergence.reason)

            """
        }
        return "Different by design:\n\(parts.joined())"
    }

    /// The table with the verdicts on each version; empty if there is only one version.
    private var countTable: String {
        guard versions.count > 1 else { return "" }
        var table = Table(
            ("Server", .left),
            ("Same", .right),
            ("By design", .right),
            ("Different", .right),
            ("Not compared", .right)
        )
        for (version, counts) in countsByVersion {
            let numbers = [.same, .differentByDesign, .different, .notCompared].map { counts[$0] ?? 0 }
            table.add(
                "AM \(version.rawValue)",
                "\(numbers[0])",
                "\(numbers[1])",
                "\(numbers[2])",
                "\(numbers[3])"
            )
        }
        return table.text
    }

    /// The number of scenarios with each verdict, by version.
    var countsByVersion: [(version: ServerVersion, counts: [ScenarioResult.Verdict: Int])] {
        versions.indices.map { index in
            let results = rows.map { $0[index] }
            return (versions[index], Dictionary(results.map { ($0.verdict, 1) }, uniquingKeysWith: +))
        }
    }

    private var versionTable: String {
        var table = Table(("Different since", .left), ("Name", .left), ("Scenarios", .right))
        for divergence in VersionDivergence.register {
            let count = comparisons.count { $0.comparison.divergences.contains(divergence.id) }
            if count > 0 { table.add("AM \(divergence.version.rawValue)", divergence.id, String(count)) }
        }
        return table.isEmpty ? "" : table.text
    }

    private var differencesText: String {
        different.filter { !$0.differences.isEmpty }
            .map { Self.text($0.differences, of: name(of: $0), "Legacy", "Async") }
            .joined(separator: "\n")
    }

    /// The differences between the legacy SDK's items and the API, as text.
    private var itemsText: String {
        different.filter { !$0.items.isEmpty }.map { result in
            var table = Table(
                ("Item", .left),
                ("FRAuthenticator returns", .left),
                ("The item contains", .left)
            )
            for item in result.items.prefix(Self.shownDifferences) {
                table.add(item.place, item.api?.text ?? "nothing", item.item?.text ?? "nothing")
            }
            return "\(name(of: result)):\n\(table.text)"
        }
        .joined(separator: "\n")
    }

    /// The differences that occurred between versions and are not in the register, as text.
    private var versionsText: String {
        comparisons.filter { !$0.comparison.differences.isEmpty }.map { version, scenario, comparison in
            Self.text(comparison.differences, of: scenario, "Before", "AM \(version.rawValue)")
        }
        .joined(separator: "\n")
    }

    private static func text(
        _ differences: [Difference],
        of scenario: String,
        _ one: String,
        _ other: String
    ) -> String {
        var table = Table(("Step", .right), ("Where", .left), (one, .left), (other, .left))
        for difference in differences.prefix(Self.shownDifferences) {
            table.add(
                "\(difference.step) \(difference.verb.rawValue)",
                difference.place,
                difference.legacy?.text ?? "nothing",
                difference.async?.text ?? "nothing"
            )
        }
        let rest = differences.count - Self.shownDifferences
        return "\(scenario):\n\(table.text)\(rest > 0 ? "... and \(rest) more\n" : "")"
    }
}

extension ParityReport {
    /// Writes the report as JSON, in its documented form.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let versions = versions.map(\.rawValue)
        try JSONStream(write: write)
            .document(head: Head(versions: versions), array: "scenarios", of: results.lazy.map(Line.init))
    }

    private struct Head: Encodable {
        let schema = 1
        let versions: [String]
    }

    private struct Line: Encodable {
        struct Explained: Encodable {
            let id: String
            let count: Int
        }

        let name: String
        let version: String
        let verdict: ScenarioResult.Verdict
        let divergences: [Explained]
        let differences: [JSONValue]
        let items: [JSONValue]

        init(_ result: ScenarioResult) {
            name = result.scenario.name
            version = result.version.rawValue
            verdict = result.verdict
            divergences = result.divergences.map {
                Explained(id: $0.divergence.id, count: $0.differences.count)
            }
            differences = result.differences.map(\.json)
            items = result.items.map(\.json)
        }
    }
}
