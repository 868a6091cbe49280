import PushBridgeCore

/// Which stored notifications are removed, oldest first, whenever a push comes in or cleanup is asked for.
///
/// A push that comes in removes those of its own credential only, as the successor SDK does: one account with many logins
/// does not push out what another has waiting.
///
/// The push that comes in stays in any case, so that it can be answered.
public struct NotificationCleanupConfig: Equatable, Sendable {
    /// What decides.
    public enum CleanupMode: String, CaseIterable, Sendable {
        /// Nothing is removed.
        case none = "NONE"
        /// Only the newest are kept.
        case countBased = "COUNT_BASED"
        /// Only those younger than a number of days are kept.
        case ageBased = "AGE_BASED"
        /// Both limits hold.
        case hybrid = "HYBRID"
    }

    /// What decides.
    public var cleanupMode: CleanupMode
    /// How many notifications are kept by `.countBased` and `.hybrid`; less than one counts as one.
    public var maxStoredNotifications: Int
    /// For how many days notifications are kept by `.ageBased` and `.hybrid`; less than one counts as one.
    public var maxNotificationAgeDays: Int

    /// Creates a rule: the newest hundred, unless told otherwise.
    /// - Parameters:
    ///   - cleanupMode: What decides.
    ///   - maxStoredNotifications: How many notifications are kept.
    ///   - maxNotificationAgeDays: For how many days notifications are kept.
    public init(
        cleanupMode: CleanupMode = .countBased,
        maxStoredNotifications: Int = 100,
        maxNotificationAgeDays: Int = 30
    ) {
        self.cleanupMode = cleanupMode
        self.maxStoredNotifications = max(1, maxStoredNotifications)
        self.maxNotificationAgeDays = max(1, maxNotificationAgeDays)
    }

    /// The newest hundred stay.
    /// - Returns: A rule by count, of 100.
    public static func `default`() -> NotificationCleanupConfig { NotificationCleanupConfig() }
    /// All notifications stay.
    /// - Returns: A rule that removes nothing.
    public static func none() -> NotificationCleanupConfig { NotificationCleanupConfig(cleanupMode: .none) }
    /// A rule that keeps the newest notifications.
    /// - Parameter maxNotifications: How many; less than one counts as one.
    /// - Returns: The rule.
    public static func countBased(maxNotifications: Int = 100) -> NotificationCleanupConfig {
        NotificationCleanupConfig(maxStoredNotifications: maxNotifications)
    }
    /// A rule that keeps notifications for a number of days.
    /// - Parameter maxAgeDays: The number of days of 24 hours; less than one counts as one.
    /// - Returns: The rule.
    public static func ageBased(maxAgeDays: Int = 30) -> NotificationCleanupConfig {
        NotificationCleanupConfig(cleanupMode: .ageBased, maxNotificationAgeDays: maxAgeDays)
    }
    /// A rule that keeps the newest notifications, and these for a number of days.
    /// - Parameters:
    ///   - maxNotifications: How many; less than one counts as one.
    ///   - maxAgeDays: The number of days of 24 hours; less than one counts as one.
    /// - Returns: The rule.
    public static func hybrid(maxNotifications: Int = 100, maxAgeDays: Int = 30) -> NotificationCleanupConfig
    {
        NotificationCleanupConfig(
            cleanupMode: .hybrid,
            maxStoredNotifications: maxNotifications,
            maxNotificationAgeDays: maxAgeDays
        )
    }

    var rule: NotificationCleanup {
        let (counts, ages) = (cleanupMode != .ageBased, cleanupMode != .countBased)
        guard cleanupMode != .none else { return NotificationCleanup() }
        return NotificationCleanup(
            maximum: counts ? max(1, maxStoredNotifications) : nil,
            days: ages ? max(1, maxNotificationAgeDays) : nil
        )
    }
}
