import Foundation
import GRDB

/// A database opened strictly for reading, which leaves the folder as it was.
final class SQLiteConnection {
    private let url: URL
    private let queue: DatabaseQueue
    private let index: URL?

    init(reading url: URL) throws(LegacyStoreError) {
        self.url = url
        let journal = try SQLiteJournal(of: url)
        // A reader of a write-ahead log needs an index of it, and SQLite does not clear away the one it made.
        index = journal.index
        queue = try querying(url) {
            try DatabaseQueue(path: journal.pathForReading, configuration: .reading)
        }
    }

    deinit {
        do {
            try queue.close()
            if let index, FileManager.default.fileExists(atPath: index.path) {
                try FileManager.default.removeItem(at: index)
            }
        } catch {
            // Nobody is left to tell, and the store itself is as it was.
        }
    }

    /// Calls `body` with the database and says in our words what goes wrong.
    func read<Value>(_ body: (Database) throws -> Value) throws(LegacyStoreError) -> Value {
        try querying(url) { try queue.read(body) }
    }

    /// Copies the whole database.
    func back(up destination: DatabaseQueue) throws {
        try queue.backup(to: destination)
    }
}

extension Configuration {
    /// Reads, and believes nothing that the file says about itself.
    fileprivate static var reading: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        }
        return configuration
    }
}
