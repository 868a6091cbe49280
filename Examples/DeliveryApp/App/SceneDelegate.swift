import Foundation
import UIKit

/// The delegate of the app's only scene.
///
/// If a tap on a banner started the app, the options of the scene's connection contain the response.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    private var app: AppDelegate? { UIApplication.shared.delegate as? AppDelegate }

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene, let app else { return }
        let navigation = UINavigationController()
        let window = UIWindow(windowScene: scene)
        window.rootViewController = navigation
        window.makeKeyAndVisible()
        self.window = window
        app.router.connect(navigation, to: app)
        if let response = connectionOptions.notificationResponse {
            Task { await app.handle(response) }
        }
        open(connectionOptions.urlContexts)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { open(contexts) }

    func sceneDidBecomeActive(_ scene: UIScene) {
        guard let app else { return }
        Task { await app.catchUp() }
    }

    func sceneDidDisconnect(_ scene: UIScene) { app?.router.disconnect() }

    /// Asks the user whether to add the account of a registration URI that arrived as a link.
    ///
    /// Anybody can create such a link, so the user must confirm the enrolment.
    private func open(_ contexts: Set<UIOpenURLContext>) {
        guard let url = contexts.first?.url else { return }
        app?.router.show(.enrolment(url.absoluteString))
    }
}
