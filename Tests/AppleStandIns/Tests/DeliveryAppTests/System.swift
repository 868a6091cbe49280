import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import UIKit
import UserNotifications

@testable import DeliveryApp
@testable import DeliveryAppService

// If a file imports `Testing` and `UIKit`, the compiler also loads an overlay for both. This platform lacks the
// overlay, so no file imports both modules.

/// A phone with the app, and a server in the same process.
///
/// This object simulates the system and the user.
@MainActor final class System {
    let server: Simulator
    private(set) var app: AppDelegate
    private var scene = SceneDelegate()

    init(settings: ServiceSettings = ServiceSettings()) throws {
        StandInGroups.reset()
        server = Simulator(settings: settings)
        app = AppDelegate()
        set(categories: [])
        launch()
    }

    /// Simulates the start of the app in a new process, without a scene.
    func launch() {
        scene = SceneDelegate()
        app = AppDelegate()
        app.logins = Logins(transport: server)
        UIApplication.shared.delegate = app
        _ = app.application(.shared, didFinishLaunchingWithOptions: nil)
    }

    /// Connects a scene with the response or the link that started the app.
    func connect(_ response: Tap? = nil, url: String? = nil) {
        StandInScenes.connect(scene, response: response?.response, url: url.flatMap { URL(string: $0) })
    }

    func disconnect() { scene.sceneDidDisconnect(UIWindowScene()) }
    func becomeActive() { scene.sceneDidBecomeActive(UIWindowScene()) }

    // MARK: Events of the system

    func register() {
        app.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2]))
    }

    func failToRegister(_ domain: String, _ code: Int) {
        app.application(
            .shared,
            didFailToRegisterForRemoteNotificationsWithError: NSError(domain: domain, code: code)
        )
    }

    func deliverInBackground(_ payload: JSONValue) async -> UInt {
        await app.application(.shared, didReceiveRemoteNotification: payload.userInfo).rawValue
    }

    func present(_ payload: JSONValue) async -> UInt {
        let notification = StandInDelivery.notification(payload.userInfo)
        return await app.userNotificationCenter(.current(), willPresent: notification).rawValue
    }

    /// The user's response to a banner.
    struct Tap: @unchecked Sendable {
        let response: UNNotificationResponse
    }

    func tap(_ payload: JSONValue, _ actionId: String = PushActions.defaultAction, text: String? = nil) -> Tap
    {
        let notification = StandInDelivery.notification(payload.userInfo)
        return Tap(response: StandInDelivery.response(to: notification, actionId, text: text))
    }

    func respond(with tap: Tap) async {
        await app.userNotificationCenter(.current(), didReceive: tap.response)
    }

    /// Lets the extension rewrite a push and shows the result, as the system does.
    func show(_ payload: JSONValue) async throws -> (title: String, thread: String) {
        let request = StandInDelivery.notification(payload.userInfo).request
        let service = NotificationService()
        let shown = Awaited<Shown>()
        service.didReceive(request) { shown.provide(Shown(content: $0)) }
        let content = try await shown.value("the extension's content").content
        let new = UNNotificationRequest(identifier: request.identifier, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(new)
        return (content.title, content.threadIdentifier)
    }

    var shownBanners: [String] {
        get async {
            await UNUserNotificationCenter.current().deliveredNotifications().map(
                \.request.content.threadIdentifier
            )
        }
    }

    func removeBanners() async {
        let center = UNUserNotificationCenter.current()
        let ids = await center.deliveredNotifications().map(\.request.identifier)
        center.removeDeliveredNotifications(withIdentifiers: ids)
    }

    /// Waits until the center has run the handlers of all earlier calls.
    func finishHandlers() async {
        await withCheckedContinuation { continuation in
            UNUserNotificationCenter.current().getNotificationCategories { _ in continuation.resume() }
        }
    }

    /// Whether the app delegate is the delegate of the notification center.
    var isDelegateOfCenter: Bool { UNUserNotificationCenter.current().delegate === app }
    /// Sets the center's categories, as another SDK in the app may do.
    func set(categories: [String]) {
        let categories = categories.map {
            UNNotificationCategory(identifier: $0, actions: [], intentIdentifiers: [], options: [])
        }
        UNUserNotificationCenter.current().setNotificationCategories(Set(categories))
    }
    var categories: [String] {
        UNUserNotificationCenter.current().notificationCategories.map(\.identifier).sorted()
    }
    var badge: Int { UNUserNotificationCenter.current().badgeCount }
    var asksForToken: Bool { UIApplication.shared.isRegisteredForRemoteNotifications }

    // MARK: Screens and actions of the user

    private var screen: UIViewController? {
        (scene.window?.rootViewController as? UINavigationController)?.viewControllers.last
    }

    private var views: [UIView] { (screen?.view as? UIStackView)?.arrangedSubviews ?? [] }
    var lines: [String] { views.compactMap { ($0 as? UILabel)?.text } }
    var buttons: [String] { views.compactMap { ($0 as? UIButton)?.currentTitle } }

    func press(_ title: String) {
        let button = views.lazy.compactMap { $0 as? UIButton }.first { $0.currentTitle == title }
        button?.sendPrimaryAction()
    }
}

/// Content that does not change after it was shown, so it can be sent between threads.
private struct Shown: @unchecked Sendable {
    let content: UNNotificationContent
}

extension JSONValue {
    /// The payload as a dictionary of Foundation's types.
    var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}
