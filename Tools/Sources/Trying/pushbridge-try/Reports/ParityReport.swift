import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushParity

/// The report of `parity`.
struct ParityReport: PageReport {
    let results: [ScenarioResult]
    /// The differences that clients see between each version and the previous one, by scenario.
    let comparisons: [(version: ServerVersion, scenario: String, comparison: VersionComparison)]

    /// Compares the results of the same scenarios on consecutive versions.
    init(results: [ScenarioResult], versions: [ServerVersion]) {
        self.results = results
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

    var different: [ScenarioResult] { results.filter { $0.verdict == .different } }

    /// The results, first those with differences.
    var ordered: [ScenarioResult] {
        let verdicts: [ScenarioResult.Verdict] = [.different, .notCompared, .differentByDesign, .same]
        return verdicts.flatMap { verdict in results.filter { $0.verdict == verdict } }
    }

    func count(_ verdict: ScenarioResult.Verdict) -> Int {
        results.count { $0.verdict == verdict }
    }

    /// The divergences that occurred, in the order of the register, each with the number of its scenarios.
    var shown: [(divergence: Divergence, scenarios: Int)] {
        var counts: [String: Int] = [:]
        for result in results {
            for explained in result.divergences { counts[explained.divergence.id, default: 0] += 1 }
        }
        return (Divergence.register + Divergence.inPlace).compactMap { divergence in
            counts[divergence.id].map { (divergence, $0) }
        }
    }
}

extension ParityReport {
    /// The maximum number of listed scenarios; if there are more, only those with differences are listed.
    private static let listed = 200
    /// The maximum number of shown differences per scenario.
    private static let shownDifferences = 8

    /// The report for a terminal.
    var text: String {
        let parts = [
            scenarioTable, divergenceTable, versionTable, differencesText, itemsText, versionsText,
            verdict,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// One sentence for the user.
    var verdict: String {
        // Only files of scenarios can contain scenarios that cannot be compared.
        let verdicts = ScenarioResult.Verdict.allCases.filter { $0 != .notCompared || count($0) > 0 }
        let counts = verdicts.map { "\(count($0)) \($0.words)" }.joined(separator: ", ")
        return "\(results.count.counted("scenario")) on both APIs: \(counts).\n"
    }

    private var scenarioTable: String {
        var table = Table(("Scenario", .left), ("Verdict", .left), ("What differs", .left))
        for result in results.count > Self.listed ? different : ordered {
            let ids = result.divergences.map(\.divergence.id).joined(separator: ", ")
            table.add(result.scenario.name, result.verdict.words, result.verdict == .same ? "" : ids)
        }
        return table.isEmpty ? "" : table.text
    }

    private var divergenceTable: String {
        var table = Table(("Different by design", .left), ("Scenarios", .right), ("Why", .left))
        for (divergence, count) in shown {
            table.add(divergence.id, String(count), divergence.reason)
        }
        return table.isEmpty ? "" : table.text
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
            .map { Self.text($0.differences, of: $0.scenario.name, "Legacy", "Async") }
            .joined(separator: "\n")
    }

    /// The differences between the legacy SDK's items and the API.
    private var itemsText: String {
        different.filter { !$0.items.isEmpty }.map { result in
            var table = Table(("Item", .left), ("FRAuthenticator says", .left), ("The item says", .left))
            for item in result.items.prefix(Self.shownDifferences) {
                table.add(item.place, item.api?.text ?? "nothing", item.item?.text ?? "nothing")
            }
            return "\(result.scenario.name):\n\(table.text)"
        }
        .joined(separator: "\n")
    }

    /// Differences between versions that are not in the register.
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
    /// Writes the documented JSON.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        try JSONStream(write: write)
            .document(head: ["schema": 1], array: "scenarios", of: results.lazy.map(Line.init))
    }

    private struct Line: Encodable {
        struct Explained: Encodable {
            let id: String
            let count: Int
        }

        let name: String
        let verdict: ScenarioResult.Verdict
        let divergences: [Explained]
        let differences: [JSONValue]
        let items: [JSONValue]

        init(_ result: ScenarioResult) {
            name = result.scenario.name
            verdict = result.verdict
            divergences = result.divergences.map {
                Explained(id: $0.divergence.id, count: $0.differences.count)
            }
            differences = result.differences.map(\.json)
            items = result.items.map(\.json)
        }
    }
}
