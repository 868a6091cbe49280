import PushBridgeNotifications
import UserNotifications

/// Verifies a push before the system shows it.
///
/// The system starts this extension only for pushes with `mutable-content`, which PingAM 7.3 and later versions send.
///
/// The system calls an extension on a background thread, so the class is not isolated to the main actor.
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
