import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import UIKit
import UserNotifications

// `Testing` expects an overlay of its own beside the real UIKit, so no file imports both.

/// What the system does to an app of the legacy API, on the main thread, until its completion handler was called.
@MainActor final class LegacySystem {
    let app = LegacyApp()

    func launch(with payload: JSONValue? = nil) {
        let options = payload.map { [UIApplication.LaunchOptionsKey.remoteNotification: $0.userInfo as Any] }
        _ = app.application(.shared, didFinishLaunchingWithOptions: options)
    }

    func register(_ token: Data) {
        app.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    func deliverInBackground(_ push: JSONValue) async throws -> UInt {
        try await waitForCall("the result of the background") { done in
            app.application(.shared, didReceiveRemoteNotification: push.userInfo) { done($0.rawValue) }
        }
    }

    /// The same without waiting; `told` is called when the completion handler is.
    func background(_ push: JSONValue, _ told: @escaping @Sendable () -> Void) {
        app.application(.shared, didReceiveRemoteNotification: push.userInfo) { _ in told() }
    }

    func foreground(_ push: JSONValue, _ told: @escaping @Sendable () -> Void) {
        let notification = StandInDelivery.notification(push.userInfo)
        app.userNotificationCenter(.current(), willPresent: notification) { _ in told() }
    }

    func present(_ push: JSONValue) async throws -> UNNotificationPresentationOptions {
        let notification = StandInDelivery.notification(push.userInfo)
        let options = try await waitForCall("the presentation") { done in
            app.userNotificationCenter(.current(), willPresent: notification) { done($0.rawValue) }
        }
        return UNNotificationPresentationOptions(rawValue: options)
    }

    func tap(_ actionId: String, on push: JSONValue, text: String? = nil) async throws -> PushReaction? {
        let notification = StandInDelivery.notification(push.userInfo)
        let response = StandInDelivery.response(to: notification, actionId, text: text)
        try await waitForCall("the response to be handled") { done in
            app.userNotificationCenter(.current(), didReceive: response) { done(()) }
        }
        return app.reactions.values.last
    }
}

/// A response of the user to a notification.
struct Response: @unchecked Sendable {
    let value: UNNotificationResponse

    /// The options of the scene that is connected after it.
    @MainActor var options: UIScene.ConnectionOptions { StandInScenes.options(value) }
}

extension LegacySystem {
    /// Tells the delegate of the notification center; `told` is called when its completion handler is.
    func tell(_ response: Response, _ told: @escaping @Sendable () -> Void) {
        app.userNotificationCenter(.current(), didReceive: response.value) { told() }
    }

    /// Connects a scene, of which no completion handler tells; `reacted` hears what came of the response.
    func connect(_ response: Response?, _ reacted: @escaping @Sendable (PushReaction) -> Void) {
        let scene = LegacyScene()
        scene.onReaction = { reacted($0) }
        StandInScenes.connect(scene, response: response?.value)
    }
}

extension AsyncApp {
    @MainActor func connect(_ response: Response) async -> PushReaction? {
        await willConnect(response.options)
    }

    func deliverInBackground(_ push: JSONValue) async -> UInt {
        await didReceiveRemoteNotification(push.userInfo).rawValue
    }
}

extension JSONValue {
    /// The payload as the platform hands it out.
    var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}

extension SharedStore {
    static func remove() throws {
        let files = FileManager.default
        guard let group = files.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.app")
        else { return }
        try files.removeItem(at: group)
    }
}
