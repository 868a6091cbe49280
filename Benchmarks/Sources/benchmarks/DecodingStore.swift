import Foundation
import GRDB
import PushBridgeCore
import PushBridgeInternals

/// A table of JSON items, with the columns of a keychain.
///
/// Every look-up decodes all items, as in the SDKs.
struct DecodingStore {
    private let database: DatabaseQueue

    init(path: String) throws {
        database = try DatabaseQueue(path: path)
        try database.write { db in
            try db.execute(
                sql: "CREATE TABLE genp(svce TEXT, acct TEXT, data BLOB, PRIMARY KEY (svce, acct))"
            )
        }
    }

    func add(_ notifications: some Sequence<PushNotification>) throws {
        let encoder = JSONEncoder()
        try database.write { db in
            let insert = try db.makeStatement(
                sql: "INSERT INTO genp VALUES ('com.pingidentity.push.notifications', ?, ?)"
            )
            for notification in notifications {
                let item = StoredNotification(notification)
                try insert.execute(arguments: [item.id, try encoder.encode(item)])
            }
        }
    }

    func notification(messageId: String) throws -> StoredNotification? {
        try all().first { $0.messageId == messageId }
    }

    func pending() throws -> [StoredNotification] {
        try all().filter(\.pending).sorted { ($0.sentAt ?? $0.createdAt) < ($1.sentAt ?? $1.createdAt) }
    }

    /// Verifies a push and stores it, unless the push is already stored.
    func process(_ payload: String, with credential: PushCredential) throws {
        let id = UUID().uuidString
        guard
            let push = try credential.notification(from: Data(payload.utf8), id: id, receivedAt: Date())
        else { throw ChildProcess.Failure(description: "A push cannot be parsed.") }
        guard try notification(messageId: push.messageId) == nil else { return }
        try add([push])
    }

    func close() throws { try database.close() }

    private func all() throws -> [StoredNotification] {
        let decoder = JSONDecoder()
        return try database.read { db in
            let items = try Data.fetchAll(
                db,
                sql: "SELECT data FROM genp WHERE svce = 'com.pingidentity.push.notifications'"
            )
            return try items.map { try decoder.decode(StoredNotification.self, from: $0) }
        }
    }
}
