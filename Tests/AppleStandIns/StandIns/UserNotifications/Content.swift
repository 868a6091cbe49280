public import Foundation

/// The content of a notification.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    struct Fields {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var userInfo: [AnyHashable: Any] = [:]
        var attachments: [UNNotificationAttachment] = []
    }

    var fields = Fields()

    /// The title.
    open var title: String { fields.title }
    /// The line below the title.
    open var subtitle: String { fields.subtitle }
    /// The text.
    open var body: String { fields.body }
    /// The number on the app's icon.
    open var badge: NSNumber? { fields.badge }
    /// The sound.
    open var sound: UNNotificationSound? { fields.sound }
    /// The category, which determines the buttons.
    open var categoryIdentifier: String { fields.categoryIdentifier }
    /// The identifier that groups notifications.
    open var threadIdentifier: String { fields.threadIdentifier }
    /// The payload.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// The files that are shown beside the text.
    open var attachments: [UNNotificationAttachment] { fields.attachments }

    /// Returns a copy.
    public func copy(with zone: NSZone? = nil) -> Any { copied(as: UNNotificationContent()) }

    /// Returns a copy that can be changed.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { copied(as: UNMutableNotificationContent()) }

    private func copied(as other: UNNotificationContent) -> UNNotificationContent {
        other.fields = fields
        return other
    }
}

/// Content that can be changed.
open class UNMutableNotificationContent: UNNotificationContent {
    /// The title.
    open override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }
    /// The line below the title.
    open override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }
    /// The text.
    open override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }
    /// The number on the app's icon.
    open override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }
    /// The sound.
    open override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }
    /// The category, which determines the buttons.
    open override var categoryIdentifier: String {
        get { fields.categoryIdentifier }
        set { fields.categoryIdentifier = newValue }
    }
    /// The identifier that groups notifications.
    open override var threadIdentifier: String {
        get { fields.threadIdentifier }
        set { fields.threadIdentifier = newValue }
    }
    /// The payload.
    open override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }
    /// The files that are shown beside the text.
    open override var attachments: [UNNotificationAttachment] {
        get { fields.attachments }
        set { fields.attachments = newValue }
    }
}

/// A sound.
public final class UNNotificationSound: NSObject, Sendable {
    /// The system's default sound.
    public static let `default` = UNNotificationSound()
}

/// A file that is shown beside the text.
public final class UNNotificationAttachment: NSObject, Sendable {
    /// The identifier of the attachment.
    public let identifier: String
    /// The location of the file.
    public let url: URL

    /// Creates an attachment from a file; throws an error if the file does not exist.
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { throw CocoaError(.fileNoSuchFile) }
        self.identifier = identifier
        self.url = url
    }
}
