package import Foundation

// A notification is one value in both models. In its legacy form it has the id that the legacy SDK gives it, one date,
// and nothing that the SDK has no field for.

/// The fields of the legacy model of a notification for which the new one has no place.
package struct LegacyNotificationDetails: Codable, Equatable, Sendable {
    /// The exact seconds the server waits; the new model has whole ones.
    package var timeToLive: TimeInterval
    /// The push type as the legacy record spelled it; `nil` before SDK 3.3.
    package var pushType: String?

    /// Creates details.
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
    /// Creates a pending notification in its legacy form; everything optional is set afterwards.
    /// - Parameters:
    ///   - message: The server's half.
    ///   - mechanismUUID: The mechanism that answers it.
    ///   - ttl: Seconds the server waits; may have a fraction.
    ///   - timeAdded: When the server sent it.
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

    /// The exact seconds the server waits, of which ``ttl`` is the next whole number.
    package var timeToLive: TimeInterval {
        get { details.timeToLive }
        set {
            details.timeToLive = newValue
            ttl = Int(exactly: newValue.rounded(.up)) ?? (newValue < 0 ? .min : .max)
        }
    }

    /// The name of ``pushType`` as a legacy record spells it; `nil` before SDK 3.3.
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

    /// Gives the legacy form another date, and so another id.
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

    /// The notification of a legacy record, to be stored.
    /// - Throws: An error with the code `damaged` if its time to live is not a whole number of seconds.
    package func checked() throws(LegacyRecordError) -> PushNotification {
        guard Int(exactly: timeToLive.rounded(.up)) != nil else {
            throw .damaged("The time to live is not a number of seconds.")
        }
        return self
    }
}
