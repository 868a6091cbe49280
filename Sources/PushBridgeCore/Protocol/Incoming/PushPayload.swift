public import Foundation

/// What PingAM puts into an APNs payload: a message id and a signed token, both inside `aps`.
public struct PushPayload: Equatable, Sendable {
    /// The largest payload that is read; APNs delivers 5 KiB at most.
    static let largest = 64 * 1024

    /// The server's id of the message.
    public let messageId: String
    /// The signed token, unread.
    public let token: String

    /// Takes the two parts from wherever they came.
    public init(messageId: String, token: String) {
        self.messageId = messageId
        self.token = token
    }

    /// Finds both parts in `aps`, and only there; `nil` if one is absent or no text: the push is not ours.
    public init?(_ payload: JSONValue) {
        guard
            let aps = payload["aps"],
            case .string(let messageId)? = aps["messageId"], !messageId.isEmpty,
            case .string(let token)? = aps["data"]
        else { return nil }
        self.init(messageId: messageId, token: token)
    }

    /// As above, from JSON; `nil` also if it is not JSON.
    public init?(json: Data) throws(PushReceptionError) {
        guard json.count <= Self.largest else { throw .tooLarge }
        guard let payload = JSONValue(json: json) else { return nil }
        self.init(payload)
    }
}
