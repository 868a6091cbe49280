import Foundation
import PushBridgeNotifications
import UIKit
import UserNotifications

/// Receives the system's callbacks about pushes and passes them to the model.
///
/// SwiftUI has no modifiers for callbacks about pushes.
final class AppDelegate: NSObject, UIApplicationDelegate {
    let model: LoginModel

    override convenience init() { self.init(Accounts()) }

    init(_ service: Accounts) {
        model = LoginModel(service)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        // The delegate must be set before the app finishes launching. Otherwise, the delegate does not receive the tap
        // that started the app.
        center.delegate = self
        center.setNotificationCategories(PushActions().categories)
        // The registration requires no permission from the user. It is repeated at each launch, because the
        // token may change.
        application.registerForRemoteNotifications()
        return true
    }

    /// Handles the tap that started the app.
    ///
    /// This method handles the tap because SwiftUI may not call the app's own
    /// `scene(_:willConnectTo:options:)`. The delegate of the notification center also receives the tap,
    /// before or after this call. The push is stored, answered and shown only once.
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        if let response = options.notificationResponse {
            Task { await model.handle(response) }
        }
        return UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        Task { await model.register(deviceToken) }
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        model.didFailToRegister(error)
    }

    /// Stores a push that arrived in the background.
    ///
    /// PingAM also marks visible pushes as silent, so the system may start the app before the user sees the push.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await model.backgroundResult(of: userInfo)
    }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await model.presentation(of: notification)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        await model.handle(response)
    }
}
