import FRAuthenticator
import Foundation
import LocalAuthentication
import PingAMSimulator
import PushBridgeCore
import PushBridgeNotifications
import Security
import SwiftUI
import UIKit
import UserNotifications

#if SwiftUIAppStep1
@testable import SwiftUIAppStep1
#elseif SwiftUIAppStep2
@testable import SwiftUIAppStep2
@testable import SwiftUIAppService
#else
@testable import SwiftUIApp
@testable import SwiftUIAppService
#endif

// If a file imports `Testing` and `UIKit`, the compiler also loads an overlay for both. This platform lacks the
// overlay, so no file imports both modules.

/// A phone with the app, and a server in the same process.
///
/// This object simulates the system and the user.
@MainActor final class Device {
    let server: Simulator
    private(set) var app: AppDelegate
    private(set) var window: StandInWindow?

    init(settings: ServiceSettings = ServiceSettings()) async throws {
        StandInKeychain.reset()
        // The keychain groups in the app's entitlements, without the team's identifier.
        StandInKeychain.with { $0.groups = ["com.example.swiftui", "com.example.swiftui.shared"] }
        StandInKeys.reset()
        StandInOwner.reset()
        StandInGroups.reset()
        server = Simulator(settings: settings)
        app = Self.newProcess(server)
        let center = UNUserNotificationCenter.current()
        let shown = await center.deliveredNotifications().map(\.request.identifier)
        center.removeDeliveredNotifications(withIdentifiers: shown)
        launch()
    }

    var model: LoginModel { app.model }
    /// The visible screen.
    var page: StandInPage? { window?.page }

    // MARK: The life of the app

    /// Simulates the start of the app in a new process, without a window.
    func launch() {
        window = nil
        app = Self.newProcess(server)
        UIApplication.shared.delegate = app
        _ = app.application(.shared, didFinishLaunchingWithOptions: nil)
    }

    /// Connects the scene, with the tap that started the app, and activates its window.
    func connect(_ tap: Tap? = nil) {
        _ = StandInScenes.configure(app, response: tap?.response)
        window = StandInWindow(AuthenticatorApp())
        activate()
    }

    /// Activates the window, as the user does.
    func activate() {
        window?.enter(.inactive)
        window?.enter(.active)
    }

    /// Returns the app delegate of a new process.
    private static func newProcess(_ server: Simulator) -> AppDelegate {
        var configuration = Authenticator.Configuration.standard
        configuration.transport = server
        FRAClient.reset(configuration)
        #if SwiftUIApp
        return AppDelegate(Accounts(transport: server))
        #else
        return AppDelegate(Accounts())
        #endif
    }

    // MARK: Events of the system

    func register() {
        app.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2]))
    }

    func failToRegister(_ domain: String, _ code: Int) {
        let error = NSError(domain: domain, code: code)
        app.application(.shared, didFailToRegisterForRemoteNotificationsWithError: error)
    }

    func deliverInBackground(_ payload: JSONValue) async -> UInt {
        await app.application(.shared, didReceiveRemoteNotification: payload.userInfo).rawValue
    }

    func present(_ payload: JSONValue) async -> UInt {
        let notification = StandInDelivery.notification(payload.userInfo)
        return await app.userNotificationCenter(.current(), willPresent: notification).rawValue
    }

    /// Shows a push in Notification Center; the app is not called.
    func deliver(_ payload: JSONValue) {
        StandInDelivery.deliver(StandInDelivery.notification(payload.userInfo))
    }

    /// The user's response to a banner.
    struct Tap: @unchecked Sendable {
        let response: UNNotificationResponse
    }

    func tap(_ payload: JSONValue, _ action: String = PushActions.defaultAction) -> Tap {
        let notification = StandInDelivery.notification(payload.userInfo)
        return Tap(response: StandInDelivery.response(to: notification, action))
    }

    /// Passes a response to the delegate of the notification center.
    func respond(with tap: Tap) async {
        await app.userNotificationCenter(.current(), didReceive: tap.response)
    }

    var isDelegateOfCenter: Bool { UNUserNotificationCenter.current().delegate === app }
    var categories: [String] {
        UNUserNotificationCenter.current().notificationCategories.map(\.identifier).sorted()
    }
    var badge: Int { UNUserNotificationCenter.current().badgeCount }
    var asksForToken: Bool { UIApplication.shared.isRegisteredForRemoteNotifications }
}

#if !SwiftUIAppStep1
extension Device {
    /// Passes a push to the extension; calls `shown` with the title of the rewritten push.
    func rewrite(_ payload: JSONValue, _ shown: @escaping @Sendable (String) -> Void) {
        let service = NotificationService()
        service.didReceive(StandInDelivery.notification(payload.userInfo).request) { shown($0.title) }
    }
}
#endif

#if SwiftUIApp
extension Device {
    /// Enrols with the callback API on the legacy SDK's keychain items, as an app does before step 2.
    func enrolInPlace(_ code: URL) async throws {
        FRAClient.start()
        FRAPushHandler.shared.application(
            .shared,
            didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2])
        )
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            FRAClient.shared?.createMechanismFromUri(
                uri: code,
                onSuccess: { _ in waiting.resume() },
                onError: { waiting.resume(throwing: $0) }
            )
        }
    }
}
#endif

extension JSONValue {
    /// The payload as a dictionary of Foundation's types.
    var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}
