import Dispatch
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

#if canImport(UIKit)
package import PushBridgeNotifications
public import UIKit
#else
public import PushBridgeNotifications
#endif

#if canImport(UserNotifications)
public import UserNotifications
#endif

// The app's delegates call the methods below. If a push is not PingAM's, or if an action is the app's own, a method
// with a completion handler does nothing and returns `false`: the app has to call the completion handler. Otherwise
// the method calls it once, on the main queue, when the outcome is known. This happens after 25 seconds at the
// latest, because the system may terminate the app after 30 seconds.
extension FRAPushHandler {
    /// Verifies and stores a push that arrived in the background, and reports the result to the system.
    /// - Parameters:
    ///   - application: The application.
    ///   - userInfo: The payload.
    ///   - completionHandler: Called if the push is PingAM's.
    /// - Returns: Whether the push is PingAM's.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) -> Bool {
        backgroundResult(of: userInfo) { completionHandler($0.fetchResult) }
    }

    /// Verifies and stores a push that arrived in the background, and passes the result to a closure.
    ///
    /// Unlike ``application(_:didReceiveRemoteNotification:fetchCompletionHandler:)``, this method does not need
    /// the application object, which only the main thread may access.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - completion: Called if the push is PingAM's.
    /// - Returns: Whether the push is PingAM's.
    public func backgroundResult(
        of userInfo: [AnyHashable: Any],
        completion: @escaping (PushBackgroundResult) -> Void
    ) -> Bool {
        reacting(to: userInfo, or: .failed, completion) { authenticator, push, once in
            once(authenticator.arrival(of: push).backgroundResult)
        }
    }

    /// Verifies and stores a push that arrived in the foreground, and passes the presentation options to a closure.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - completion: Called if the push is PingAM's. It receives no presentation options if the push cannot
    ///     be answered.
    /// - Returns: Whether the push is PingAM's.
    public func presentation(
        of userInfo: [AnyHashable: Any],
        completion: @escaping (PushPresentation) -> Void
    ) -> Bool {
        reacting(to: userInfo, or: .list, completion) { authenticator, push, once in
            let presentation = authenticator.arrival(of: push).presentation(
                at: authenticator.configuration.now()
            )
            authenticator.measure(PushMilestone(presentation))
            once(presentation)
        }
    }

    /// Handles the user's response to a banner: stores the push and, if the response is an answer, sends the
    /// answer.
    ///
    /// If an answer is still being sent after 25 seconds, `completion` is called, and the outcome is stored later.
    /// - Parameters:
    ///   - actionId: The identifier of the action; see `PushAction.Kind`, `PushActions.defaultAction` and
    ///     `PushActions.dismissAction`.
    ///   - userInfo: The payload.
    ///   - text: The text that the user typed.
    ///   - completion: Called if the push is PingAM's and the action is not one of the app's own. The ids
    ///     that this closure receives are valid arguments of ``FRAClient/getNotification(identifier:)``.
    /// - Returns: Whether the push is PingAM's and the action is not one of the app's own.
    public func perform(
        _ actionId: String,
        userInfo: [AnyHashable: Any],
        text: String? = nil,
        completion: @escaping (PushReaction) -> Void
    ) -> Bool {
        guard PushActions.contains(actionId) else { return false }
        let late = PushDeadline.late(actionId)
        return reacting(to: userInfo, or: late, completion) { authenticator, push, once in
            authenticator.react(to: actionId, push, text: text, once)
        }
    }

    /// Verifies and stores delivered pushes that have not been processed yet.
    ///
    /// Pass the pushes that the system's method `getDeliveredNotifications` returns. The call blocks until
    /// the pushes are stored, and logs each push that cannot be stored.
    /// - Parameters:
    ///   - delivered: The payloads of the pushes. Payloads from other services are ignored.
    ///   - dates: The delivery date of each payload; it is used if the server did not send a date. If a date
    ///     is missing here, the current date is used.
    /// - Returns: The notifications that can still be answered, without duplicates.
    public func receive(delivered: [[AnyHashable: Any]], at dates: [Date] = []) -> [PushNotification] {
        authenticator.receive(delivered: delivered, at: dates)
    }

    /// The number for the badge of the app's icon: how many pushes can still be answered.
    ///
    /// If the storage fails, the error is logged and the number is 0.
    public var badge: Int {
        authenticator.loggingFailure("Counting pushes", default: 0) {
            try authenticator.read { try $0.badge(at: authenticator.configuration.now()) }
        }
    }

    /// Handles a response to a banner; a second call with the same response only waits for the outcome.
    package func perform(
        _ actionId: String,
        of response: HandledResponses.Key,
        userInfo: [AnyHashable: Any],
        text: String?,
        onReaction: ((PushReaction) -> Void)?,
        completion: @escaping () -> Void
    ) -> Bool {
        let authenticator = authenticator
        guard PushActions.contains(actionId), authenticator.incoming(userInfo) != nil else { return false }
        let ended = Once<PushReaction>(on: .main) { reaction in
            if reaction != .repeated { onReaction?(reaction) }
            completion()
        }
        let isFirst = authenticator.responses.take(response, isWanted: onReaction != nil) { ended($0) }
        guard isFirst else { return true }
        return perform(actionId, userInfo: userInfo, text: text) { reaction in
            authenticator.responses.end(response, reaction)
        }
    }

    private func reacting<Value: Sendable>(
        to userInfo: [AnyHashable: Any],
        or late: Value,
        _ completion: @escaping (Value) -> Void,
        _ body: @escaping @Sendable (Authenticator, IncomingPush, Once<Value>) -> Void
    ) -> Bool {
        let authenticator = authenticator
        guard let push = authenticator.incoming(userInfo) else { return false }
        let once = Once(on: .main, completion)
        once(late, after: PushDeadline.standard, on: authenticator.configuration.clock)
        DispatchQueue.global().async { body(authenticator, push, once) }
        return true
    }
}

#if canImport(UserNotifications)
extension FRAPushHandler {
    /// Verifies and stores a push that arrived in the foreground, and passes the presentation options to the system.
    /// - Parameters:
    ///   - center: The notification center.
    ///   - notification: The notification.
    ///   - completionHandler: Called if the push is PingAM's.
    /// - Returns: Whether the push is PingAM's.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) -> Bool {
        presentation(of: notification.request.content.userInfo) { completionHandler($0.options) }
    }

    /// Handles the user's response to a banner; see ``perform(_:userInfo:text:completion:)``.
    ///
    /// If the same response also arrives in the options of a scene, it is handled only once: see
    /// ``scene(_:willConnectTo:options:onReaction:)``.
    /// - Parameters:
    ///   - center: The notification center.
    ///   - response: The response.
    ///   - onReaction: Receives the outcome just before the completion handler is called. If the same response is
    ///     passed on several times, only the first `onReaction` receives the outcome.
    ///   - completionHandler: Called if the push is PingAM's and the action is not one of the app's own.
    /// - Returns: Whether the push is PingAM's and the action is not one of the app's own.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        onReaction: ((PushReaction) -> Void)? = nil,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) -> Bool {
        perform(response, onReaction: onReaction, completion: completionHandler)
    }

    private func perform(
        _ response: UNNotificationResponse,
        onReaction: ((PushReaction) -> Void)?,
        completion: @escaping () -> Void
    ) -> Bool {
        perform(
            response.actionIdentifier,
            of: response.key,
            userInfo: response.notification.request.content.userInfo,
            text: response.typedText,
            onReaction: onReaction,
            completion: completion
        )
    }
}

#if canImport(UIKit)
extension FRAPushHandler {
    /// Handles the tap that started the app, as
    /// ``userNotificationCenter(_:didReceive:onReaction:withCompletionHandler:)`` does.
    ///
    /// This method is for apps with scenes. From iOS 27 on, the system passes this tap in the options of the
    /// first scene. The system also passes the tap to the delegate of the notification center, if the
    /// delegate was set before the launch ended. Pass the tap on from both places, in any order: the push is
    /// stored and answered once, and only one `onReaction` is called.
    /// - Parameters:
    ///   - scene: Not used.
    ///   - session: Not used.
    ///   - connectionOptions: The options of the scene's connection.
    ///   - onReaction: Receives the outcome of the tap on the main queue.
    /// - Returns: Whether a tap on a push from PingAM started the app.
    @MainActor @discardableResult
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions,
        onReaction: @escaping (PushReaction) -> Void
    ) -> Bool {
        guard let response = connectionOptions.notificationResponse else { return false }
        return perform(response, onReaction: onReaction) {}
    }
}
#endif
#endif
