public import Foundation

extension PushNotification {
    /// Converts a legacy notification.
    ///
    /// The time to live is rounded up to whole seconds, the exact one kept. A record that is not the legacy SDK's own
    /// may tell another `id`, and when the device stored the push.
    public init(
        _ notification: LegacyNotification,
        id: String? = nil,
        createdAt: Date? = nil
    ) throws(ConversionError) {
        guard let ttl = Int(exactly: notification.ttl.rounded(.up)) else {
            throw .damaged("The time to live is not a number of seconds.")
        }
        self.init(
            id: id ?? notification.identifier,
            credentialId: notification.mechanismUUID,
            message: notification.message,
            ttl: ttl,
            sentAt: notification.timeAdded,
            createdAt: createdAt ?? notification.timeAdded
        )
        pushType = PushType(name: notification.pushType)
        messageText = notification.messageText
        customPayload = notification.customPayload
        numbersChallenge = notification.numbersChallenge
        contextInfo = notification.contextInfo
        loadBalancer = notification.loadBalancer
        pending = notification.pending
        approved = notification.approved
        legacy = LegacyNotificationDetails(timeToLive: notification.ttl, pushType: notification.pushType)
    }

    /// The notification as the legacy SDK would store it; the inverse of the conversion.
    public var legacyNotification: LegacyNotification {
        var notification = LegacyNotification(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: credentialId,
            ttl: legacy?.timeToLive ?? TimeInterval(ttl),
            timeAdded: sentAt
        )
        notification.pushType = legacy.map(\.pushType) ?? pushType.rawValue
        notification.messageText = messageText
        notification.customPayload = customPayload
        notification.numbersChallenge = numbersChallenge
        notification.contextInfo = contextInfo
        notification.loadBalancer = loadBalancer
        notification.pending = pending
        notification.approved = approved
        return notification
    }
}
