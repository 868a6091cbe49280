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

/// Which stored notifications are to go; oldest first, by the time the server sent them.
public enum NotificationCleanup: Equatable, Sendable {
    /// None.
    case none
    /// Those beyond a number.
    case countBased(maximum: Int = standardMaximum)
    /// Those older than a number of days.
    case ageBased(days: Int = standardDays)
    /// Those that either rule names.
    case hybrid(maximum: Int = standardMaximum, days: Int = standardDays)

    /// How many notifications are kept unless told otherwise.
    public static let standardMaximum = 100
    /// How many days notifications are kept unless told otherwise.
    public static let standardDays = 30

    /// How many notifications are kept at most; `nil` if any number is.
    package var maximum: Int? {
        switch self {
        case .none, .ageBased: nil
        case .countBased(let maximum), .hybrid(let maximum, _): max(0, maximum)
        }
    }

    /// How many of `count` notifications are beyond the number kept.
    func excess(of count: Int) -> Int { maximum.map { max(0, count - $0) } ?? 0 }

    /// The latest time at which a notification is older than kept; `nil` if none can be too old.
    func latestTooOld(at now: Date) -> Date? {
        switch self {
        case .none, .countBased:
            return nil
        case .ageBased(let days), .hybrid(_, let days):
            let kept = now.timeIntervalSinceReferenceDate - Double(max(0, days)) * 86_400
            return Date(
                timeIntervalSinceReferenceDate: max(
                    kept.nextDown,
                    Date.distantPast.timeIntervalSinceReferenceDate
                )
            )
        }
    }
}

extension CredentialWriting {
    /// Removes the notifications that a rule names, of one credential or of all, without reading any.
    ///
    /// - Parameters:
    ///   - rule: Which notifications are to go.
    ///   - credentialId: Whose; `nil` is everybody's.
    ///   - received: A notification that just came and is never removed, although by its server's clock it may be the
    ///     oldest; the next oldest goes in its place.
    ///   - now: The time.
    /// - Returns: How many were removed.
    /// - Throws: The store's errors.
    @discardableResult
    package func cleanUpNotifications(
        _ rule: NotificationCleanup,
        credentialId: String? = nil,
        sparing received: PushNotification? = nil,
        at now: Date
    ) throws -> Int {
        var query = RecordQuery(owner: credentialId)
        let excess = rule.excess(
            of: rule.maximum == nil ? 0 : try count(of: PushNotification.self, where: query)
        )
        var removed = 0
        if excess > 0 {
            query.limit = excess + (received == nil ? 0 : 1)
            removed += try remove(
                try ids(of: PushNotification.self, where: query),
                sparing: received,
                most: excess
            )
            query.limit = nil
        }
        if let latest = rule.latestTooOld(at: now) {
            query.dates = .distantPast...latest
            if let received, query.selects(received.recordIndex) {
                removed += try remove(try ids(of: PushNotification.self, where: query), sparing: received)
            } else {
                removed += try remove(PushNotification.self, where: query)
            }
        }
        return removed
    }

    private func remove(
        _ ids: [String],
        sparing received: PushNotification?,
        most: Int = .max
    ) throws -> Int {
        var removed = 0
        for id in ids where id != received?.id && removed < most {
            removed += try removeNotification(id: id) ? 1 : 0
        }
        return removed
    }
}
