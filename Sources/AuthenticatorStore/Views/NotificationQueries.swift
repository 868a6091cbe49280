import AuthenticatorCore

/// The statements of the notification table.
struct NotificationQueries: Sendable {
    static let find = PushNotification.table.query("WHERE id = ?")
    static let ofMessage = PushNotification.table.query(
        "WHERE message_id = ? ORDER BY sent_at, id LIMIT 1"
    )
    static let removal = PushNotification.table.removal("WHERE id = ?")

    let list: Query
    let count: Query
    let removal: Query

    /// The statements for a query; their text depends on what it narrows, never on its values.
    static func narrowed(by query: NotificationQuery) -> NotificationQueries {
        switch (query.credentialId, query.pendingOnly) {
        case (nil, false): all
        case (nil, true): pending
        case (_?, false): ofCredential
        case (_?, true): pendingOfCredential
        }
    }

    private static let all = NotificationQueries("")
    private static let pending = NotificationQueries("WHERE pending = 1")
    private static let ofCredential = NotificationQueries("WHERE credential_id = ?")
    private static let pendingOfCredential = NotificationQueries("WHERE credential_id = ? AND pending = 1")

    private init(_ condition: String) {
        let oldest = "\(condition) ORDER BY sent_at, id LIMIT ?"
        list = PushNotification.table.query(oldest)
        count = PushNotification.table.count("\(condition) LIMIT ?")
        removal = PushNotification.table.removal("WHERE rowid IN (SELECT rowid FROM notification \(oldest))")
    }
}

extension NotificationQuery {
    /// Binds the values of the query; SQLite takes a limit of -1 for none.
    func write(to row: inout RowWriter) throws(StoreError) {
        if let credentialId { try row.write(credentialId) }
        try row.write(limit.map { max(0, $0) } ?? -1)
    }
}
