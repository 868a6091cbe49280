public import Foundation

/// Which notifications; all of them unless narrowed.
public struct NotificationQuery: Equatable, Sendable {
    /// Only those of this credential.
    public var credentialId: String?
    /// Only those that are not answered.
    public var pendingOnly: Bool
    /// Only those that the server sent at these times.
    public var sentAt: ClosedRange<Date>?
    /// At most so many, the oldest; `nil` is no limit.
    public var limit: Int?

    /// Creates a query.
    public init(credentialId: String? = nil, pendingOnly: Bool = false, limit: Int? = nil) {
        self.credentialId = credentialId
        self.pendingOnly = pendingOnly
        self.limit = limit
    }

    /// All notifications.
    public static let all = NotificationQuery()
    /// All that are not answered.
    public static let pending = NotificationQuery(pendingOnly: true)

    /// The same query as a store takes it.
    package var records: RecordQuery {
        var query = RecordQuery(owner: credentialId, limit: limit)
        query.openOnly = pendingOnly
        query.dates = sentAt
        return query
    }
}
