public import Foundation

/// What the new SDK keeps of a notification and the legacy one does not.
public struct NotificationReceipt: Equatable, Sendable {
    /// The notification's own id.
    public let id: String
    /// When the device stored it.
    public let createdAt: Date
    /// When the user answered, if known.
    public let respondedAt: Date?

    /// Creates a receipt.
    public init(id: String, createdAt: Date, respondedAt: Date? = nil) {
        self.id = id
        self.createdAt = createdAt
        self.respondedAt = respondedAt
    }
}
