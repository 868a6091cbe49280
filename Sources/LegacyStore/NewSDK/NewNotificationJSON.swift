import PushBridgeCore

/// A notification of the new SDK.
struct NewNotificationJSON: Decodable {
    let id: String
    let credentialId: String
    let messageId: String
    let challenge: String
    let ttl: JSONSeconds
    let createdAt: ISODate
    @Nullable var sentAt: ISODate?
    @Nullable var respondedAt: ISODate?
    @Nullable var messageText: String?
    @Nullable var customPayload: String?
    @Nullable var numbersChallenge: String?
    @Nullable var loadBalancer: String?
    @Nullable var contextInfo: String?
    @Nullable var pushType: String?
    @Nullable var pending: Bool?
    @Nullable var approved: Bool?

    /// What the legacy SDK would have stored of the same push.
    var notification: LegacyNotification {
        var notification = LegacyNotification(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: credentialId,
            ttl: ttl.value,
            timeAdded: sentAt?.date ?? createdAt.date
        )
        notification.pending = pending ?? false
        notification.approved = approved ?? false
        notification.loadBalancer = loadBalancer
        notification.customPayload = customPayload
        notification.messageText = messageText
        notification.pushType = pushType
        notification.numbersChallenge = numbersChallenge
        notification.contextInfo = contextInfo
        return notification
    }

    /// What it would not have stored.
    func receipt() throws(LegacyRecordError) -> NotificationReceipt {
        guard !id.isEmpty else { throw .empty("id") }
        return NotificationReceipt(id: id, createdAt: createdAt.date, respondedAt: respondedAt?.date)
    }
}
