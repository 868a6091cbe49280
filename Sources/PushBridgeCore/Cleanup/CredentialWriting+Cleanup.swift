public import Foundation

extension CredentialWriting {
    /// Removes the notifications that a rule names, of one credential or of all, and answers how many.
    ///
    /// Holds a hundred notifications in memory at a time, however many are stored.
    @discardableResult
    public func cleanUpNotifications(
        _ rule: NotificationCleanup,
        credentialId: String? = nil,
        at now: Date
    ) throws -> Int {
        let excess = rule.excess(of: try notificationCount(NotificationQuery(credentialId: credentialId)))
        let removed = try removeOldest(excess, of: credentialId)
        return try removed + removeAged(rule, of: credentialId, at: now)
    }

    /// Removes old notifications, but never the one that just came, which by its server's clock may be the oldest; the
    /// next oldest goes in its place.
    package func cleanUpNotifications(
        _ rule: NotificationCleanup,
        sparing notification: PushNotification,
        at now: Date
    ) throws {
        let isStored = try self.notification(id: notification.id) != nil
        try cleanUpNotifications(rule, at: now)
        guard isStored, try self.notification(id: notification.id) == nil else { return }
        try save(notification)
        guard rule.excess(of: try notificationCount(.all)) > 0 else { return }
        let oldest = try notifications(NotificationQuery(limit: 2)).first { $0.id != notification.id }
        if let oldest { try removeNotification(id: oldest.id) }
    }

    private func removeAged(
        _ rule: NotificationCleanup,
        of credentialId: String?,
        at now: Date
    ) throws -> Int {
        guard rule.knowsAge else { return 0 }
        var removed = 0
        // Most often not even the oldest is too old, so the first look is at that one alone.
        for limit in sequence(first: 1, next: { _ in 100 }) {
            let batch = NotificationQuery(credentialId: credentialId, limit: limit)
            let aged = try notifications(batch).prefix { rule.isTooOld($0, at: now) }.count
            removed += try removeOldest(aged, of: credentialId)
            if aged < limit { break }
        }
        return removed
    }

    private func removeOldest(_ count: Int, of credentialId: String?) throws -> Int {
        guard count > 0 else { return 0 }
        return try removeNotifications(NotificationQuery(credentialId: credentialId, limit: count))
    }
}
