import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeLab
import PushParity

extension Moment {
    /// What happened in the step: the requests, what the app was told, and what changed.
    func html(after before: Moment?, marks: StepMarks) -> String {
        let requests = keyedRequests.map { key, request in
            Self.request(request, style: marks.style(of: "requests", key))
        }
        let calls = calls.enumerated().flatMap { call, deliveries in
            deliveries.isEmpty
                ? ["<div class=\"told\(marks.style(of: "calls", String(call)))\">never told</div>"]
                : deliveries.enumerated().map { index, delivery in
                    Self.delivery(delivery, style: marks.style(of: "calls", String(call), String(index)))
                }
        }
        let changes =
            Self.changes("store", from: before?.store, to: store, style: marks.style(of: "store"))
            + Self.changes("server", from: before?.server, to: server, style: marks.style(of: "server"))
        let all = requests.joined() + calls.joined() + changes
        return all.isEmpty ? "<div class=\"soft\">–</div>" : all
    }

    private static func request(_ request: JSONValue, style: String) -> String {
        """
        <details class="request\(style)"><summary>\(request.requestTitle.htmlEscaped)</summary>\
        <pre>\(request.indented.htmlLines)</pre></details>
        """
    }

    private static func delivery(_ delivery: JSONValue, style: String) -> String {
        let words = ToldWords(delivery)
        let sign = ["value": "✓ ", "failure": "✗ "][words.ending.rawValue] ?? ""
        return """
            <details class="told\(style)"><summary>\(sign)\(words.text.htmlEscaped) <span class="soft">\(words.way.htmlEscaped)</span>\
            </summary><pre>\(delivery.indented.htmlLines)</pre></details>
            """
    }

    private static func changes(
        _ name: String,
        from before: JSONValue?,
        to after: JSONValue,
        style: String
    ) -> String {
        let changes = JSONValue.changes(from: before, to: after)
        guard !changes.isEmpty || !style.isEmpty else { return "" }
        let lines = changes.map { change in
            "\(change.place): \(change.before?.text ?? "–") → \(change.after?.text ?? "–")"
        }
        return """
            <details class="changes\(style)"><summary>\(name): \(changes.count) changed</summary>\
            <pre>\(lines.joined(separator: "\n").htmlLines)</pre></details>
            """
    }
}

extension String {
    /// The text escaped line by line, because ends of lines are all that may steer here.
    fileprivate var htmlLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).htmlEscaped }
            .joined(separator: "\n")
    }
}
