public import Foundation

/// A push whose signature was checked; only ``UnverifiedPush/verified(with:receivedAt:)`` makes one.
public struct VerifiedPush: Equatable, Sendable {
    /// The server's id of the message.
    public let messageId: String
    /// The credential whose secret signed the push.
    public let credentialId: String
    /// When the device received the push.
    public let receivedAt: Date
    private let claims: PushClaims

    init(messageId: String, credentialId: String, claims: PushClaims, receivedAt: Date) {
        self.messageId = messageId
        self.credentialId = credentialId
        self.claims = claims
        self.receivedAt = receivedAt
    }

    /// The user's id, for a credential that has none yet.
    public var userId: String? { claims.userId }

    /// The notification to store, pending, under an id that the caller makes.
    public func notification(id: String) -> PushNotification {
        var notification = PushNotification(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: claims.challenge),
            ttl: claims.timeToLive,
            sentAt: claims.sentAt ?? receivedAt,
            createdAt: receivedAt
        )
        notification.pushType = claims.pushType
        notification.messageText = claims.messageText
        notification.customPayload = claims.customPayload
        notification.numbersChallenge = claims.numbersChallenge
        notification.contextInfo = claims.contextInfo
        notification.loadBalancer = claims.loadBalancer
        return notification
    }

    /// `credential` with the user's id the push brought, or `nil` if nothing is to be filled in.
    public func fillingUserId(in credential: PushCredential) -> PushCredential? {
        guard credential.id == credentialId, credential.userId == nil, let userId else { return nil }
        var filled = credential
        filled.userId = userId
        return filled
    }
}
