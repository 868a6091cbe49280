public import Foundation
public import UserNotifications

/// One of an app's places on the screen.
@preconcurrency @MainActor open class UIScene: UIResponder {
    /// How the system connects a scene.
    @preconcurrency @MainActor public final class ConnectionOptions: NSObject {
        /// What the user did with a notification that started the app.
        public let notificationResponse: UNNotificationResponse?
        /// The links that started it.
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

/// What the system keeps of a scene.
@preconcurrency @MainActor public final class UISceneSession: NSObject {}

/// A link that an app is to open.
@preconcurrency @MainActor public final class UIOpenURLContext: NSObject {
    /// The link.
    public let url: URL

    init(_ url: URL) {
        self.url = url
        super.init()
    }
}

/// Hears of a scene; all methods are optional in the real framework, and those an app has not are not called.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {
    /// The scene was connected.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    /// The user came to it.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The system took it away.
    func sceneDidDisconnect(_ scene: UIScene)
    /// A link is to be opened in it.
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

/// What only the system can do: connect scenes.
@MainActor public enum StandInScenes {
    /// Connects a scene, as after a launch, with the tap or the link that started the app.
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

    /// What a scene is connected with.
    public static func options(
        _ response: UNNotificationResponse?,
        url: URL? = nil
    ) -> UIScene.ConnectionOptions {
        UIScene.ConnectionOptions(response, Set(url.map { [UIOpenURLContext($0)] } ?? []))
    }
}
