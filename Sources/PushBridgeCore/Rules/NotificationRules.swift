package import Foundation

/// Which stored notifications to remove, oldest first by the time the server sent them: those beyond a number, and
/// those older than a number of days.
package struct NotificationCleanup: Equatable, Sendable {
    /// How many notifications are kept at most; `nil` if any number is.
    package let maximum: Int?
    private let days: Int?

    /// Creates a rule; without limits it names none.
    package init(maximum: Int? = nil, days: Int? = nil) {
        self.maximum = maximum.map { max(0, $0) }
        self.days = days.map { max(0, $0) }
    }

    /// How many of `count` notifications are beyond the number kept.
    func excess(of count: Int) -> Int { maximum.map { max(0, count - $0) } ?? 0 }

    /// The latest time at which a notification is older than kept; `nil` if none can be too old.
    func latestTooOld(at now: Date) -> Date? {
        guard let days else { return nil }
        let kept = now.timeIntervalSinceReferenceDate - Double(days) * 86_400
        return max(Date(timeIntervalSinceReferenceDate: kept.nextDown), .distantPast)
    }
}

extension CredentialWriting {
    /// Removes the notifications that a rule names, of one credential or of all, without reading any.
    ///
    /// - Parameters:
    ///   - rule: Which notifications to remove.
    ///   - credentialId: The credential; `nil` is all of them.
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
            of: rule.maximum == nil ? 0 : try count(of: .notification, where: query)
        )
        var removed = 0
        if excess > 0 {
            query.limit = excess + (received == nil ? 0 : 1)
            removed += try remove(
                try ids(of: .notification, where: query),
                sparing: received,
                most: excess
            )
            query.limit = nil
        }
        if let latest = rule.latestTooOld(at: now) {
            query.dates = .distantPast...latest
            if let received, query.selects(received.recordIndex) {
                removed += try remove(try ids(of: .notification, where: query), sparing: received)
            } else {
                removed += try remove(.notification, where: query)
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
