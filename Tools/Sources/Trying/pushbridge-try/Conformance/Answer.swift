import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// The response of a server to a request.
struct Answer: Sendable {
    let status: Int
    let json: JSONValue?

    init(status: Int, body: Data) {
        self.status = status
        json = JSONValue(json: body)
    }

    private var message: String? { json?["message"]?.plainText }
    /// Whether a refusal contains its status as a member.
    ///
    /// All known refusals of PingAM contain the status.
    private var isFramed: Bool { json?["code"] == .integer(status) }
    /// Whether a refusal consists only of its message.
    private var isBare: Bool {
        guard case .object(let members)? = json else { return false }
        return Array(members.keys) == ["message"]
    }

    /// Whether the response reports an unknown action.
    ///
    /// The number of spaces in the message is not known, so the spaces are not compared.
    private var isAboutAction: Bool {
        message?.split(separator: " ").dropFirst().elementsEqual(["not", "supported"]) ?? false
    }

    /// The response in the words that checks use.
    ///
    /// For an unknown response, the words contain the status but not the body.
    var words: String {
        switch (status, message) {
        case (200, _): json == [:] ? "200" : "200 of another form"
        case (400, "Bad request.") where isBare || isFramed && json?["reason"] == "Bad Request": "400"
        case (400, _) where isAboutAction, (501, _) where isAboutAction: "\(status) not supported"
        case (404, "Cannot find Push Notification Service."): ConformanceCheck.noServiceWords
        // If the server does not catch an error, the response is known only by its status.
        case (500, _): "500"
        case (400..., _) where status != 400 && (isFramed || isBare): "\(status)"
        case (400..., _): "\(status) of another form"
        default: "\(status)"
        }
    }

    /// The simulator's options that produce refusals of this form.
    var readings: Set<ServerAlternative> {
        if status >= 400, isBare { return [.bareRefusals] }
        return status == 500 && json == nil ? [.errorPages] : []
    }

    /// Whether only PingAM's push service gives this response.
    ///
    /// A 404 or 500 proves nothing, because proxies and other paths also return these.
    var isOfAPushService: Bool { words == "400" && isFramed || words.hasSuffix("not supported") }
}
