import Foundation
import GRDB

@testable import LegacyStore

/// Creates keychain databases with any schema and contents.
enum KeychainFile {
    static let columns = "rowid INTEGER PRIMARY KEY, agrp, svce, acct, data"

    /// Creates a database and runs `body` in it.
    static func create(
        at url: URL,
        columns: String = columns,
        _ body: (Database) throws -> Void
    ) throws -> URL {
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE genp(\(columns))")
            try body(db)
        }
        try queue.close()
        return url
    }
}
