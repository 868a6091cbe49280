import PushBridgeCore

/// A notification as the legacy SDK's `toJson()` writes it.
struct NotificationJSON: Codable {
    @Nullable var id: String?
    let messageId: String
    let mechanismUID: String
    @Nullable var amlbCookie: String?
    let ttl: JSONSeconds
    let timeAdded: JSONDate
    @Nullable var timeExpired: JSONDate?
    let challenge: String
    @Nullable var pending: Bool?
    @Nullable var approved: Bool?
    @Nullable var customPayload: String?
    @Nullable var message: String?
    @Nullable var pushType: String?
    @Nullable var numbersChallenge: String?
    @Nullable var contextInfo: String?

    init(_ notification: LegacyNotification) {
        id = notification.identifier
        messageId = notification.message.id
        mechanismUID = notification.mechanismUUID
        amlbCookie = notification.loadBalancer
        ttl = JSONSeconds(notification.ttl)
        timeAdded = JSONDate(notification.timeAdded)
        timeExpired = JSONDate(notification.timeExpired)
        challenge = notification.message.challenge
        pending = notification.pending
        approved = notification.approved
        customPayload = notification.customPayload
        message = notification.messageText
        pushType = notification.pushType
        numbersChallenge = notification.numbersChallenge
        contextInfo = notification.contextInfo
    }

    var notification: LegacyNotification {
        var notification = LegacyNotification(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: mechanismUID,
            ttl: ttl.value,
            timeAdded: timeAdded.date
        )
        notification.pending = pending ?? false
        notification.approved = approved ?? false
        notification.loadBalancer = amlbCookie
        notification.customPayload = customPayload
        notification.messageText = message
        notification.pushType = pushType
        notification.numbersChallenge = numbersChallenge
        notification.contextInfo = contextInfo
        return notification
    }
}
