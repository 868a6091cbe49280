import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet

/// The report of `fleet simulate`.
struct FleetRehearsalReport: Report {
    let simulation: FleetSimulation
    let rehearsal: FleetRehearsal

    let status = ExitStatus.success

    var text: String {
        var table = Table(
            ("Day", .right),
            ("Phase", .right),
            ("Events", .right),
            ("Token updates", .right),
            ("Peak/s", .right),
            ("Verdict", .left),
            ("Token updates, drawn", .left)
        )
        let most = max(1, rehearsal.days.map(\.tokenUpdates).max() ?? 1)
        for day in rehearsal.days {
            table.add(
                "\(day.number)",
                "\(day.percent) %",
                "\(day.events)",
                "\(day.tokenUpdates)",
                String(format: "%.2f", day.peak),
                day.verdict?.decision.rawValue ?? "",
                String(repeating: "#", count: (day.tokenUpdates * 40 + most - 1) / most)
            )
        }
        return """
            fleet simulate: \(simulation.phones.counted("phone")), seed \(simulation.seed), \(defect)

            \(table.text)
            After its migration, a phone sends its token once for each push credential. Peak/s is the average of the busiest minute.
            \(end)

            """
    }

    private var defect: String {
        guard let defect = simulation.defect else { return "a release without a defect" }
        let phones = "\(defect.share.percent) of the phones with \(defect.system ?? "any system")"
        return "the defect \(defect.kind.rawValue) on \(phones)"
    }

    private var end: String {
        guard rehearsal.days.contains(where: { $0.verdict != nil }) else { return "Nothing was judged." }
        guard let day = rehearsal.stopped, let cause = day.verdict?.causes.first else {
            return "The policy would not have stopped the release."
        }
        return "The policy would have stopped the release at the end of day \(day.number): \(cause.sentence)"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let planted: JSONValue =
            simulation.defect.map { defect in
                [
                    "kind": .string(defect.kind.rawValue), "systemVersion": .optional(defect.system),
                    "share": .number(defect.share),
                ]
            } ?? .null
        let report: JSONValue = [
            "schema": 1, "command": "fleet simulate", "phones": .integer(simulation.phones),
            "seed": .string(String(simulation.seed)), "defect": planted,
            "stoppedOnDay": rehearsal.stopped.map { .integer($0.number) } ?? .null,
            "days": .array(
                rehearsal.days.map { day in
                    [
                        "day": .integer(day.number), "percent": .integer(day.percent),
                        "events": .integer(day.events), "tokenUpdates": .integer(day.tokenUpdates),
                        "peakPerSecond": .number(day.peak),
                        "verdict": .optional(day.verdict?.decision.rawValue),
                    ]
                }
            ),
        ]
        try write(Data(report.line.utf8))
    }
}
