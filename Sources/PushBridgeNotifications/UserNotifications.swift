#if canImport(UserNotifications)
public import Foundation
public import PushBridgeCore
public import UserNotifications

extension PushActions {
    /// The categories of pushes, which the app must set together with its own categories.
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

    /// Returns the categories of pushes together with other categories, for example those of the app or of
    /// another SDK.
    ///
    /// When an app sets categories, the new categories replace all categories of the notification center. So
    /// set all categories together.
    /// - Parameter others: The other categories. A category is left out if a category of pushes has the same
    ///   identifier.
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
    /// The options of the UserNotifications framework with the same meaning.
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
    /// The text that the user typed; `nil` if the action has no text input.
    public var typedText: String? { (self as? UNTextInputNotificationResponse)?.userText }

    /// The key of the response, which is the same each time that the system delivers the response.
    package var key: HandledResponses.Key {
        HandledResponses.Key(
            notification: notification.request.identifier,
            date: notification.date,
            action: actionIdentifier
        )
    }
}

extension PushContentService {
    /// A closure that loads a picture for a push, and then calls a handler once, with the picture's file or `nil`.
    ///
    /// The file's name must have the extension of the picture's type.
    public typealias PictureLoader = (UNNotificationContent, @escaping @Sendable (URL?) -> Void) -> Void

    /// Verifies and stores a push, and rewrites its content; see ``didReceive(_:_:)-([AnyHashable:Any],_)``.
    /// - Parameters:
    ///   - content: The content of the push.
    ///   - picture: Loads a picture to show with the text. It is called for logins that can be answered, and
    ///     for pushes that are not PingAM's. The push is shown after the picture has been loaded, or at
    ///     ``willExpire()`` at the latest.
    ///   - handler: The extension's content handler, which is called once.
    public func didReceive(
        _ content: UNNotificationContent,
        picture: PictureLoader? = nil,
        _ handler: @escaping (UNNotificationContent) -> Void
    ) {
        didReceive(content.userInfo) { [self] push in
            let shown = push.map(content.rewritten) ?? content
            // An unverified push in PingAM's format gets no picture, because it may contain the address of any picture.
            guard let picture, push == nil || push?.kind == .login else { return handler(shown) }
            picture(shown, once(orExpired: nil) { file in handler(shown.with(file)) })
        }
    }
}

extension UNNotificationContent {
    /// Returns the content with the texts for a push.
    ///
    /// The payload is kept, because the app processes it.
    fileprivate func rewritten(_ push: PushContent) -> UNNotificationContent {
        guard let content = mutableCopy() as? UNMutableNotificationContent else { return self }
        content.title = push.title
        content.subtitle = push.subtitle
        content.body = push.body
        content.threadIdentifier = push.threadId ?? ""
        // With an empty category, the notification shows no buttons.
        content.categoryIdentifier = push.category?.rawValue ?? ""
        if let badge = push.badge { content.badge = NSNumber(value: badge) }
        return content
    }

    /// Returns the content with a picture, or unchanged if there is no picture or the system rejects it.
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
