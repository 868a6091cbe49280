public import Foundation

/// The permissions that an app requests from the user.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: UInt
    /// Creates options from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// A badge on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// Sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// Banners.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// Quiet notifications, for which the system does not ask the user.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
}

/// The options with which a notification is shown in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: UInt
    /// Creates options from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The notification sets the badge on the app's icon.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// The notification makes a sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// The notification is in the list of notifications.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// The notification is shown as a banner.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

/// The user's decision about notifications.
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

/// The user's settings for notifications.
public final class UNNotificationSettings: NSObject, Sendable {
    /// The user's decision about notifications.
    public let authorizationStatus = UNAuthorizationStatus.authorized
}

/// Receives notifications; each method has two forms, and all of them are optional, as in the real framework.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Determines how a notification is shown in the foreground.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    )

    /// Receives the user's response to a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )

    /// The async form of the method that determines how a notification is shown; an app implements only one form.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// The async form of the method that receives the user's response.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async
}

extension UNUserNotificationCenterDelegate {
    /// Shows nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        []
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {}

    /// Shows nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    /// Only calls `completionHandler`.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }
}

/// The notification center of an app.
///
/// A test delivers notifications in place of the system.
public final class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let only = UNUserNotificationCenter()
    /// Calls the handlers of queries one after another, in the order of the queries.
    private let handlers = DispatchQueue(label: "Handlers of the notification center")

    // `lock` guards all of the following properties.
    private let lock = NSLock()
    private weak var heldDelegate: (any UNUserNotificationCenterDelegate)?
    private var categories: Set<UNNotificationCategory> = []
    private var delivered: [UNNotification] = []
    private var heldBadge = 0

    /// Returns the only instance.
    public static func current() -> UNUserNotificationCenter { only }

    /// Receives notifications.
    public weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { lock.withLock { heldDelegate } }
        set { lock.withLock { heldDelegate = newValue } }
    }

    /// Requests permission, which the user always grants.
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        handlers.async { completionHandler(true, nil) }
    }

    /// Passes the user's settings to a handler, on a background thread.
    public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        handlers.async { completionHandler(UNNotificationSettings()) }
    }

    /// Requests permission, which the user always grants.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

    /// The number on the app's icon.
    public var badgeCount: Int { lock.withLock { heldBadge } }

    /// Sets the number on the app's icon.
    public func setBadgeCount(_ count: Int) async throws { lock.withLock { heldBadge = count } }

    /// The app's categories.
    public var notificationCategories: Set<UNNotificationCategory> { lock.withLock { categories } }

    /// Passes the app's categories to a handler, on a background thread.
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        handlers.async { completionHandler(self.notificationCategories) }
    }

    /// Sets the app's categories.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        lock.withLock { self.categories = categories }
    }

    /// Adds a notification to Notification Center immediately; the stand-in ignores the trigger.
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        lock.withLock { delivered.append(UNNotification(request, date: Date())) }
        completionHandler?(nil)
    }

    /// Returns the notifications in Notification Center.
    public func deliveredNotifications() async -> [UNNotification] { lock.withLock { delivered } }

    /// Passes the notifications in Notification Center to a handler, on a background thread.
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        handlers.async { completionHandler(self.lock.withLock { self.delivered }) }
    }

    /// Removes notifications from Notification Center.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        lock.withLock { delivered.removeAll { identifiers.contains($0.request.identifier) } }
    }
}

/// Delivers notifications and the user's responses, which on a device only the system can do.
public enum StandInDelivery {
    /// Returns a push in the form in which the system delivers it.
    public static func notification(
        _ userInfo: [AnyHashable: Any],
        date: Date = Date()
    ) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        let aps = userInfo["aps"] as? [AnyHashable: Any]
        content.body = aps?["alert"] as? String ?? ""
        content.categoryIdentifier = aps?["category"] as? String ?? ""
        let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil)
        return UNNotification(request, date: date)
    }

    /// Returns the user's response to a notification.
    public static func response(
        to notification: UNNotification,
        _ actionIdentifier: String,
        text: String? = nil
    ) -> UNNotificationResponse {
        guard let text else { return UNNotificationResponse(notification, actionIdentifier) }
        return UNTextInputNotificationResponse(notification, actionIdentifier, text)
    }

    /// Adds a notification to Notification Center, with the current date.
    public static func deliver(_ notification: UNNotification) {
        UNUserNotificationCenter.current().add(notification.request)
    }
}
