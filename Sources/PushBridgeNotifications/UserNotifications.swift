#if canImport(UserNotifications)
public import Foundation
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

    /// Returns the categories of pushes together with others, such as the app's own and those of another SDK.
    ///
    /// The notification center replaces all its categories whenever some are set, so set them all at once.
    /// - Parameter others: The other categories; one with the identifier of a category of pushes is left out.
    /// - Returns: All categories.
    public func categories(adding others: Set<UNNotificationCategory>) -> Set<UNNotificationCategory> {
        let own = categories
        let names = Set(own.map(\.identifier))
        return own.union(others.filter { !names.contains($0.identifier) })
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
    /// Loads a picture for what is shown of a push, and tells once where it lies, under a name that tells its type.
    public typealias PictureLoader = (UNNotificationContent, @escaping @Sendable (URL?) -> Void) -> Void

    /// Verifies and stores a push, and rewrites what is shown of it; see ``didReceive(_:_:)-([AnyHashable:Any],_)``.
    /// - Parameters:
    ///   - content: What the push brought.
    ///   - picture: Loads a picture to show beside the text; asked for logins that can be answered and for pushes that are
    ///     not ours. Until it tells, the push is not shown, at the latest until ``willExpire()``.
    ///   - handler: The extension's content handler; called once.
    public func didReceive(
        _ content: UNNotificationContent,
        picture: PictureLoader? = nil,
        _ handler: @escaping (UNNotificationContent) -> Void
    ) {
        didReceive(content.userInfo) { [self] push in
            let shown = push.map(content.rewritten) ?? content
            // Of a push that is not verified nothing is loaded: it may name anything.
            guard let picture, push == nil || push?.kind == .login else { return handler(shown) }
            picture(shown, once(orExpired: nil) { file in handler(shown.with(file)) })
        }
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

    /// The content with a picture, or as it is if the system does not take that.
    fileprivate func with(_ picture: URL?) -> UNNotificationContent {
        guard let picture, let content = mutableCopy() as? UNMutableNotificationContent else { return self }
        do {
            content.attachments = [try UNNotificationAttachment(identifier: "", url: picture, options: nil)]
            return content
        } catch {
            return self
        }
    }
}
#endif
