// These types replace the UIKit and UserNotifications types in the guide's snippets on platforms that lack these
// modules.
#if !canImport(UIKit)
import Foundation

final class UIApplication: Sendable {}

final class UNUserNotificationCenter: Sendable {}

final class UNNotificationContent {
    let userInfo: [AnyHashable: Any]

    init(userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }
}

final class UNNotificationRequest {
    let content: UNNotificationContent

    init(content: UNNotificationContent) { self.content = content }
}

final class UNNotification {
    let request: UNNotificationRequest

    init(request: UNNotificationRequest) { self.request = request }
}

final class UNNotificationResponse {
    let notification: UNNotification

    init(userInfo: [AnyHashable: Any]) {
        let content = UNNotificationContent(userInfo: userInfo)
        notification = UNNotification(request: UNNotificationRequest(content: content))
    }
}
#endif
