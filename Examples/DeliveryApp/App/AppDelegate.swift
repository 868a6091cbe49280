import Foundation
import PingPush
import UIKit
import UserNotifications

/// Receives all push callbacks of the system, and passes them on to ``Logins``.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    lazy var logins = Logins()
    lazy var router = Router()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        // The delegate must be set before the app finishes launching. Otherwise, the delegate misses the tap (on a
        // banner or one of its buttons) that started the app.
        center.delegate = self
        // `setNotificationCategories` replaces all categories, so the existing categories are passed again.
        center.getNotificationCategories { @Sendable others in
            let categories = PushActions().categories(adding: others)
            UNUserNotificationCenter.current().setNotificationCategories(categories)
        }
        // The registration requires no permission from the user. It is repeated at each launch, because the
        // token may change.
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        Task { await router.report { try await logins.register(deviceToken) } }
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        Task { await router.report { try await logins.didFailToRegister(error) } }
    }

    /// Stores a push that arrived in the background.
    ///
    /// PingAM also marks visible pushes as silent, so the system may start the app before the user sees the push.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        do {
            return try await logins.client().backgroundResult(of: userInfo)?.fetchResult ?? .noData
        } catch {
            return .failed
        }
    }
}

extension AppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        do {
            let userInfo = notification.request.content.userInfo
            // For pushes from other senders, the app decides what the system shows.
            return try await logins.client().presentation(of: userInfo)?.options ?? [.banner, .list]
        } catch {
            return .list
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        await handle(response)
    }
}

extension AppDelegate {
    /// Handles the user's response to a banner, and shows the push that the user opened, or the reason for a failure.
    ///
    /// If the scene also receives the response, the response is handled only once.
    func handle(_ response: UNNotificationResponse) async {
        await router.report {
            switch try await logins.client().perform(response) {
            case .open(let id): router.show(.login(id))
            case .failed(_, let reason): router.show(.message(reason))
            case .answered, .dismissed, .repeated: break
            case .foreign: break  // Handle pushes from other senders here.
            }
        }
    }

    /// Processes the pushes in the notification center, sets the icon's badge, and retries pending removals.
    func catchUp() async {
        let center = UNUserNotificationCenter.current()
        await router.report {
            let client = try await logins.client()
            let delivered = await center.deliveredNotifications()
            _ = await client.receive(
                delivered: delivered.map(\.request.content.userInfo),
                at: delivered.map(\.date)
            )
            try await center.setBadgeCount(client.badge())
            try await logins.retryRemovals()
        }
    }

    /// Logs an account out and removes its banners.
    ///
    /// A banner's thread identifier, which the extension sets, is the id of the credential that received the push.
    func logOut(_ account: PushCredential) async {
        await router.report {
            guard case .removed = try await logins.logOut(account) else {
                let message = "The account could not be removed yet. The app will try again later."
                return router.show(.message(message))
            }
            let center = UNUserNotificationCenter.current()
            let banners = await center.deliveredNotifications().map(\.request)
                .filter { $0.content.threadIdentifier == account.id }
            center.removeDeliveredNotifications(withIdentifiers: banners.map(\.identifier))
            try await center.setBadgeCount(logins.client().badge())
            router.show(.accounts)
        }
    }
}
