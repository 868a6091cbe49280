import Foundation
import PushKit
import UserNotifications

/// An extension that shows a picture beside the text, as in the guides for iOS.
final class PictureService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttempt = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttempt else { return contentHandler(request.content) }
        content.title = "\(content.title) from a friend"
        if let path = content.userInfo["picture"] as? String {
            let file = URL(fileURLWithPath: path)
            if let picture = try? UNNotificationAttachment(identifier: "picture", url: file, options: nil) {
                content.attachments = [picture]
            }
        }
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
    }
}

/// The delegate of an app that registers for calls, as in the guides for PushKit.
final class CallDelegate: NSObject, PKPushRegistryDelegate {
    private var registry: PKPushRegistry?
    private(set) var token: Data?

    func registerForCalls() {
        let registry = PKPushRegistry(queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        self.registry = registry
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        if type == .voIP { token = pushCredentials.token }
    }
}
