public import Foundation
public import UserNotifications

/// One instance of the app's user interface.
@preconcurrency @MainActor open class UIScene: UIResponder {
    /// The options with which the system connects a scene.
    @preconcurrency @MainActor public final class ConnectionOptions: NSObject {
        /// The user's response to a notification that started the app.
        public let notificationResponse: UNNotificationResponse?
        /// The links that started the app.
        public let urlContexts: Set<UIOpenURLContext>

        init(_ response: UNNotificationResponse?, _ contexts: Set<UIOpenURLContext>) {
            notificationResponse = response
            urlContexts = contexts
            super.init()
        }
    }
}

/// A scene with windows.
@preconcurrency @MainActor public final class UIWindowScene: UIScene {}

/// The state that the system keeps for a scene.
@preconcurrency @MainActor public final class UISceneSession: NSObject {
    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// Makes a role with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A window on the device's own screen.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// The purpose of the scene.
    public let role = Role.windowApplication
}

/// The way in which the system makes a scene.
@preconcurrency @MainActor public final class UISceneConfiguration: NSObject {
    /// The name of the configuration in the app's property list.
    public let name: String?
    /// The purpose of the scene.
    public let role: UISceneSession.Role

    /// Makes a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        (self.name, role) = (name, sessionRole)
        super.init()
    }
}

/// A link that the app opens.
@preconcurrency @MainActor public final class UIOpenURLContext: NSObject {
    /// The link.
    public let url: URL

    init(_ url: URL) {
        self.url = url
        super.init()
    }
}

/// Receives events of a scene.
///
/// In the real framework all methods are optional, and UIKit calls only those that are implemented.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {
    /// The system connects the scene.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    /// The scene became active.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The system disconnected the scene.
    func sceneDidDisconnect(_ scene: UIScene)
    /// The system asks the scene to open links.
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
}

extension UIWindowSceneDelegate {
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {}
}

/// Connects scenes, which on a device only the system can do.
@MainActor public enum StandInScenes {
    /// Connects a scene, as the system does after a launch, with the response or the link that started the
    /// app.
    public static func connect(
        _ delegate: any UIWindowSceneDelegate,
        response: UNNotificationResponse? = nil,
        url: URL? = nil
    ) {
        delegate.scene(
            UIWindowScene(),
            willConnectTo: UISceneSession(),
            options: options(response, url: url)
        )
    }

    /// Asks the app's delegate for the configuration of a scene, as the system does before it connects the scene.
    public static func configure(
        _ delegate: any UIApplicationDelegate,
        response: UNNotificationResponse? = nil,
        url: URL? = nil
    ) -> UISceneConfiguration {
        delegate.application(
            .shared,
            configurationForConnecting: UISceneSession(),
            options: options(response, url: url)
        )
    }

    /// Returns the options with which a scene is connected.
    public static func options(
        _ response: UNNotificationResponse?,
        url: URL? = nil
    ) -> UIScene.ConnectionOptions {
        UIScene.ConnectionOptions(response, Set(url.map { [UIOpenURLContext($0)] } ?? []))
    }
}
