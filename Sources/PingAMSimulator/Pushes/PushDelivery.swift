public import PushBridgeCore

/// A push on its way to a device.
public struct PushDelivery: Equatable, Sendable {
    /// The largest payload that APNs delivers.
    public static let largestPayload = 4096

    /// The server's id of the message.
    public let messageId: String
    /// The challenge, in standard base64.
    public let challenge: String
    /// The APNs token of the device.
    public let deviceToken: String
    /// What is inside `aps`.
    let aps: JSONValue

    init(_ message: PushMessage, deviceToken: String, token: String, alert: String) {
        messageId = message.id
        challenge = message.challenge
        self.deviceToken = deviceToken
        aps = [
            "alert": .string(alert),
            "sound": "default",
            "content-available": "1",
            "messageId": .string(message.id),
            "data": .string(token),
        ]
    }

    /// The APNs payload.
    public var payload: JSONValue { ["aps": aps] }

    /// The push as the control endpoint shows it.
    public var json: JSONValue {
        ["messageId": .string(messageId), "challenge": .string(challenge), "payload": payload]
    }
}
