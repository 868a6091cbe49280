import Foundation
import PushBridgeCore
import PushParity

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

        init(_ result: ScenarioResult) {
            name = result.scenario.name
            verdict = result.verdict
            divergences = result.divergences.map {
                Explained(id: $0.divergence.id, count: $0.differences.count)
            }
            differences = result.differences.map(\.json)
        }
    }
}
