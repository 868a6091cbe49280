import PushBridgeCore

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
        let narrowing = (query.credentialId == nil ? 0 : 1) + (query.sentAt == nil ? 0 : 2)
        return combinations[narrowing + (query.pendingOnly ? 4 : 0)]
    }

    /// The statements for whatever a query can narrow, as ``narrowed(by:)`` counts.
    private static let combinations = (0..<8).map { narrowing in
        let conditions = ["credential_id = ?", "sent_at BETWEEN ? AND ?", "pending = 1"].enumerated()
            .filter { narrowing & 1 << $0.offset != 0 }.map(\.element)
        return NotificationQueries(
            conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        )
    }

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
        if let sentAt {
            try row.write(sentAt.lowerBound)
            try row.write(sentAt.upperBound)
        }
        try row.write(limit.map { max(0, $0) } ?? -1)
    }
}
