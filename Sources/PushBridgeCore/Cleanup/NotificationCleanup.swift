public import Foundation

/// Which stored notifications are to go; oldest first, by the time the server sent them.
public enum NotificationCleanup: Equatable, Sendable {
    /// None.
    case none
    /// Those beyond a number.
    case countBased(maximum: Int = standardMaximum)
    /// Those older than a number of days.
    case ageBased(days: Int = standardDays)
    /// Those that either rule names.
    case hybrid(maximum: Int = standardMaximum, days: Int = standardDays)

    /// How many notifications are kept unless told otherwise.
    public static let standardMaximum = 100
    /// How many days notifications are kept unless told otherwise.
    public static let standardDays = 30

    /// Those of `notifications` that are to go, oldest first.
    public func removable(from notifications: [PushNotification], at now: Date) -> [PushNotification] {
        let sorted = notifications.sorted { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
        let expired = sorted.prefix { isTooOld($0, at: now) }.count
        return Array(sorted.prefix(max(expired, excess(of: sorted.count))))
    }

    /// How many of `count` notifications are beyond the number kept.
    func excess(of count: Int) -> Int {
        switch self {
        case .none, .ageBased: 0
        case .countBased(let maximum), .hybrid(let maximum, _): max(0, count - max(0, maximum))
        }
    }

    /// Whether any notification can be too old.
    var knowsAge: Bool {
        switch self {
        case .none, .countBased: false
        case .ageBased, .hybrid: true
        }
    }

    /// Whether a notification is older than kept.
    func isTooOld(_ notification: PushNotification, at now: Date) -> Bool {
        switch self {
        case .none, .countBased: false
        case .ageBased(let days), .hybrid(_, let days):
            now.timeIntervalSince(notification.sentAt) > Double(max(0, days)) * 86_400
        }
    }
}
