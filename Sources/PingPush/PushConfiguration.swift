public import Foundation
public import Logging
import PingLogger
public import PushBridgeCore
public import PushBridgePlatform

/// What a ``PushClient`` is made from.
public struct PushConfiguration: Sendable {
    /// Where credentials and notifications live; `nil` is `StandardStore`.
    public var storage: (any PushStorage)?
    /// Locks and unlocks credentials as their policies demand; `nil` is ``PushBridgeCore/MfaPolicyEvaluator/standard``,
    /// which knows the policies about which this device can tell.
    public var policyEvaluator: MfaPolicyEvaluator?
    /// The longest a request may take, in seconds; an answer to a push takes 145 at most.
    public var timeout: TimeInterval = 15
    /// Whether credentials are kept in memory once they were read by id.
    ///
    /// Changes by another process are not seen then, and secrets stay in memory until ``PushClient/close()``.
    public var enableCredentialCache = false
    /// Receives what the client has to say; never a secret.
    public var logger: Logger? = LogManager.logger
    /// The app's own handlers, by platform or as an array; they are asked before PingAM's protocol.
    public var customPushHandlers: PushHandlers = []
    /// Whether secrets are encrypted where they are stored, which they always are; `false` is logged and changes nothing.
    public var encryptionEnabled = true
    /// Which notifications are removed when a push comes in.
    public var notificationCleanupConfig = NotificationCleanupConfig()
    /// The device's name in the user's list of devices at the server: the one the user gave it, unless you set one.
    ///
    /// Off the main thread it reads as `iOS device` until it was asked for once; what is sent waits for the name.
    public var deviceName: String {
        get { ownDeviceName ?? DeviceName.current }
        set { ownDeviceName = newValue }
    }
    /// Carries requests to the server, after the interceptors; `nil` is a ``URLSessionTransport``.
    public var transport: (any PushTransport)?
    /// What interceptors make of requests; comparisons keep theirs apart from the app's.
    package var hooks = NetworkHooks.shared
    /// Tells the time.
    public var now: @Sendable () -> Date = { Date() }

    private var ownDeviceName: String?

    /// Creates the standard configuration.
    public init() {}

    /// ``deviceName`` as servers are told it.
    func sentDeviceName() async -> String {
        if let ownDeviceName { return ownDeviceName }
        return await DeviceName.told()
    }

    /// ``timeout`` in milliseconds.
    public var timeoutMs: Int {
        get { Int(exactly: (timeout * 1000).rounded()) ?? .max }
        set { timeout = TimeInterval(newValue) / 1000 }
    }
}

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
