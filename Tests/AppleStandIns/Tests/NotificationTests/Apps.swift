import FRAuthenticator
import Foundation
import PingPush
import PushBridgeNotifications
import UIKit
import UserNotifications

/// An app on the legacy API: its delegates hand over what they are told, and keep what is not ours.
@MainActor final class LegacyApp: UIResponder, UIApplicationDelegate {
    nonisolated let reactions = Heard<PushReaction>()
    nonisolated let foreign = Heard<String>()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().setNotificationCategories(PushActions().categories)
        if let payload = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            _ = FRAPushHandler.shared.application(application, didReceiveRemoteNotification: payload)
        }
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        FRAPushHandler.shared.application(
            application,
            didRegisterForRemoteNotificationsWithDeviceToken: deviceToken
        )
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        FRAPushHandler.shared.application(
            application,
            didFailToRegisterForRemoteNotificationsWithError: error
        )
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let isOurs = FRAPushHandler.shared.application(
            application,
            didReceiveRemoteNotification: userInfo,
            fetchCompletionHandler: completionHandler
        )
        if !isOurs { completionHandler(.noData) }
    }
}

extension LegacyApp: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let isOurs = FRAPushHandler.shared.userNotificationCenter(
            center,
            willPresent: notification,
            withCompletionHandler: completionHandler
        )
        if !isOurs { completionHandler(.banner) }
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let reactions = reactions
        let isOurs = FRAPushHandler.shared.userNotificationCenter(
            center,
            didReceive: response,
            onReaction: { reactions.hear($0) },
            withCompletionHandler: completionHandler
        )
        guard !isOurs else { return }
        foreign.hear(response.actionIdentifier)
        completionHandler()
    }
}

/// An app on the async API.
final class AsyncApp: NSObject, Sendable {
    let client: PushClient

    init(_ client: PushClient) { self.client = client }

    func willPresent(_ notification: UNNotification) async -> UNNotificationPresentationOptions {
        await client.presentation(of: notification.request.content.userInfo)?.options ?? .banner
    }

    func didReceive(_ response: UNNotificationResponse) async -> PushReaction {
        await client.perform(response)
    }

    func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) async -> UIBackgroundFetchResult {
        await client.backgroundResult(of: userInfo)?.fetchResult ?? .noData
    }

    func didBecomeActive() async -> Int {
        let delivered = await UNUserNotificationCenter.current().deliveredNotifications()
        return await client.receive(
            delivered: delivered.map(\.request.content.userInfo),
            at: delivered.map(\.date)
        ).count
    }
}

/// The store of either app and its extension.
enum SharedStore {
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        let files = FileManager.default
        guard let group = files.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.app")
        else { throw CocoaError(.fileNoSuchFile) }
        let path = group.appendingPathComponent("credentials.db").path
        let key = KeychainSealingKey(service: "Example", accessGroup: "group.one")
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }
}

final class NotificationService: UNNotificationServiceExtension {
    private let service = PushContentService { try SharedStore.open(.open) }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        service.didReceive(request.content, contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { service.willExpire() }
}

/// What was heard, from any thread.
final class Heard<Value: Sendable>: @unchecked Sendable {
    // Every access to `heard` happens while `lock` is held.
    private var heard: [Value] = []
    private let lock = NSLock()

    var values: [Value] { lock.withLock { heard } }
    func hear(_ value: Value) { lock.withLock { heard.append(value) } }
}

/// What else the page about delivery shows.
struct PageExamples {
    func setCategories(of center: UNUserNotificationCenter) {
        let titles = PushActions.Titles(approve: "Zulassen", deny: "Ablehnen", enterNumber: "Zahl eingeben")
        center.setNotificationCategories(PushActions(titles: titles).categories)
    }

    func registerForCalls() -> PushRegistryAdapter {
        PushRegistryAdapter(channels: [.voIP], environment: .production) { channel, token in
            print("\(channel) has \(token == nil ? "no" : "a") token.")
        } onPush: { _, payload, completion in
            // Report the call to CallKit before this returns.
            completion()
        }
    }
}
