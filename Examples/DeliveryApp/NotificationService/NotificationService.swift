import PushBridgeNotifications
import UserNotifications

/// Verifies a push before the system shows it.
///
/// The verification requires a server with PingAM 7.3 or later. Such a server marks pushes as
/// `mutable-content`.
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
