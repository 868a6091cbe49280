import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushParity

extension ParityReport {
    /// In each list of the page, the maximum number of scenarios that are shown with requests and results.
    ///
    /// For all other scenarios, the page shows only the steps and the differences.
    private static let detailed = 20
    /// The maximum size in bytes of all scenario files in a page.
    private static let fileBudget = 800_000

    var html: String { get throws { try PageTemplate.parity.html(content) } }

    private var content: JSONValue {
        let plays = plays
        let different = plays.filter { $0.newest.verdict == .different }
        let notCompared = plays.filter { $0.newest.verdict == .notCompared }
        let same = plays.filter { $0.newest.verdict == .same }
        let shown = shown
        return [
            "versions": .string(versions.map(\.rawValue).joined(separator: ", ")),
            "byVersion": byVersion(plays),
            "title": "parity", "command": "parity",
            "mood": status == .success ? "good" : "bad",
            "verdict": .string(verdict.trimmingCharacters(in: .newlines)),
            "hasDifferent": .bool(!different.isEmpty), "different": contents(of: different),
            "hasNotCompared": .bool(!notCompared.isEmpty), "notCompared": contents(of: notCompared),
            "hasDesign": .bool(!shown.isEmpty), "design": .array(groups(of: shown, plays)),
            "same": same.isEmpty
                ? .null
                : ["sentence": .string(sentence(ofSame: same)), "scenarios": contents(of: same)],
        ]
    }

    /// Returns the divergences that occurred, with their scenarios.
    ///
    /// A scenario with several divergences is listed only under the first; the scenario's entry names the others.
    private func groups(
        of shown: [(divergence: Divergence, scenarios: Int)],
        _ plays: [ParityPlay]
    ) -> [JSONValue] {
        let byReason = Dictionary(grouping: plays.filter { $0.newest.verdict == .differentByDesign }) {
            $0.newest.divergences.first?.divergence.id ?? ""
        }
        return shown.map { divergence, count in
            [
                "id": .string(divergence.id), "scenarioCount": .string(count.counted("scenario")),
                "why": .marked(divergence.reason), "legacy": .marked(divergence.legacy),
                "async": .marked(divergence.async),
                "place": .documentLink(divergence.place, at: documents),
                "scenarios": contents(of: byReason[divergence.id] ?? []),
            ]
        }
    }

    private func contents(of plays: [ParityPlay]) -> JSONValue {
        .array(
            plays.enumerated().map { index, play in
                play.content(
                    isDetailed: index < Self.detailed,
                    versions: versions.count > 1 ? play.versionWords : nil
                )
            }
        )
    }

    private func sentence(ofSame plays: [ParityPlay]) -> String {
        let count = Set(plays.map(\.row)).count
        let scenarios = count == 1 ? "1 scenario has" : "\(count) scenarios have"
        let addition = versions.count == 1 ? "" : ", for at least one server version"
        return "\(scenarios) the same results with both APIs\(addition)"
    }

    /// The plays in the order of the scenarios.
    ///
    /// In this order, they include their scenario files as long as the total size is at most `fileBudget`.
    private var plays: [ParityPlay] {
        var left = Self.fileBudget
        return rows.enumerated().flatMap { ParityPlay.all(of: $1, row: $0, fileBytesLeft: &left) }
    }

    /// Returns the verdicts by version, and a matrix of all scenarios and versions with links; null if there
    /// is only one version.
    private func byVersion(_ plays: [ParityPlay]) -> JSONValue {
        guard versions.count > 1 else { return .null }
        let verdicts: [ScenarioResult.Verdict] = [.same, .differentByDesign, .different, .notCompared]
        let shares = countsByVersion.map { version, counts -> JSONValue in
            let present = verdicts.filter { counts[$0] != nil }
            let words = present.map { "\(counts[$0] ?? 0) \($0.words)" }.joined(separator: ", ")
            return [
                "version": .string(version.rawValue), "words": .string(words),
                "parts": .array(
                    present.map { ["style": .string($0.rawValue), "count": .integer(counts[$0] ?? 0)] }
                ),
            ]
        }
        let byRow = Dictionary(grouping: plays, by: \.row)
        let matrix = rows.enumerated().map { row, results -> JSONValue in
            let cells = (byRow[row] ?? []).flatMap { play in play.results.map { ($0.verdict, play.id) } }
            return [
                "name": .string(results[0].scenario.name),
                "cells": .array(
                    cells.map { verdict, id in
                        [
                            "style": .string(verdict.rawValue), "id": .string(id),
                            "sign": .string(verdict.sign), "words": .string(verdict.words),
                        ]
                    }
                ),
            ]
        }
        return [
            "names": .strings(versions.map(\.rawValue)), "shares": .array(shares),
            "matrix": .array(matrix), "scenarioCount": .string(rows.count.counted("scenario")),
        ]
    }
}

extension ScenarioResult.Verdict {
    /// The character for a cell of the matrix.
    fileprivate var sign: String {
        switch self {
        case .same: "="
        case .differentByDesign: "≈"
        case .different: "≠"
        case .notCompared: "–"
        }
    }
}

extension ParityPlay {
    /// Returns the play as an expandable part of the page.
    fileprivate func content(isDetailed: Bool, versions: String?) -> JSONValue {
        guard case .object(var members) = newest.content(isDetailed: isDetailed) else { return .null }
        members["id"] = .string(id)
        members["versions"] = .optional(versions)
        members["hasFiles"] = .bool(!files.isEmpty)
        members["files"] = .array(
            files.map { version, file in
                ["words": .string("AM \(version.rawValue)"), "file": .string(file)]
            }
        )
        return .object(members)
    }
}

extension ScenarioResult {
    /// Returns the scenario as an expandable part of the page.
    fileprivate func content(isDetailed: Bool) -> JSONValue {
        let ids = divergences.map(\.divergence.id)
        return [
            "scenario": .string(scenario.name), "isOpen": .bool(verdict == .different),
            "verdictStyle": .string(verdict.rawValue), "verdictWords": .string(verdict.words),
            "hasIds": .bool(!ids.isEmpty), "ids": .strings(ids),
            "steps": .array(scenario.steps.indices.map { step($0, isDetailed: isDetailed) }),
            "hasItems": .bool(!items.isEmpty), "items": .array(items.map(line)),
        ]
    }

    private func step(_ index: Int, isDetailed: Bool) -> JSONValue {
        let step = scenario.steps[index]
        let marks = StepMarks(self, step: index + 1)
        // Unless the verdict is `different` or `notCompared`, the page omits the sides of steps without differences.
        let isSame = marks.isEmpty && verdict != .different && verdict != .notCompared
        let sides: [JSONValue] = [
            side("FRAuthenticator", legacy.stepRecords, index, marks),
            side("PingPush", async.stepRecords, index, marks),
        ]
        return [
            "verb": .string(step.verb.words), "parameters": .string(step.parameters),
            "isSame": .bool(isSame), "sides": .array(isSame || !isDetailed ? [] : sides),
            "hasDifferences": .bool(!marks.isEmpty), "hasWrong": .bool(!marks.wrong.isEmpty),
            "differenceCount": .string(marks.count.counted("difference")), "differences": .array(marks.lines),
        ]
    }

    /// Returns the page's line for a difference between an item of the legacy SDK and the API.
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

/// The places of a step that the page marks.
///
/// Unintended differences take precedence over intended differences.
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

    /// Returns the CSS class for a path.
    ///
    /// The differences within the path determine the class.
    func style(of path: String...) -> String {
        if wrong.contains(where: { $0.path.starts(with: path) }) { return "wrong" }
        return meant.contains { $0.difference.path.starts(with: path) } ? "meant" : ""
    }

    /// The differences as lines.
    ///
    /// The lines are shown below the two sides.
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
    /// Returns the events of the step: the requests, the app's results, and the changes.
    fileprivate func events(after before: StepRecord?, _ marks: StepMarks) -> [JSONValue] {
        let requests = keyedRequests.map { key, request in
            Self.event("request", marks.style(of: "requests", key), request.requestTitle, request.indented)
        }
        let results = calls.enumerated().flatMap { call, deliveries in
            deliveries.isEmpty
                ? [Self.event("result", marks.style(of: "calls", String(call)), "no result")]
                : deliveries.enumerated().map { index, delivery in
                    Self.result(delivery, marks.style(of: "calls", String(call), String(index)))
                }
        }
        return requests + results
            + Self.changes("store", from: before?.store, to: store, marks.style(of: "store"))
            + Self.changes("server", from: before?.server, to: server, marks.style(of: "server"))
    }

    private static func result(_ delivery: JSONValue, _ mark: String) -> JSONValue {
        let words = ResultWords(delivery)
        let sign = ["value": "✓ ", "failure": "✗ "][words.ending.rawValue] ?? ""
        return event("result", mark, words.text, delivery.indented, sign: sign, way: words.way)
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
