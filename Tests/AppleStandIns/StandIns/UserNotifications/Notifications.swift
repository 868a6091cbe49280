public import Foundation

/// Determines when a notification is shown.
open class UNNotificationTrigger: NSObject {}

/// A trigger that shows a notification after a time.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// The time in seconds.
    public let timeInterval: TimeInterval

    /// Creates a trigger from a positive time in seconds; the stand-in ignores `repeats`.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0, "The system raises an exception if the interval is not positive.")
        self.timeInterval = timeInterval
    }
}

/// A request to show a notification.
public final class UNNotificationRequest: NSObject {
    /// The identifier of the notification.
    public let identifier: String
    /// The notification's content.
    public let content: UNNotificationContent
    /// Determines when the notification is shown; `nil` means immediately.
    public let trigger: UNNotificationTrigger?

    /// Makes a request.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// A notification that was delivered.
public final class UNNotification: NSObject {
    /// The date when the notification was delivered.
    public let date: Date
    /// The request that led to the notification.
    public let request: UNNotificationRequest

    init(_ request: UNNotificationRequest, date: Date) {
        self.request = request
        self.date = date
    }
}

/// The user's response to a notification.
public class UNNotificationResponse: NSObject {
    /// The notification.
    public let notification: UNNotification
    /// The identifier of the action.
    public let actionIdentifier: String

    init(_ notification: UNNotification, _ actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

/// The user's response to a notification, with the text that the user typed.
public final class UNTextInputNotificationResponse: UNNotificationResponse {
    /// The text.
    public let userText: String

    init(_ notification: UNNotification, _ actionIdentifier: String, _ userText: String) {
        self.userText = userText
        super.init(notification, actionIdentifier)
    }
}

/// The action identifier of a response in which the user tapped the notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action identifier of a response in which the user dismissed the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// The appearance and the requirements of an action.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: UInt
    /// Creates options from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The device must be unlocked.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// The action cannot be undone.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// The app opens.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

/// A button of a notification.
public class UNNotificationAction: NSObject {
    /// The identifier.
    public let identifier: String
    /// The title.
    public let title: String
    /// The appearance and the requirements of the action.
    public let options: UNNotificationActionOptions

    /// Makes a button.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }
}

/// A button that asks for text.
public final class UNTextInputNotificationAction: UNNotificationAction {
    /// The title of the button that sends the text.
    public let textInputButtonTitle: String
    /// The placeholder of the text field.
    public let textInputPlaceholder: String

    /// Makes a button.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options)
    }
}

/// The behaviour of the notifications of a category.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: UInt
    /// Creates options from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The system reports dismissed notifications to the app.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
}

/// A category of notifications, which determines their buttons.
public final class UNNotificationCategory: NSObject {
    /// The identifier.
    public let identifier: String
    /// The buttons.
    public let actions: [UNNotificationAction]
    /// The behaviour of the notifications.
    public let options: UNNotificationCategoryOptions

    /// Makes a category.
    public init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.options = options
    }
}

/// An extension that rewrites notifications before they are shown, in a separate process.
open class UNNotificationServiceExtension: NSObject {
    /// Receives a notification; the extension must call the handler once, within about 30 seconds.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The system calls this method when the extension's time has expired.
    open func serviceExtensionTimeWillExpire() {}
}
