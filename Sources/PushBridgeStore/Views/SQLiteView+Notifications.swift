import PushBridgeCore

extension SQLiteView {
    func forEachNotification(
        _ query: NotificationQuery,
        _ body: (PushNotification) throws -> Void
    ) throws {
        try forEach(NotificationQueries.narrowed(by: query).list, bind: { try query.write(to: &$0) }, body)
    }

    func notification(id: String) throws -> PushNotification? {
        try first(NotificationQueries.find) { try $0.write(id) }
    }

    func notification(messageId: String) throws -> PushNotification? {
        try first(NotificationQueries.ofMessage) { try $0.write(messageId) }
    }

    func notificationCount(_ query: NotificationQuery) throws -> Int {
        try first(
            NotificationQueries.narrowed(by: query).count,
            bind: { try query.write(to: &$0) },
            read: { try $0.int() }
        ) ?? 0
    }

    func save(_ notification: PushNotification) throws { try save(row: notification) }

    func removeNotification(id: String) throws -> Bool {
        try execute(NotificationQueries.removal) { try $0.write(id) } > 0
    }

    func removeNotifications(_ query: NotificationQuery) throws -> Int {
        try execute(NotificationQueries.narrowed(by: query).removal) { try query.write(to: &$0) }
    }
}
