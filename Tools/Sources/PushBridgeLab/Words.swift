package import PushBridgeCore
package import PushParity

/// What happened, in the words of pages and reports.
extension JSONValue {
    /// Text as it is, everything else as JSON.
    package var words: String {
        if case .string(let text) = self { text } else { text }
    }

    /// A few words: long values only by their size.
    package var brief: String {
        switch self {
        case .array(let elements): "\(elements.count) listed"
        case .object(let members): members["messageId"]?.words ?? members["id"]?.words ?? "an object"
        case .null: ""
        default: words
        }
    }

    /// The value as JSON over several lines, for people.
    package var indented: String { lines(0) }

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

/// An app's result of a call, in words.
package struct ToldWords {
    /// How the call ended.
    package enum Ending: String {
        /// It gave a value.
        case value
        /// It failed.
        case failure
        /// It was not made.
        case none
    }

    /// How the call ended.
    package let ending: Ending
    /// The value, the error or the reason.
    package let text: String
    /// How the app received it, and on which thread.
    package let way: String

    /// Reads one delivery of a moment.
    package init(_ delivery: JSONValue) {
        way = [delivery["form"], delivery["thread"]].compactMap { $0?.words }.joined(separator: ", ")
        if let error = delivery["error"] {
            ending = .failure
            text = ["name", "subject", "status"].compactMap { error[$0]?.words }.joined(separator: " ")
        } else if delivery["notOffered"] != nil {
            ending = .none
            text = "The API has no such call."
        } else if let reason = delivery["skipped"] {
            ending = .none
            text = reason.words
        } else {
            ending = .value
            text = delivery["value"]?.brief ?? ""
        }
    }
}

extension Step {
    /// The step's parameters for people; not the secret of a code that a scenario writes itself.
    package var parameters: String {
        members.filter { $0.key != "on" }.sorted { $0.key < $1.key }
            .map { "\($0.key) \(Self.shown($0.value, as: $0.key))" }
            .joined(separator: ", ")
    }

    private static func shown(_ value: JSONValue, as member: String) -> String {
        switch (member, value) {
        case ("text", _): "…"
        case ("parameters", .object(let parts)):
            JSONValue.object(parts.merging(["s": "…", "secret": "…"].filter { parts[$0.key] != nil }) { $1 })
                .text
        default: value.words
        }
    }
}

extension JSONValue {
    /// A request in a few words: its method, the end of its address, and the status of the response.
    package var requestTitle: String {
        let status = self["status"].map { $0 == .null ? "no response" : $0.text } ?? "no response"
        return "\(self["method"]?.words ?? "") …\(self["url"]?.words.suffix(24) ?? "") → \(status)"
    }
}

extension ScenarioResult.Verdict {
    /// The verdict for people.
    package var words: String {
        switch self {
        case .same: "same"
        case .differentByDesign: "different by design"
        case .different: "different"
        case .notCompared: "not compared"
        }
    }
}
