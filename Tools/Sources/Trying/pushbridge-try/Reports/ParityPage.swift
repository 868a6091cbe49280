import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushParity

extension ParityReport {
    /// The maximum number of scenarios with details per reason.
    private static let detailed = 20

    var html: String { get throws { try PageTemplate.parity.html(content) } }

    private var content: JSONValue {
        let notCompared = results.filter { $0.verdict == .notCompared }
        let shown = shown
        return [
            "title": "parity", "command": "parity",
            "mood": status == .success ? "good" : "bad",
            "verdict": .string(verdict.trimmingCharacters(in: .newlines)),
            "hasDifferent": .bool(!different.isEmpty), "different": .array(different.map(\.content)),
            "hasNotCompared": .bool(!notCompared.isEmpty), "notCompared": .array(notCompared.map(\.content)),
            "hasDesign": .bool(!shown.isEmpty), "design": .array(groups(of: shown)),
            "same": same,
        ]
    }

    /// The intended differences by reason; each scenario is listed under its first reason and names the others.
    private func groups(of shown: [(divergence: Divergence, scenarios: Int)]) -> [JSONValue] {
        let byReason = Dictionary(grouping: results.filter { $0.verdict == .differentByDesign }) {
            $0.divergences.first?.divergence.id ?? ""
        }
        return shown.map { divergence, count in
            let scenarios = byReason[divergence.id] ?? []
            let hidden = scenarios.count - Self.detailed
            return [
                "id": .string(divergence.id), "scenarioCount": .string(count.counted("scenario")),
                "why": .marked(divergence.reason), "legacy": .marked(divergence.legacy),
                "async": .marked(divergence.async), "place": .string(divergence.place),
                "scenarios": .array(scenarios.prefix(Self.detailed).map(\.content)),
                "hidden": hidden > 0 ? .integer(hidden) : .null,
            ]
        }
    }

    private var same: JSONValue {
        let names = results.filter { $0.verdict == .same }.map(\.scenario.name)
        guard !names.isEmpty else { return .null }
        let subject = names.count == 1 ? "1 scenario is" : "\(names.count) scenarios are"
        return ["sentence": .string("\(subject) the same on both APIs"), "names": .strings(names)]
    }
}

extension ScenarioResult {
    /// The scenario as an expandable part of the page.
    fileprivate var content: JSONValue {
        let ids = divergences.map(\.divergence.id)
        return [
            "scenario": .string(scenario.name), "isOpen": .bool(verdict == .different),
            "verdictStyle": .string(verdict.rawValue), "verdictWords": .string(verdict.words),
            "hasIds": .bool(!ids.isEmpty), "ids": .strings(ids), "file": .optional(file),
            "steps": .array(scenario.steps.indices.map(step)),
            "hasItems": .bool(!items.isEmpty), "items": .array(items.map(line)),
        ]
    }

    /// The scenario as a file in the page, for use in the lab.
    private var file: String? {
        do {
            return try scenario.file.base64EncodedString()
        } catch {
            return nil
        }
    }

    private func step(_ index: Int) -> JSONValue {
        let step = scenario.steps[index]
        let marks = StepMarks(self, step: index + 1)
        // Shows equal sides only once if the scenario has the expected result.
        let isSame = marks.isEmpty && verdict != .different && verdict != .notCompared
        let sides: [JSONValue] = [
            side("FRAuthenticator", legacy.stepRecords, index, marks),
            side("PingPush", async.stepRecords, index, marks),
        ]
        return [
            "verb": .string(step.verb.words), "parameters": .string(step.parameters),
            "isSame": .bool(isSame), "sides": .array(isSame ? [] : sides),
            "hasDifferences": .bool(!marks.isEmpty), "hasWrong": .bool(!marks.wrong.isEmpty),
            "differenceCount": .string(marks.count.counted("difference")), "differences": .array(marks.lines),
        ]
    }

    /// The differences between an item of the legacy SDK and the API.
    private func line(_ item: ItemDifference) -> JSONValue {
        [
            "place": .string(item.place), "api": .string(item.api?.text ?? "nothing"),
            "item": .string(item.item?.text ?? "nothing"),
        ]
    }

    private func side(_ api: String, _ stepRecords: [StepRecord], _ index: Int, _ marks: StepMarks)
        -> JSONValue
    {
        let before = index > 0 ? stepRecords[index - 1] : nil
        return ["api": .string(api), "events": .array(stepRecords[index].events(after: before, marks))]
    }
}

/// The marked places of a step: first unintended differences, then intended ones.
private struct StepMarks {
    let wrong: [Difference]
    private let meant: [(id: String, difference: Difference)]

    init(_ result: ScenarioResult, step: Int) {
        wrong = result.differences.filter { $0.step == step }
        meant = result.divergences.flatMap { explained in
            explained.differences.filter { $0.step == step }.map { (explained.divergence.id, $0) }
        }
    }

    var count: Int { wrong.count + meant.count }

    /// Whether the step has no differences.
    var isEmpty: Bool { count == 0 }

    /// The CSS class for a path; differences within the path determine it.
    func style(of path: String...) -> String {
        if wrong.contains(where: { $0.path.starts(with: path) }) { return "wrong" }
        return meant.contains { $0.difference.path.starts(with: path) } ? "meant" : ""
    }

    /// The differences, below the two sides.
    var lines: [JSONValue] {
        wrong.map { Self.line($0, mark: "wrong", name: "different") }
            + meant.map { Self.line($0.difference, mark: "meant", name: $0.id) }
    }

    private static func line(_ difference: Difference, mark: String, name: String) -> JSONValue {
        [
            "mark": .string(mark), "name": .string(name), "place": .string(difference.place),
            "legacy": .string(difference.legacy?.text ?? "nothing"),
            "async": .string(difference.async?.text ?? "nothing"),
        ]
    }
}

extension StepRecord {
    /// The events of the step: the requests, the app's results, and the changes.
    fileprivate func events(after before: StepRecord?, _ marks: StepMarks) -> [JSONValue] {
        let requests = keyedRequests.map { key, request in
            Self.event("request", marks.style(of: "requests", key), request.requestTitle, request.indented)
        }
        let told = calls.enumerated().flatMap { call, deliveries in
            deliveries.isEmpty
                ? [Self.event("told", marks.style(of: "calls", String(call)), "never told")]
                : deliveries.enumerated().map { index, delivery in
                    Self.told(delivery, marks.style(of: "calls", String(call), String(index)))
                }
        }
        return requests + told
            + Self.changes("store", from: before?.store, to: store, marks.style(of: "store"))
            + Self.changes("server", from: before?.server, to: server, marks.style(of: "server"))
    }

    private static func told(_ delivery: JSONValue, _ mark: String) -> JSONValue {
        let words = ToldWords(delivery)
        let sign = ["value": "✓ ", "failure": "✗ "][words.ending.rawValue] ?? ""
        return event("told", mark, words.text, delivery.indented, sign: sign, way: words.way)
    }

    private static func changes(
        _ name: String,
        from before: JSONValue?,
        to after: JSONValue,
        _ mark: String
    ) -> [JSONValue] {
        let changes = JSONValue.changes(from: before, to: after)
        guard !changes.isEmpty || !mark.isEmpty else { return [] }
        let lines = changes.map { change in
            "\(change.place): \(change.before?.text ?? "–") → \(change.after?.text ?? "–")"
        }
        let words = "\(name): \(changes.count) changed"
        return [event("changes", mark, words, lines.joined(separator: "\n"))]
    }

    private static func event(
        _ event: String,
        _ mark: String,
        _ words: String,
        _ details: String? = nil,
        sign: String = "",
        way: String? = nil
    ) -> JSONValue {
        [
            "event": .string(event), "mark": .string(mark), "words": .string(words),
            "details": .optional(details), "sign": .string(sign), "way": .optional(way),
        ]
    }
}
