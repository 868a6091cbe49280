package import Foundation

// Legacy records and new records use the same type for a notification. In its legacy form, a notification has the
// legacy SDK's id, a single date, and only values for which the SDK has a field.

/// The fields of a legacy notification for which the successor SDK has none.
package struct LegacyNotificationDetails: Codable, Equatable, Sendable {
    /// The exact number of seconds for which the server waits for an answer; the successor SDK stores whole seconds.
    package var timeToLive: TimeInterval
    /// The push type as the legacy record spelled it; `nil` in records from before SDK 3.3.
    package var pushType: String?

    /// Creates details from the values of a record, without validation.
    package init(timeToLive: TimeInterval, pushType: String?) {
        self.timeToLive = timeToLive
        self.pushType = pushType
    }

    private enum CodingKeys: Int, CodingKey {
        case timeToLive = 1
        case pushType
    }
}

extension PushNotification {
    /// Creates a pending notification in its legacy form; optional properties are set afterwards.
    /// - Parameters:
    ///   - message: The server's message.
    ///   - mechanismUUID: The mechanism that answers the notification.
    ///   - ttl: The number of seconds for which the server waits; the number may have a fraction.
    ///   - timeAdded: The date when the server sent the notification.
    package init(message: PushMessage, mechanismUUID: String, ttl: TimeInterval, timeAdded: Date) {
        self.init(
            id: "",
            credentialId: mechanismUUID,
            message: message,
            ttl: 0,
            sentAt: timeAdded,
            createdAt: timeAdded
        )
        id = legacyIdentifier
        legacy = LegacyNotificationDetails(timeToLive: ttl, pushType: nil)
        timeToLive = ttl
    }

    /// The legacy key, `{mechanismUUID}-{timeAdded in ms}`.
    public var legacyIdentifier: String { "\(credentialId)-\(orderedAt.millisecondsSince1970)" }

    /// The exact number of seconds for which the server waits for an answer; ``ttl`` is rounded up.
    package var timeToLive: TimeInterval {
        get { details.timeToLive }
        set {
            details.timeToLive = newValue
            ttl = Int(exactly: newValue.rounded(.up)) ?? (newValue < 0 ? .min : .max)
        }
    }

    /// The name of ``pushType`` as a legacy record spells it; `nil` in records from before SDK 3.3.
    public var legacyPushType: String? {
        get { details.pushType }
        set {
            details.pushType = newValue
            pushType = PushType(name: newValue)
        }
    }

    private var details: LegacyNotificationDetails {
        get {
            legacy
                ?? LegacyNotificationDetails(timeToLive: TimeInterval(ttl), pushType: pushType.rawValue)
        }
        set { legacy = newValue }
    }

    /// Changes the date of the legacy form, and thereby the id of the notification.
    package mutating func setTimeAdded(_ date: Date) {
        sentAt = date
        createdAt = date
        id = legacyIdentifier
    }

    /// The notification in its legacy form.
    public var legacyNotification: PushNotification {
        var notification = self
        notification.legacy = details
        notification.setTimeAdded(orderedAt)
        notification.challenge = challenge ?? ""
        notification.respondedAt = nil
        notification.additional = nil
        notification.customHandler = nil
        notification.answerClaim = nil
        return notification
    }

    /// Returns this notification of a legacy record, after checking that its time to live can be stored.
    ///
    /// - Throws: An error with the code `damaged` if the time to live cannot be rounded up to an `Int`.
    package func checked() throws(LegacyRecordError) -> PushNotification {
        guard Int(exactly: timeToLive.rounded(.up)) != nil else {
            throw .damaged("The time to live is not a number of seconds.")
        }
        return self
    }
}
