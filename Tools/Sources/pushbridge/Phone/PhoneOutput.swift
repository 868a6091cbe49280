import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeNotifications

/// Tells what a phone does, in words or in lines of JSON.
struct PhoneOutput {
    let json: Bool

    func tell(_ event: String, _ members: [String: JSONValue], _ words: String) throws {
        try write(event, members, words.visible)
    }

    /// Tells title, subtitle and body of a push, and its buttons.
    func tell(_ event: String, _ texts: [String], _ category: PushCategory?) throws {
        let actions = category.map(PushActions().actions) ?? []
        let buttons = actions.map { "[\($0.key)] \($0.title)" }.joined(separator: "   ")
        let heading = texts[0].isEmpty ? "" : "\(texts[0]), \(texts[1]): "
        try write(
            event,
            [
                "title": .string(texts[0]), "subtitle": .string(texts[1]), "body": .string(texts[2]),
                "actions": .array(actions.map { .string($0.id) }),
            ],
            "\("\(heading)\(texts[2])".visible)\n    \(buttons)"
        )
    }

    func tell(isApproval: Bool) throws {
        try tell("answered", ["approved": .bool(isApproval)], isApproval ? "approved" : "denied")
    }

    func tell(failure reason: String) throws {
        try tell("failed", ["reason": .string(reason)], "failed: \(reason)")
    }

    private func write(_ event: String, _ members: [String: JSONValue], _ words: String) throws {
        guard json else { return try Terminal.write("phone: \(words)\n") }
        let all = members.merging(["event": .string(event)]) { own, _ in own }
        try Terminal.write("\(JSONValue.object(all).text)\n")
    }
}

extension PushAction {
    /// The key for it.
    fileprivate var key: String {
        switch kind {
        case .approve: "a"
        case .deny: "d"
        case .enterNumber: "number"
        }
    }
}
