public import Foundation

/// The device; as in UIKit, only the main actor may use it.
@preconcurrency @MainActor public final class UIDevice {
    /// The only instance.
    public static let current = UIDevice()

    /// The name that the user gave the device; a test may change it.
    public var name = "Babs’ iPhone"
    /// The version of the system.
    public let systemVersion = "18.0"
    /// The kind of device.
    public let model = "iPhone"

    /// The state of the battery.
    public enum BatteryState: Int, Sendable {
        case unknown, unplugged, charging, full
    }

    /// Whether the battery is monitored; `false` by default.
    public var isBatteryMonitoringEnabled = false
    private var charge = BatteryState.unplugged
    /// The state of the battery; `unknown` unless the battery is monitored.
    public var batteryState: BatteryState { isBatteryMonitoringEnabled ? charge : .unknown }

    /// Sets the state of the battery; this is not part of Apple's framework.
    public func charge(_ state: BatteryState) { charge = state }

    private init() {}
}

extension FileManager {
    /// Returns the folder of an app group; `nil` if the folder cannot be created.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        try? StandInGroups.folder(group)
    }
}

/// An object that responds to events.
@preconcurrency @MainActor open class UIResponder: NSObject {
    /// Creates a responder.
    public override nonisolated init() {}
}

/// The application; as in UIKit, only the main actor may use it.
@preconcurrency @MainActor public final class UIApplication {
    /// The only instance.
    public static let shared = UIApplication()

    /// Names a launch option.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Makes a key with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The payload of the push that launched the app.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey"
        )
    }

    /// The URL of the app's settings.
    public static let openSettingsURLString = "app-settings:"

    /// Receives the application's events.
    public weak var delegate: (any UIApplicationDelegate)?
    /// Whether the app asked for a device token.
    public private(set) var isRegisteredForRemoteNotifications = false

    private init() {}

    /// Notes that the app requested a device token; the stand-in delivers none.
    public func registerForRemoteNotifications() { isRegisteredForRemoteNotifications = true }

    /// Does nothing, because the stand-in opens no URLs.
    public func open(_ url: URL) {}
}

/// The result of a background push.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData, noData, failed
}

/// Receives the application's events.
///
/// In the real framework all methods are optional, and UIKit calls only those that are implemented.
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The application was launched.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The app received a device token.
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )
    /// The registration for pushes failed.
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    )
    /// A background push arrived.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    )
    /// The async form of the background-push method; an app implements only one of the two forms.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult
    /// The system is about to connect a scene.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
}

extension UIApplicationDelegate {
    /// Ignores the push, and reports no new data.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(.noData)
    }

    /// Ignores the push, and reports no new data.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        .noData
    }

    /// Returns the default configuration, which the app's property list determines.
    public func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
    }

    /// Does nothing, because the stand-in does not run apps.
    public static func main() {}
}
