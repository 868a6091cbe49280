import CallKit
import FRAuthenticator
import Foundation
import PingPush
import PushBridgeNotifications
import UIKit
import UserNotifications

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app delegate of an app that uses the legacy API; it is also the delegate of the notification center.
///
/// The delegate passes the system's callbacks to PushBridge, and handles pushes from other senders itself.
@MainActor final class LegacyApp: UIResponder, UIApplicationDelegate {
    nonisolated let reactions = Recorder<PushReaction>()
    nonisolated let foreign = Recorder<String>()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.getNotificationCategories { @Sendable others in
            let categories = PushActions().categories(adding: others)
            UNUserNotificationCenter.current().setNotificationCategories(categories)
        }
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
            onReaction: { reactions.record($0) },
            withCompletionHandler: completionHandler
        )
        guard !isOurs else { return }
        foreign.record(response.actionIdentifier)
        completionHandler()
    }
}

/// The scene delegate of an app that uses the legacy API.
@MainActor final class LegacyScene: UIResponder, UIWindowSceneDelegate {
    var onReaction: (PushReaction) -> Void = { _ in }

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        // Create the window before this call.
        FRAPushHandler.shared.scene(
            scene,
            willConnectTo: session,
            options: connectionOptions,
            onReaction: onReaction
        )
    }
}

/// An app that uses the async API.
final class AsyncApp: NSObject, Sendable {
    let client: PushClient

    init(_ client: PushClient) { self.client = client }

    func willPresent(_ notification: UNNotification) async -> UNNotificationPresentationOptions {
        await client.presentation(of: notification.request.content.userInfo)?.options ?? .banner
    }

    func didReceive(_ response: UNNotificationResponse) async -> PushReaction {
        await client.perform(response)
    }

    @MainActor func willConnect(_ connectionOptions: UIScene.ConnectionOptions) async -> PushReaction? {
        guard let response = connectionOptions.notificationResponse else { return nil }
        return await client.perform(response)
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

/// The store that an app and its extension share, whichever API the app uses.
nonisolated enum SharedStore {
    static func open(_ mode: SQLiteStoreMode) throws -> SQLiteCredentialStore {
        let files = FileManager.default
        guard let group = files.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.app")
        else { throw CocoaError(.fileNoSuchFile) }
        let path = group.appendingPathComponent("credentials.db").path
        let key = KeychainSealingKey(service: "Example", accessGroup: "group.one")
        return try SQLiteCredentialStore(path: path, key: key, mode: mode)
    }
}

nonisolated final class NotificationService: UNNotificationServiceExtension {
    private let service = PushContentService { try SharedStore.open(.open) }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        service.didReceive(request.content, contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { service.willExpire() }
}

/// Collects values from any thread.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    // Every access to `recorded` happens while `lock` is held.
    private var recorded: [Value] = []
    private let lock = NSLock()

    var values: [Value] { lock.withLock { recorded } }
    func record(_ value: Value) { lock.withLock { recorded.append(value) } }
}

/// The remaining examples of the page "Delivering pushes".
struct PageExamples {
    func setCategories(of center: UNUserNotificationCenter) {
        let titles = PushActions.Titles(approve: "Zulassen")
        center.getNotificationCategories { @Sendable others in
            let categories = PushActions(titles: titles).categories(adding: others)
            UNUserNotificationCenter.current().setNotificationCategories(categories)
        }
    }

    func textsOfTheBank() -> PushTexts {
        var texts = PushTexts()
        texts.postponed = PushTexts.Text(title: "Example Bank", body: "Unlock the phone to see the message.")
        return texts
    }

    func origin(of push: FRAuthenticator.PushNotification) -> String {
        let context = push.context
        let place = context.location.map { "near \($0.latitude), \($0.longitude)" }
        return [context.remoteAddress, place].compactMap { $0 }.joined(separator: " ")
    }
}

/// Reports an app's incoming calls to the system; the app creates this object at launch and retains it.
final class Calls: Sendable {
    let provider = CXProvider(configuration: CXProviderConfiguration())
    let registry: PushRegistryAdapter

    init(onToken: @escaping @Sendable (String?) -> Void) {
        let provider = provider
        registry = PushRegistryAdapter(channels: [.voIP], environment: .production) { _, token in
            onToken(token)
        } onPush: { _, payload, completion in
            // Report a call for every push, even an unreadable one, before returning; else the system ends the app.
            let update = CXCallUpdate()
            let caller = payload["caller"] as? String ?? "Unknown"
            update.remoteHandle = CXHandle(type: .generic, value: caller)
            provider.reportNewIncomingCall(with: UUID(), update: update) { _ in }
            completion()
        }
    }
}

/// An extension that verifies logins, and shows a picture beside the app's other pushes.
final class PictureService: UNNotificationServiceExtension {
    private let service = PushContentService { try SharedStore.open(.open) }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        service.didReceive(request.content, picture: Self.load, contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { service.willExpire() }

    private static func load(for content: UNNotificationContent, _ done: @escaping @Sendable (URL?) -> Void) {
        guard let address = content.userInfo["picture"] as? String, let url = URL(string: address) else {
            return done(nil)
        }
        let download = URLSession.shared.downloadTask(with: url) { file, _, _ in
            // The system deletes the downloaded file afterwards. The file name tells the system the type of the picture.
            let name = "\(UUID().uuidString).\(url.pathExtension)"
            let picture = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            do {
                try file.map { try FileManager.default.moveItem(at: $0, to: picture) }
                done(file == nil ? nil : picture)
            } catch {
                done(nil)
            }
        }
        download.resume()
    }
}
