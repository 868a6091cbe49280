public import Foundation

/// One record of a legacy store, read.
///
/// Indirect, because the values are large and are handed from step to step.
public indirect enum LegacyRecord: Equatable, Sendable {
    /// An account.
    case account(LegacyAccount)
    /// A push or one-time-password mechanism.
    case mechanism(LegacyMechanism)
    /// A push notification.
    case notification(LegacyNotification)
    /// The APNs token.
    case deviceToken(PushDeviceToken)

    /// The kind of record.
    public var kind: LegacyRecordKind {
        switch self {
        case .account: .account
        case .mechanism(let mechanism): mechanism.kind
        case .notification: .notification
        case .deviceToken: .deviceToken
        }
    }

    /// The key under which the legacy SDK stores the record.
    public var identifier: String {
        switch self {
        case .account(let account): account.identifier
        case .mechanism(let mechanism): mechanism.identifier
        case .notification(let notification): notification.identifier
        case .deviceToken: "deviceToken"
        }
    }
}

/// The kinds of legacy record, as reports name them.
public enum LegacyRecordKind: String, CaseIterable, Codable, Sendable {
    /// An account.
    case account
    /// A push mechanism.
    case push
    /// A mechanism for time-based codes.
    case totp
    /// A mechanism for counter-based codes.
    case hotp
    /// A push notification.
    case notification
    /// The APNs token.
    case deviceToken
    /// A record too damaged to tell.
    case unknown
}

/// A push notification as the legacy SDK stores it.
public struct LegacyNotification: Equatable, Sendable {
    /// The server's message: id and challenge.
    public let message: PushMessage
    /// The mechanism that answers it.
    public let mechanismUUID: String
    /// Seconds the server waits; may have a fraction.
    public var ttl: TimeInterval
    /// When the server sent it.
    public var timeAdded: Date
    /// Whether the user has not answered yet.
    public var pending = true
    /// Whether the user approved.
    public var approved = false
    /// The load balancer's cookie pair `name=value`.
    public var loadBalancer: String?
    /// The administrator's own payload, JSON text.
    public var customPayload: String?
    /// The text to show.
    public var messageText: String?
    /// The push type's name; `nil` before SDK 3.3.
    public var pushType: String?
    /// The numbers to choose from, as the server spelled them.
    public var numbersChallenge: String?
    /// Where the login came from, JSON text.
    public var contextInfo: String?

    /// Creates a pending notification; everything optional is set afterwards.
    public init(message: PushMessage, mechanismUUID: String, ttl: TimeInterval, timeAdded: Date) {
        self.message = message
        self.mechanismUUID = mechanismUUID
        self.ttl = ttl
        self.timeAdded = timeAdded
    }

    /// The legacy key, `{mechanismUUID}-{timeAdded in ms}`.
    public var identifier: String { "\(mechanismUUID)-\(timeAdded.millisecondsSince1970)" }
    /// When the server stops waiting.
    public var timeExpired: Date { timeAdded.addingTimeInterval(ttl) }
}

/// What the legacy model knows of a notification and the new one has no field for.
public struct LegacyNotificationDetails: Codable, Equatable, Sendable {
    /// The exact seconds the server waits; the new model has whole ones.
    public var timeToLive: TimeInterval
    /// The push type as the legacy record spelled it; `nil` before SDK 3.3.
    public var pushType: String?

    /// Creates details.
    public init(timeToLive: TimeInterval, pushType: String?) {
        self.timeToLive = timeToLive
        self.pushType = pushType
    }

    private enum CodingKeys: Int, CodingKey {
        case timeToLive = 1
        case pushType
    }
}
