import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// A server's answer.
struct Answer: Sendable {
    let status: Int
    let json: JSONValue?

    init(status: Int, body: Data) {
        self.status = status
        json = JSONValue(json: body)
    }

    private var message: String? { json?["message"]?.plainText }
    /// Whether a refusal contains its status as a member, like all known ones.
    private var isFramed: Bool { json?["code"] == .integer(status) }
    /// Whether a refusal consists only of its message.
    private var isBare: Bool {
        guard case .object(let members)? = json else { return false }
        return Array(members.keys) == ["message"]
    }

    /// Whether the answer reports an unknown action; the number of spaces in it is unknown.
    private var isAboutAction: Bool {
        message?.split(separator: " ").dropFirst().elementsEqual(["not", "supported"]) ?? false
    }

    /// The answer in the words of facts; other answers are shown in full, but without their body.
    var words: String {
        switch (status, message) {
        case (200, _): json == [:] ? "200" : "200 of another form"
        case (400, "Bad request.") where isBare || isFramed && json?["reason"] == "Bad Request": "400"
        case (400, _) where isAboutAction, (501, _) where isAboutAction: "\(status) not supported"
        case (404, "Cannot find Push Notification Service."): Fact.noServiceWords
        // Of an error that the server does not catch, only the status is known.
        case (500, _): "500"
        case (400..., _) where status != 400 && (isFramed || isBare): "\(status)"
        case (400..., _): "\(status) of another form"
        default: "\(status)"
        }
    }

    /// The options of the simulator that produce refusals of this form.
    var readings: Set<ServerAlternative> {
        if status >= 400, isBare { return [.bareRefusals] }
        return status == 500 && json == nil ? [.errorPages] : []
    }

    /// Whether only PingAM's push service gives this answer: proxies and other paths also return 404 or 500.
    var isOfAPushService: Bool { words == "400" && isFramed || words.hasSuffix("not supported") }
}
