import PushBridgeCore
import PushParity

extension ParityReport {
    /// How many scenarios are listed one by one; of more, only those that are different.
    private static let listed = 200
    /// How many differences of a scenario are shown.
    private static let shownDifferences = 8

    /// The report for a terminal.
    var text: String {
        [scenarioTable, divergenceTable, differencesText, verdict].filter { !$0.isEmpty }.joined(
            separator: "\n"
        )
    }

    /// One sentence for people.
    var verdict: String {
        let counts = ScenarioResult.Verdict.allCases.map { "\(count($0)) \($0.words)" }.joined(
            separator: ", "
        )
        let plural = results.count == 1 ? "scenario" : "scenarios"
        return "\(results.count) \(plural) on both APIs: \(counts).\n"
    }

    private var scenarioTable: String {
        let usual = usual
        var table = Table(
            ("Verdict", .left),
            ("Scenario", .left),
            ("Steps", .right),
            ("By design, beside the usual", .left)
        )
        for result in results.count > Self.listed ? different : results {
            let ids = result.divergences.map(\.divergence.id).filter { !usual.contains($0) }
            table.add(
                result.verdict.words,
                result.scenario.name,
                String(result.scenario.steps.count),
                ids.joined(separator: ", ")
            )
        }
        return table.isEmpty ? "" : table.text
    }

    /// The divergences of nearly all scenarios, which say nothing about one of them.
    private var usual: Set<String> {
        Set(shown.filter { $0.scenarios * 4 > results.count * 3 }.map(\.divergence.id))
    }

    private var divergenceTable: String {
        let usual = usual
        var table = Table(("Different by design", .left), ("Scenarios", .right), ("Why", .left))
        for (divergence, count) in shown {
            let name = divergence.id + (usual.contains(divergence.id) ? " (usual)" : "")
            table.add(name, String(count), divergence.reason)
        }
        return table.isEmpty ? "" : table.text
    }

    private var differencesText: String {
        different.map { result in
            var table = Table(("Step", .right), ("Where", .left), ("Legacy", .left), ("Async", .left))
            for difference in result.differences.prefix(Self.shownDifferences) {
                table.add(
                    "\(difference.step) \(difference.verb.rawValue)",
                    difference.place,
                    difference.legacy?.text ?? "nothing",
                    difference.async?.text ?? "nothing"
                )
            }
            let rest = result.differences.count - Self.shownDifferences
            return "\(result.scenario.name):\n\(table.text)\(rest > 0 ? "... and \(rest) more\n" : "")"
        }.joined(separator: "\n")
    }
}

extension ScenarioResult.Verdict {
    /// The verdict for people.
    var words: String {
        switch self {
        case .same: "same"
        case .differentByDesign: "different by design"
        case .different: "different"
        }
    }
}
