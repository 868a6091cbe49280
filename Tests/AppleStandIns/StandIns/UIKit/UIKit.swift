public import Foundation

/// The device; as in UIKit, only the main actor may ask it.
@preconcurrency @MainActor public final class UIDevice {
    /// The only one.
    public static let current = UIDevice()

    /// The name that the user gave it; a test may give another.
    public var name = "Babs’ iPhone"
    /// The version of the system.
    public let systemVersion = "18.0"
    /// The kind of device.
    public let model = "iPhone"

    /// What the battery does.
    public enum BatteryState: Int, Sendable {
        case unknown, unplugged, charging, full
    }

    /// Whether the app is told of the battery; off unless it is switched on.
    public var isBatteryMonitoringEnabled = false
    private var charge = BatteryState.unplugged
    /// What the battery does; unknown unless it is monitored.
    public var batteryState: BatteryState { isBatteryMonitoringEnabled ? charge : .unknown }

    /// Says what the battery does; no part of Apple's framework.
    public func charge(_ state: BatteryState) { charge = state }

    private init() {}
}

extension FileManager {
    /// The container of an app group, as Foundation has it on Apple platforms; here each process has its own.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        let id = ProcessInfo.processInfo.processIdentifier
        let url = temporaryDirectory.appendingPathComponent("\(group).\(id)", isDirectory: true)
        do {
            try createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            return nil
        }
        return url
    }
}

/// What responds to events.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Makes one.
    public override nonisolated init() {}
}

/// The application; as in UIKit, only the main actor may ask it.
@preconcurrency @MainActor public final class UIApplication {
    /// The only one.
    public static let shared = UIApplication()

    /// Names what an app is launched with.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Names something.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The payload of the push that launched the app.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey"
        )
    }

    /// The address of the app's settings.
    public static let openSettingsURLString = "app-settings:"

    /// What hears of the application.
    public weak var delegate: (any UIApplicationDelegate)?
    /// Whether the app asked for a device token.
    public private(set) var isRegisteredForRemoteNotifications = false

    private init() {}

    /// Asks for a device token.
    public func registerForRemoteNotifications() { isRegisteredForRemoteNotifications = true }

    /// Opens an address.
    public func open(_ url: URL) {}
}

/// What a push in the background brought.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData, noData, failed
}

/// Hears of the application; all methods are optional in the real framework, and those an app has not are not called.
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The application was launched.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// There is a device token.
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )
    /// There is none.
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    )
    /// A push came in the background.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    )
    /// The same, awaited; an app has one of the two.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult
}

extension UIApplicationDelegate {
    /// Takes no push.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.noData)
    }

    /// Takes no push.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        .noData
    }

    /// Runs the app, of which a stand-in is none.
    public static func main() {}
}
