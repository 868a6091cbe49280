package import Foundation

/// A rule that selects the notifications to remove: those that exceed a maximum number, and those that are older than a
/// given number of days.
///
/// Notifications are sorted by the time when the server sent them; the oldest are removed first.
package struct NotificationCleanup: Equatable, Sendable {
    /// The maximum number of stored notifications; `nil` for no maximum.
    package let maximum: Int?
    private let days: Int?

    /// Creates a rule; a rule without limits removes nothing.
    package init(maximum: Int? = nil, days: Int? = nil) {
        self.maximum = maximum.map { max(0, $0) }
        self.days = days.map { max(0, $0) }
    }

    /// Returns how many of `count` notifications have to be removed.
    func excess(of count: Int) -> Int { maximum.map { max(0, count - $0) } ?? 0 }

    /// Returns the date up to which notifications are too old; `nil` if there is no age limit.
    func latestTooOld(at now: Date) -> Date? {
        guard let days else { return nil }
        let kept = now.timeIntervalSinceReferenceDate - Double(days) * 86_400
        return max(Date(timeIntervalSinceReferenceDate: kept.nextDown), .distantPast)
    }
}

extension CredentialWriting {
    /// Removes the notifications that a rule selects.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - credentialId: The credential; `nil` for all credentials.
    ///   - received: A notification that has just been received. It is never removed, even if it is the oldest
    ///     notification by the server's clock; the next oldest may be removed instead.
    ///   - now: The time.
    /// - Returns: The number of removed notifications.
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
