import CredentialMigration
package import PushBridgeCore
package import PushParity

/// The texts with which pages and reports show values.
extension JSONValue {
    /// The text of a string value, or the JSON of any other value.
    package var words: String {
        if case .string(let text) = self { text } else { text }
    }

    /// The value in a short form.
    ///
    /// A list is replaced by the number of its elements, a list of outcomes by the number of each outcome, and an
    /// object by its message id or its id.
    package var brief: String {
        switch self {
        case .array(let elements): Self.outcomes(elements) ?? "\(elements.count) listed"
        case .object(let members): members["messageId"]?.words ?? members["id"]?.words ?? "an object"
        case .null: ""
        default: words
        }
    }

    /// Returns the outcomes of a migration in words: the number of records, then the records that did not arrive, and
    /// then the records that arrived, both by outcome.
    ///
    /// Returns `nil` if the list is empty or contains a value that is not an outcome.
    private static func outcomes(_ elements: [JSONValue]) -> String? {
        let outcomes = elements.compactMap { element in
            if case .string(let text) = element { MigrationOutcome(rawValue: text) } else { nil }
        }
        guard !outcomes.isEmpty, outcomes.count == elements.count else { return nil }
        let counts = Dictionary(outcomes.map { ($0, 1) }, uniquingKeysWith: +)
        let parts = MigrationOutcome.allCases.compactMap { outcome in
            counts[outcome].map { (outcome, "\($0) \(outcome.rawValue)") }
        }
        let lost = parts.filter { !$0.0.isRetirable }.map(\.1)
        let fine = parts.filter { $0.0.isRetirable }.map(\.1)
        let missing = lost.isEmpty ? "all arrived" : "not arrived: \(lost.joined(separator: ", "))"
        return "\(elements.count) \(elements.count == 1 ? "record" : "records"), "
            + ([missing] + (fine.isEmpty ? [] : [fine.joined(separator: ", ")])).joined(separator: "; ")
    }

    /// The value as indented JSON.
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

/// The result that an app received from a call, in words.
package struct ResultWords {
    /// The ways in which a call can end.
    package enum Ending: String {
        /// The call returned a value.
        case value
        /// The call failed.
        case failure
        /// The call was not made.
        case none
    }

    /// The way in which the call ended.
    package let ending: Ending
    /// The value, the error or the reason.
    package let text: String
    /// The form of the result, and the thread on which the app received it.
    package let way: String

    /// Decodes one delivered result.
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
    /// The parameters of the step for display.
    ///
    /// The text of a registration code, and the secrets among its parameters, are replaced by `…`.
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
    /// The request in a short form: its method, the end of its address, and the status of the response.
    package var requestTitle: String {
        let status = self["status"].map { $0 == .null ? "no response" : $0.text } ?? "no response"
        return "\(self["method"]?.words ?? "") …\(self["url"]?.words.suffix(24) ?? "") → \(status)"
    }
}

extension ScenarioResult.Verdict {
    /// The verdict for display.
    package var words: String {
        switch self {
        case .same: "same"
        case .differentByDesign: "different by design"
        case .different: "different"
        case .notCompared: "not compared"
        }
    }
}
