import Foundation
import PushBridgeCommandLine
import PushBridgeCore
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
        let status = request["status"].map(\.text) ?? "no response"
        let title = "\(request["method"]?.words ?? "") …\(request["url"]?.words.suffix(24) ?? "") → \(status)"
        return """
            <details class="request\(style)"><summary>\(title.htmlEscaped)</summary>\
            <pre>\(request.indented.htmlLines)</pre></details>
            """
    }

    private static func delivery(_ delivery: JSONValue, style: String) -> String {
        let way = [delivery["form"], delivery["thread"]].compactMap { $0?.words }.joined(separator: ", ")
        let what: String
        if let error = delivery["error"] {
            what = "✗ \(error["name"]?.words ?? "") \(error["subject"]?.words ?? "")"
        } else if delivery["notOffered"] != nil {
            what = "the API has no such call"
        } else if let reason = delivery["skipped"] {
            what = reason.words
        } else {
            what = "✓ \(delivery["value"]?.brief ?? "")"
        }
        return """
            <details class="told\(style)"><summary>\(what.htmlEscaped) <span class="soft">\(way.htmlEscaped)</span>\
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

extension Step {
    /// The step's parameters for people.
    var parameters: String {
        members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.words)" }.joined(separator: ", ")
    }
}

extension JSONValue {
    /// Text as it is, everything else as JSON.
    fileprivate var words: String {
        if case .string(let text) = self { text } else { text }
    }

    /// A few words: long values only by their size.
    fileprivate var brief: String {
        switch self {
        case .array(let elements): "\(elements.count) listed"
        case .object(let members): members["messageId"]?.words ?? members["id"]?.words ?? "an object"
        default: words
        }
    }

    /// The value as JSON over several lines.
    fileprivate var indented: String { lines(0) }

    private func lines(_ depth: Int) -> String {
        let space = String(repeating: "  ", count: depth + 1)
        let end = String(repeating: "  ", count: depth)
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map {
                "\(space)\($0.key): \($0.value.lines(depth + 1))"
            }
            return "{\n\(lines.joined(separator: "\n"))\n\(end)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { "\(space)\($0.lines(depth + 1))" }
            return "[\n\(lines.joined(separator: "\n"))\n\(end)]"
        default: return words
        }
    }
}

extension String {
    /// The text escaped line by line, because ends of lines are all that may steer here.
    fileprivate var htmlLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).htmlEscaped }
            .joined(separator: "\n")
    }
}
