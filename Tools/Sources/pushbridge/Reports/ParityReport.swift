import Foundation
import PushBridgeCore
import PushParity

/// What `parity` says.
struct ParityReport {
    let results: [ScenarioResult]

    var status: ExitStatus { different.isEmpty ? .success : .needsAttention }

    var different: [ScenarioResult] { results.filter { $0.verdict == .different } }

    func count(_ verdict: ScenarioResult.Verdict) -> Int {
        results.count { $0.verdict == verdict }
    }

    /// The divergences that showed, in the order of the register, each with the number of its scenarios.
    var shown: [(divergence: Divergence, scenarios: Int)] {
        var counts: [String: Int] = [:]
        for result in results {
            for explained in result.divergences { counts[explained.divergence.id, default: 0] += 1 }
        }
        return Divergence.register.compactMap { divergence in counts[divergence.id].map { (divergence, $0) } }
    }

    /// Prints the report, writes it to a file if one was taken for it, and ends with its status.
    func deliver(asJSON: Bool, to file: ReportFile?) throws {
        if asJSON {
            try writeJSON(to: Terminal.write)
        } else {
            try Terminal.write(text)
        }
        try file?.write(html: { html }, json: writeJSON)
        try status.exit()
    }
}
