public import Foundation

/// A login push as stored on the device.
public struct PushNotification: Equatable, Identifiable, Sendable {
    /// The notification's id.
    public let id: String
    /// The credential that answers it.
    public let credentialId: String
    /// The server's id of the message; single use.
    public let messageId: String
    /// The challenge in base64, as the server spelled it.
    public let challenge: String
    /// Seconds the server waits for an answer, whole.
    public let ttl: Int
    /// When the server sent the push.
    public let sentAt: Date
    /// When the device stored it.
    public let createdAt: Date

    /// What the user has to do.
    public var pushType: PushType = .default
    /// The text to show.
    public var messageText: String?
    /// The administrator's own payload, JSON text.
    public var customPayload: String?
    /// The numbers to choose from, as the server spelled them; challenge pushes only.
    public var numbersChallenge: String?
    /// Where the login came from, JSON text.
    public var contextInfo: String?
    /// The load balancer's cookie pair `name=value`.
    public var loadBalancer: String?
    /// Whether the user has not answered yet.
    public var pending = true
    /// Whether the user approved.
    ///
    /// Kept apart from ``pending``, because legacy stores hold every combination.
    public var approved = false
    /// When the user answered, if known.
    public var respondedAt: Date?
    /// The app's own handler that made the push and answers it, by name; `nil` is PingAM's protocol.
    public var customHandler: String?
    /// The answer that is on its way.
    public var answerClaim: AnswerClaim?
    /// What only the legacy model knows; `nil` for pushes received through the new API.
    public var legacy: LegacyNotificationDetails?

    /// Creates a pending notification; everything optional is set afterwards.
    public init(
        id: String,
        credentialId: String,
        message: PushMessage,
        ttl: Int,
        sentAt: Date,
        createdAt: Date
    ) {
        self.id = id
        self.credentialId = credentialId
        messageId = message.id
        challenge = message.challenge
        self.ttl = ttl
        self.sentAt = sentAt
        self.createdAt = createdAt
    }

    /// When the server stops waiting.
    public var expiresAt: Date { sentAt.addingTimeInterval(legacy?.timeToLive ?? TimeInterval(ttl)) }
}
