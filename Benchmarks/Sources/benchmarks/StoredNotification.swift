import Foundation
import PushBridgeCore

/// A notification that is stored as an item of ``DecodingStore``.
struct StoredNotification: Codable {
    let id: String
    let credentialId: String
    let messageId: String
    let challenge: String
    let ttl: Int
    let sentAt: Date?
    let createdAt: Date
    let pushType: String
    let messageText: String?
    let contextInfo: String?
    let loadBalancer: String?
    let pending: Bool
    let approved: Bool

    init(_ notification: PushNotification) {
        id = notification.id
        credentialId = notification.credentialId
        messageId = notification.messageId
        challenge = notification.challenge ?? ""
        ttl = notification.ttl
        sentAt = notification.sentAt
        createdAt = notification.createdAt
        pushType = notification.pushType.rawValue
        messageText = notification.messageText
        contextInfo = notification.contextInfo
        loadBalancer = notification.loadBalancer
        pending = notification.pending
        approved = notification.approved
    }
}
