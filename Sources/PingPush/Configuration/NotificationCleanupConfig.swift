/// Which stored notifications are removed, oldest first, whenever a push comes in or cleanup is asked for.
///
/// The push that comes in stays in any case, so that it can be answered.
public struct NotificationCleanupConfig: Equatable, Sendable {
    /// What decides.
    public enum CleanupMode: String, CaseIterable, Sendable {
        /// Nothing is removed.
        case none
        /// Only the newest are kept.
        case countBased
        /// Only those younger than a number of days are kept.
        case ageBased
        /// Both limits hold.
        case hybrid
    }

    /// What decides.
    public var cleanupMode: CleanupMode
    /// How many notifications are kept by `.countBased` and `.hybrid`.
    public var maxStoredNotifications: Int
    /// For how many days notifications are kept by `.ageBased` and `.hybrid`.
    public var maxNotificationAgeDays: Int

    /// Creates a rule: the newest hundred, unless told otherwise.
    public init(
        cleanupMode: CleanupMode = .countBased,
        maxStoredNotifications: Int = NotificationCleanup.standardMaximum,
        maxNotificationAgeDays: Int = NotificationCleanup.standardDays
    ) {
        self.cleanupMode = cleanupMode
        self.maxStoredNotifications = maxStoredNotifications
        self.maxNotificationAgeDays = maxNotificationAgeDays
    }

    var rule: NotificationCleanup {
        switch cleanupMode {
        case .none: .none
        case .countBased: .countBased(maximum: maxStoredNotifications)
        case .ageBased: .ageBased(days: maxNotificationAgeDays)
        case .hybrid: .hybrid(maximum: maxStoredNotifications, days: maxNotificationAgeDays)
        }
    }
}
