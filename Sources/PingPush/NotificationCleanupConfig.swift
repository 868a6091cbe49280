import PushBridgeCore

/// The rule that removes old stored notifications when a push arrives, when the app requests a cleanup, and when the
/// client is closed.
///
/// The oldest notifications are removed first. As in the successor SDK, a push that arrives removes only
/// notifications of its own credential, so that many logins with one account do not remove the pending notifications
/// of another account.
///
/// The push that arrives is never removed, so that it can be answered.
public struct NotificationCleanupConfig: Equatable, Sendable {
    /// The criteria for removal.
    public enum CleanupMode: String, CaseIterable, Sendable {
        /// Nothing is removed.
        case none = "NONE"
        /// Only the newest notifications are kept.
        case countBased = "COUNT_BASED"
        /// Only notifications that are not older than a number of days are kept.
        case ageBased = "AGE_BASED"
        /// Both limits apply.
        case hybrid = "HYBRID"
    }

    /// The criteria for removal.
    public var cleanupMode: CleanupMode
    /// The number of notifications that `.countBased` and `.hybrid` keep; values below 1 count as 1.
    public var maxStoredNotifications: Int
    /// The number of days for which `.ageBased` and `.hybrid` keep notifications; values below 1 count as 1.
    public var maxNotificationAgeDays: Int

    /// Creates a rule; by default it keeps the newest hundred notifications.
    /// - Parameters:
    ///   - cleanupMode: The criteria for removal.
    ///   - maxStoredNotifications: The number of notifications to keep.
    ///   - maxNotificationAgeDays: The number of days for which notifications are kept.
    public init(
        cleanupMode: CleanupMode = .countBased,
        maxStoredNotifications: Int = 100,
        maxNotificationAgeDays: Int = 30
    ) {
        self.cleanupMode = cleanupMode
        self.maxStoredNotifications = max(1, maxStoredNotifications)
        self.maxNotificationAgeDays = max(1, maxNotificationAgeDays)
    }

    /// Returns a rule that keeps the newest hundred notifications.
    /// - Returns: The rule.
    public static func `default`() -> NotificationCleanupConfig { NotificationCleanupConfig() }
    /// Returns a rule that keeps all notifications.
    /// - Returns: The rule.
    public static func none() -> NotificationCleanupConfig { NotificationCleanupConfig(cleanupMode: .none) }
    /// Returns a rule that keeps the newest notifications.
    /// - Parameter maxNotifications: The number of notifications; values below 1 count as 1.
    /// - Returns: The rule.
    public static func countBased(maxNotifications: Int = 100) -> NotificationCleanupConfig {
        NotificationCleanupConfig(maxStoredNotifications: maxNotifications)
    }
    /// Returns a rule that keeps notifications for a number of days.
    /// - Parameter maxAgeDays: The number of 24-hour days; values below 1 count as 1.
    /// - Returns: The rule.
    public static func ageBased(maxAgeDays: Int = 30) -> NotificationCleanupConfig {
        NotificationCleanupConfig(cleanupMode: .ageBased, maxNotificationAgeDays: maxAgeDays)
    }
    /// Returns a rule that keeps the newest notifications for a number of days.
    /// - Parameters:
    ///   - maxNotifications: The number of notifications; values below 1 count as 1.
    ///   - maxAgeDays: The number of 24-hour days; values below 1 count as 1.
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
