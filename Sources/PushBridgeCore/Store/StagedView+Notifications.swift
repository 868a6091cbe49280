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
        if query == .all, let naming = stored as? any NotificationNaming {
            return changes.notifications.applied(to: try naming.notificationIDs()).count
        }
        return try selected(by: query).count
    }

    /// What the query selects after the changes.
    ///
    /// A change can make room under the limit, or move a notification in or out, so the query is put to all.
    func selected(by query: NotificationQuery) throws -> [PushNotification] {
        guard !changes.notifications.isEmpty else { return try stored.notifications(query) }
        return narrowed(
            try changes.notifications.applied(to: stored.notifications(.all), id: \.id),
            by: query
        )
    }

    private func narrowed(
        _ notifications: [PushNotification],
        by query: NotificationQuery
    ) -> [PushNotification] {
        let all = notifications.filter(query.selects).sorted { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
        return query.limit.map { Array(all.prefix(max(0, $0))) } ?? all
    }

    /// The ids of what the query selects for removal.
    ///
    /// Of a damaged notification nobody knows whose it is, so it goes only where all go, and keeps no other.
    func idsToRemove(_ query: NotificationQuery) throws -> [String] {
        do {
            return try selected(by: query).map(\.id)
        } catch let error as StoreError where error.code == .damaged {
            guard let naming = stored as? any NotificationNaming else { throw error }
            let ids = try changes.notifications.applied(to: naming.notificationIDs())
            return query == .all ? ids : try readable(ids, query).map(\.id)
        }
    }

    private func readable(_ ids: [String], _ query: NotificationQuery) throws -> [PushNotification] {
        var readable: [PushNotification] = []
        for id in ids where try !isDamaged({ try notification(id: id) }) {
            try notification(id: id).map { readable.append($0) }
        }
        return narrowed(readable, by: query)
    }
}
