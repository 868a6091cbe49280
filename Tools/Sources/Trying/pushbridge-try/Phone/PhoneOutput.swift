import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeNotifications

/// Reports the events of a phone, as text or as lines of JSON.
struct PhoneOutput {
    let json: Bool

    func report(_ event: String, _ members: [String: JSONValue], _ words: String) throws {
        try write(event, members, words.visible)
    }

    /// Reports a push with its text, its buttons, and the numbers from which the user chooses.
    func report(_ event: String, _ texts: BannerTexts, _ category: PushCategory?, _ numbers: [Int]) throws {
        let buttons = Self.buttons(category, numbers)
        var members = texts.members
        members["actions"] = .array(Self.actions(category).map { .string($0.id) })
        members["numbers"] = .array(numbers.map(JSONValue.integer))
        try write(event, members, texts.words.visible + (buttons.isEmpty ? "" : "\n    \(buttons)"))
    }

    /// Reports that a push is open in the app, where the user can answer it.
    ///
    /// The app also opens a push if the user typed a number that the push does not show.
    func report(opened id: String, _ type: PushType?, _ numbers: [Int], typed: String? = nil) throws {
        let list = numbers.map(String.init).joined(separator: ", ")
        let reason = typed.flatMap { numbers.isEmpty ? nil : "\($0) is not one of \(list); " } ?? ""
        let buttons = Self.buttons(type.map(PushCategory.init), numbers)
        try write(
            "opened",
            ["id": .string(id), "numbers": .array(numbers.map(JSONValue.integer))],
            "\(reason)opened in the app".visible + (buttons.isEmpty ? "" : "\n    \(buttons)")
        )
    }

    /// Reports that the phone is ready, and its device token.
    func report(ready members: [String: JSONValue], token: String, _ words: String) throws {
        let all = members.merging(["token": .string(token)]) { own, _ in own }
        try write("ready", all, "\(words)\n    device token \(token)")
    }

    private static func actions(_ category: PushCategory?) -> [PushAction] {
        category.map(PushActions().actions) ?? []
    }

    /// Returns a line that lists the keys and their actions.
    ///
    /// The key for a number is the number itself.
    private static func buttons(_ category: PushCategory?, _ numbers: [Int]) -> String {
        let actions = actions(category).filter { numbers.isEmpty || $0.kind != .enterNumber }
        let keys = numbers.map { "[\($0)]" } + actions.map { "[\($0.key)] \($0.title)" }
        return keys.joined(separator: "   ")
    }

    func report(isApproval: Bool) throws {
        try report("answered", ["approved": .bool(isApproval)], isApproval ? "approved" : "denied")
    }

    func report(failure reason: String) throws {
        try report("failed", ["reason": .string(reason)], "failed: \(reason)")
    }

    private func write(_ event: String, _ members: [String: JSONValue], _ words: String) throws {
        guard json else { return try Terminal.write("phone: \(words)\n") }
        let all = members.merging(["event": .string(event)]) { own, _ in own }
        try Terminal.write("\(JSONValue.object(all).text)\n")
    }
}

/// The texts of a banner.
struct BannerTexts {
    var title = ""
    var subtitle = ""
    var body = ""

    var members: [String: JSONValue] {
        ["title": .string(title), "subtitle": .string(subtitle), "body": .string(body)]
    }

    var words: String {
        let heading = [title, subtitle].filter { !$0.isEmpty }.joined(separator: ", ")
        return [heading, body].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension BannerTexts {
    /// Reads the server's texts from the member `alert` of a payload.
    init(alert: JSONValue?) {
        title = alert?["title"]?.plainText ?? ""
        subtitle = alert?["subtitle"]?.plainText ?? ""
        body = alert?.plainText ?? alert?["body"]?.plainText ?? ""
    }
}

extension PushAction {
    /// The key that selects the action.
    fileprivate var key: String {
        switch kind {
        case .approve: "a"
        case .deny: "d"
        case .enterNumber: "number"
        }
    }
}
