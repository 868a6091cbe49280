import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet

extension FleetReport {
    /// The report as one self-contained page.
    ///
    /// The page needs no scripts and no network. It is readable in light and dark mode, and without colours.
    /// - Throws: `CommandFailure` if a template of this program is invalid.
    var html: String { get throws { try PageTemplate.fleet.html(content) } }

    private var content: JSONValue {
        [
            "title": .string("fleet: \(verdict.decision.rawValue)"), "command": "fleet",
            "input": .string(input), "mood": verdict.decision == .continue ? "good" : "bad",
            "verdict": .string(sentence), "release": .string(verdict.release ?? ""),
            "hasCauses": .bool(!verdict.causes.isEmpty), "causes": .array(verdict.causes.map(cause)),
            "warnings": .array(warnings.map { ["sentence": .string($0)] }),
            "shareChart": shareChart,
            "steps": .array(
                shownSteps.map { step in
                    [
                        "shown": .string(Self.noun(of: step)), "dayChart": dayChart(of: step),
                        "timeChart": timeChart(of: step),
                    ]
                }
            ),
            "sections": .array(sections.filter { !$0.rows.isEmpty }.map(\.content)),
        ]
    }

    /// Returns the noun for the attempts of a step.
    private static func noun(of step: String) -> String {
        switch step {
        case "rehearse": "Rehearsals"
        case "compare": "Comparisons"
        case "retire": "Removals"
        default: "Attempts"
        }
    }

    private func cause(_ cause: FleetVerdict.Cause) -> JSONValue {
        [
            "decision": .string(cause.decision.rawValue), "rule": .string(cause.rule.rawValue),
            "sentence": .string(cause.sentence),
        ]
    }

    /// The bounds of each share of the judged release, as positions in percent of the plot's width.
    private var shareChart: JSONValue {
        let shares = shares(.sharesByRelease).filter { $0.group.release == verdict.release }
        guard !shares.isEmpty else { return .null }
        // The bounds are relative to the share's limit: the scale ends at twice the limit.
        func place(_ share: Double, _ limit: Double) -> Double {
            (100 * min(1, limit == 0 ? (share > 0 ? 1 : 0) : share / limit / 2)).rounded(to: 2)
        }
        let rows = shares.map { share -> JSONValue in
            let isOver = share.bound.lower > share.limit
            let words = """
                \(share.bound.count) of \(share.bound.total), \(share.bound.share.percent) \
                (\(share.bound.lower.percent) to \(share.bound.upper.percent)), limit \(share.limit.percent)\
                \(isOver ? ": above" : "")
                """
            let step = share.group.step == "apply" ? "" : ", \(share.group.step)"
            let low = place(share.bound.lower, share.limit)
            return [
                "name": .string(share.measure.rawValue + step), "words": .string(words),
                "low": .number(low),
                "width": .number((place(share.bound.upper, share.limit) - low).rounded(to: 2)),
                "point": .number(place(share.bound.share, share.limit)), "isOver": .bool(isOver),
            ]
        }
        return ["rows": .array(rows)]
    }

    /// The maximum number of days without events at the end of a plot.
    private static let mostEmptyDays = 60

    /// Returns a bar chart, by day, of a step's attempts with the judged release.
    ///
    /// If the last complete day is later than the newest day with attempts, up to ``mostEmptyDays`` empty days follow.
    /// The hatched end of a bar shows failed, interrupted and partial attempts. One more bar counts the attempts on
    /// days outside the roll-out, which come from wrong clocks.
    private func dayChart(of step: String) -> JSONValue {
        var days: [Int: (well: Int, badly: Int)] = [:]
        var elsewhere = (well: 0, badly: 0)
        for row in rows(.outcomesByDay)
        where row.words("appVersion") == verdict.release && row.words("step") == step
            && row.words("outcome") != "held"
        {
            let isBad = ["failed", "interrupted", "partial"].contains(row.words("outcome"))
            let count = row.number("attempts")
            func add(_ old: (well: Int, badly: Int)) -> (well: Int, badly: Int) {
                (old.well + (isBad ? 0 : count), old.badly + (isBad ? count : 0))
            }
            if let day = FleetCalendar.number(row.words("day")) {
                days[day] = add(days[day] ?? (0, 0))
            } else {
                elsewhere = add(elsewhere)
            }
        }
        guard let range = FleetCalendar.range(days.mapValues { $0.well + $0.badly }) else { return .null }
        for (day, count) in days where !range.contains(day) {
            elsewhere = (elsewhere.well + count.well, elsewhere.badly + count.badly)
        }
        let last = min(verdict.lastCompleteDay ?? range.upperBound, range.upperBound + Self.mostEmptyDays)
        let shown = range.lowerBound...max(range.upperBound, last)
        guard shown.count > 1 else { return .null }
        var counted = shown.map { day in
            let count = days[day] ?? (0, 0)
            return (day: FleetCalendar.text(day), well: count.well, badly: count.badly)
        }
        if elsewhere.well + elsewhere.badly > 0 {
            counted.append(("other days", elsewhere.well, elsewhere.badly))
        }
        let most = Double(max(1, counted.map { $0.well + $0.badly }.max() ?? 1))
        let bars = counted.map { day -> JSONValue in
            [
                "day": .string(day.day), "well": .number((Double(day.well) / most * 100).rounded(to: 2)),
                "badly": .number((Double(day.badly) / most * 100).rounded(to: 2)),
                "words": .string("\(day.well + day.badly), \(day.badly) failed, interrupted or partial"),
            ]
        }
        return ["bars": .array(bars)]
    }
}

extension Double {
    /// Returns the number, rounded to this many decimal places.
    func rounded(to digits: Int) -> Double {
        let factor = pow(10, Double(digits))
        return (self * factor).rounded() / factor
    }
}

extension FleetSection {
    /// The content of the table and its title, for the template.
    fileprivate var content: JSONValue {
        func cells(_ texts: [String]) -> JSONValue {
            .array(
                texts.enumerated().map { index, text in
                    ["isNumber": .bool(columns[index].alignment == .right), "text": .string(text)]
                }
            )
        }
        return [
            "title": .string(title), "head": cells(columns.map(\.title)),
            "rows": .array(head.map { ["cells": cells($0)] }), "rest": rest.map(JSONValue.string) ?? .null,
            "note": note.map(JSONValue.string) ?? .null,
        ]
    }
}
