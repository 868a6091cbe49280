import Foundation
import PushBridgeCore

/// A notification as the new SDK's keychain storage spells it, with what it has no place for.
///
/// The storage's `additionalData` has no use here and is not kept.
struct NotificationForm: KeychainForm {
    static let noun = "notification"

    private let id: String
    private let credentialId: String
    private let ttl: Int
    private let messageId: String
    private let messageText: String?
    private let customPayload: String?
    private let challenge: String
    private let numbersChallenge: String?
    private let loadBalancer: String?
    private let contextInfo: String?
    private let pushType: String
    private let createdAt: ISODate
    private let sentAt: ISODate?
    private let respondedAt: ISODate?
    private let approved: Bool
    private let pending: Bool
    private let pushBridge: Extras?

    static func service(in services: KeychainServices) -> String { services.notifications }

    init(_ notification: PushNotification) {
        id = notification.id
        credentialId = notification.credentialId
        ttl = notification.ttl
        messageId = notification.messageId
        messageText = notification.messageText
        customPayload = notification.customPayload
        challenge = notification.challenge
        numbersChallenge = notification.numbersChallenge
        loadBalancer = notification.loadBalancer
        contextInfo = notification.contextInfo
        pushType = notification.pushType.rawValue
        createdAt = ISODate(notification.createdAt)
        sentAt = ISODate(notification.sentAt)
        respondedAt = notification.respondedAt.map(ISODate.init)
        approved = notification.approved
        pending = notification.pending
        pushBridge = Extras(notification)
    }

    func value(under id: String) -> PushNotification? {
        guard self.id == id, let pushType = PushType(rawValue: pushType.lowercased()) else { return nil }
        var notification = PushNotification(
            id: self.id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: challenge),
            ttl: ttl,
            sentAt: pushBridge?.sentAt.date ?? sentAt?.date ?? createdAt.date,
            createdAt: pushBridge?.createdAt.date ?? createdAt.date
        )
        notification.pushType = pushType
        notification.messageText = messageText
        notification.customPayload = customPayload
        notification.numbersChallenge = numbersChallenge
        notification.contextInfo = contextInfo
        notification.loadBalancer = loadBalancer
        notification.pending = pending
        notification.approved = approved
        notification.respondedAt = pushBridge.map { $0.respondedAt?.date } ?? respondedAt?.date
        notification.answerClaim = pushBridge?.claim.map {
            AnswerClaim(id: $0.id, expiresAt: $0.expiresAt.date)
        }
        notification.customHandler = pushBridge?.customHandler
        notification.legacy = pushBridge?.legacy.map {
            LegacyNotificationDetails(timeToLive: $0.timeToLive, pushType: $0.pushType)
        }
        return notification
    }
}

private struct Extras: Codable {
    let createdAt: ExactDate
    let sentAt: ExactDate
    let respondedAt: ExactDate?
    let claim: Claim?
    let customHandler: String?
    let legacy: Legacy?

    init(_ notification: PushNotification) {
        createdAt = ExactDate(notification.createdAt)
        sentAt = ExactDate(notification.sentAt)
        respondedAt = notification.respondedAt.map(ExactDate.init)
        claim = notification.answerClaim.map { Claim(id: $0.id, expiresAt: ExactDate($0.expiresAt)) }
        customHandler = notification.customHandler
        legacy = notification.legacy.map { Legacy(timeToLive: $0.timeToLive, pushType: $0.pushType) }
    }

    struct Claim: Codable {
        let id: String
        let expiresAt: ExactDate
    }

    struct Legacy: Codable {
        let timeToLive: Double
        let pushType: String?
    }
}
