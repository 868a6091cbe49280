import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import UIKit
import UserNotifications

// If a file imports `Testing` and `UIKit`, the compiler also loads an overlay for both. This platform lacks the
// overlay, so no file imports both modules.

/// Simulates the system for an app that uses the legacy API.
///
/// The simulation runs on the main thread. Its async methods wait for the app's completion handlers.
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
        try await waitForCall("the result of the background push") { done in
            app.application(.shared, didReceiveRemoteNotification: push.userInfo) { done($0.rawValue) }
        }
    }

    /// Delivers a push in the background, without waiting.
    ///
    /// Calls `completed` when the app calls its completion handler.
    func background(_ push: JSONValue, _ completed: @escaping @Sendable () -> Void) {
        app.application(.shared, didReceiveRemoteNotification: push.userInfo) { _ in completed() }
    }

    func foreground(_ push: JSONValue, _ completed: @escaping @Sendable () -> Void) {
        let notification = StandInDelivery.notification(push.userInfo)
        app.userNotificationCenter(.current(), willPresent: notification) { _ in completed() }
    }

    func present(_ push: JSONValue) async throws -> UNNotificationPresentationOptions {
        let notification = StandInDelivery.notification(push.userInfo)
        let options = try await waitForCall("the presentation options") { done in
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

/// The user's response to a notification.
struct Response: @unchecked Sendable {
    let value: UNNotificationResponse

    /// The options of the scene that the system connects after the response.
    @MainActor var options: UIScene.ConnectionOptions { StandInScenes.options(value) }
}

extension LegacySystem {
    /// Passes a response to the delegate of the notification center.
    ///
    /// Calls `completed` when the app calls its completion handler.
    func respond(with response: Response, _ completed: @escaping @Sendable () -> Void) {
        app.userNotificationCenter(.current(), didReceive: response.value) { completed() }
    }

    /// Connects a scene; this event has no completion handler.
    ///
    /// Calls `reacted` with the reaction to the response.
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
    /// The payload as a dictionary of Foundation's types.
    var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}

extension SharedStore {
    /// Simulates a new device, on which the app group's folder is empty.
    static func reset() { StandInGroups.reset() }
}
