extension StagedView {
    package func forEachNotification(
        _ query: NotificationQuery,
        _ body: (PushNotification) throws -> Void
    ) throws {
        try selected(by: query).forEach(body)
    }

    package func notification(id: String) throws -> PushNotification? {
        try changes.notifications.value(id) { try stored.notification(id: id) }
    }

    package func notification(messageId: String) throws -> PushNotification? {
        guard !changes.notifications.isEmpty else { return try stored.notification(messageId: messageId) }
        return try selected(by: .all).first { $0.messageId == messageId }
    }

    package func notificationCount(_ query: NotificationQuery) throws -> Int {
        guard !changes.notifications.isEmpty else { return try stored.notificationCount(query) }
        return try selected(by: query).count
    }

    /// What the query selects after the changes.
    ///
    /// A change can make room under the limit, or move a notification in or out, so the query is put to all.
    func selected(by query: NotificationQuery) throws -> [PushNotification] {
        guard !changes.notifications.isEmpty else { return try stored.notifications(query) }
        let all = try changes.notifications.applied(to: stored.notifications(.all), id: \.id)
            .filter(query.selects)
            .sorted { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
        return query.limit.map { Array(all.prefix(max(0, $0))) } ?? all
    }
}
