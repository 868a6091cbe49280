#if canImport(UserNotifications)
import Foundation
public import PushBridgeCore
public import UserNotifications

extension PushActions {
    /// The categories to set at the notification center, beside the app's own.
    public var categories: Set<UNNotificationCategory> {
        Set(
            PushCategory.allCases.map { category in
                UNNotificationCategory(
                    identifier: category.rawValue,
                    actions: actions(of: category).map(notificationAction),
                    intentIdentifiers: [],
                    options: .customDismissAction
                )
            }
        )
    }

    private func notificationAction(_ action: PushAction) -> UNNotificationAction {
        var options: UNNotificationActionOptions = []
        if action.requiresUnlock { options.insert(.authenticationRequired) }
        if action.isDestructive { options.insert(.destructive) }
        if action.opensApp { options.insert(.foreground) }
        guard action.takesText else {
            return UNNotificationAction(identifier: action.id, title: action.title, options: options)
        }
        return UNTextInputNotificationAction(
            identifier: action.id,
            title: action.title,
            options: options,
            textInputButtonTitle: titles.send,
            textInputPlaceholder: titles.placeholder
        )
    }
}

extension PushPresentation {
    /// The same as the notification center takes it.
    public var options: UNNotificationPresentationOptions {
        var options: UNNotificationPresentationOptions = []
        if contains(.banner) { options.insert(.banner) }
        if contains(.list) { options.insert(.list) }
        if contains(.sound) { options.insert(.sound) }
        if contains(.badge) { options.insert(.badge) }
        return options
    }
}

extension UNNotificationResponse {
    /// What the user typed; `nil` if the action takes no text.
    public var typedText: String? { (self as? UNTextInputNotificationResponse)?.userText }

    /// Names the response, by whatever way it comes.
    package var key: HandledResponses.Key {
        HandledResponses.Key(
            notification: notification.request.identifier,
            date: notification.date,
            action: actionIdentifier
        )
    }
}

extension PushContentService {
    /// Verifies and stores a push, and rewrites what is shown of it; see ``didReceive(_:_:)-([AnyHashable:Any],_)``.
    /// - Parameters:
    ///   - content: What the push brought.
    ///   - handler: The extension's content handler; called once.
    public func didReceive(
        _ content: UNNotificationContent,
        _ handler: @escaping (UNNotificationContent) -> Void
    ) {
        didReceive(content.userInfo) { rewritten in handler(rewritten.map(content.rewritten) ?? content) }
    }
}

extension UNNotificationContent {
    /// The content with what a verified push says; the payload stays, for the app to process.
    fileprivate func rewritten(_ push: PushContent) -> UNNotificationContent {
        guard let content = mutableCopy() as? UNMutableNotificationContent else { return self }
        content.title = push.title
        content.subtitle = push.subtitle
        content.body = push.body
        content.threadIdentifier = push.threadId ?? ""
        // Without a category there are no buttons.
        content.categoryIdentifier = push.category?.rawValue ?? ""
        if let badge = push.badge { content.badge = NSNumber(value: badge) }
        return content
    }
}
#endif
