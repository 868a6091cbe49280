import Foundation
import UIKit
import UserNotifications

/// The app delegate of an app that handles pushes without PushBridge, as in the guides for iOS.
@MainActor final class ShopDelegate: UIResponder, UIApplicationDelegate {
    private(set) var token: String?
    private(set) var opened: [AnyHashable: Any]?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories(ShopCategories.all)
        askForPermission()
        if let payload = launchOptions?[.remoteNotification] as? [String: Any] { opened = payload }
        return true
    }

    private func askForPermission() {
        let center = UNUserNotificationCenter.current()
        center.getNotificationSettings { settings in
            switch settings.authorizationStatus {
            case .authorized, .provisional, .ephemeral: return
            case .denied, .notDetermined: break
            @unknown default: break
            }
        }
        center.requestAuthorization(options: [.alert, .sound, .badge, .provisional]) { granted, error in
            guard granted, error == nil else { return }
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        token = deviceToken.map { String(format: "%02.2hhx", $0) }.joined()
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        let error = error as NSError
        token = error.code == 3000 || error.code == 3010 ? nil : token
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let aps = userInfo["aps"] as? [String: Any], aps["content-available"] as? Int == 1 else {
            return completionHandler(.noData)
        }
        completionHandler(userInfo["job"] == nil ? .noData : .newData)
    }
}

extension ShopDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let isOpen = notification.request.content.userInfo["chat"] != nil
        completionHandler(isOpen ? [] : [.banner, .sound, .badge])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        defer { completionHandler() }
        let userInfo = response.notification.request.content.userInfo
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: opened = userInfo
        case UNNotificationDismissActionIdentifier: opened = nil
        case "later": remind(of: userInfo)
        default:
            guard let typed = (response as? UNTextInputNotificationResponse)?.userText else { return }
            opened = ["reply": typed]
        }
    }

    private func remind(of userInfo: [AnyHashable: Any]) {
        let content = UNMutableNotificationContent()
        content.title = userInfo["title"] as? String ?? "Reminder"
        content.sound = .default
        content.userInfo = userInfo
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 900, repeats: false)
        let id = UUID().uuidString
        let request = UNNotificationRequest(identifier: id, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request)
    }
}

/// The categories of this app's notifications, with their buttons.
enum ShopCategories {
    static var all: Set<UNNotificationCategory> {
        let reply = UNTextInputNotificationAction(
            identifier: "reply",
            title: "Reply",
            options: [],
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Your answer"
        )
        let later = UNNotificationAction(identifier: "later", title: "Later", options: [])
        let cancel = UNNotificationAction(
            identifier: "cancel",
            title: "Cancel order",
            options: [.destructive, .authenticationRequired]
        )
        let view = UNNotificationAction(identifier: "view", title: "Show", options: [.foreground])
        return [
            UNNotificationCategory(
                identifier: "message",
                actions: [reply, later],
                intentIdentifiers: [],
                options: [.customDismissAction]
            ),
            UNNotificationCategory(identifier: "order", actions: [view, cancel], intentIdentifiers: []),
        ]
    }
}
