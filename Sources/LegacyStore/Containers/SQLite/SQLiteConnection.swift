import Foundation
import GRDB

/// A database opened strictly for reading: in its folder nothing is made, changed or removed.
final class SQLiteConnection {
    private let url: URL
    private let queue: DatabaseQueue
    // What the file was when it was opened without locks; it has to stay so.
    private let stamp: FileStamp?

    init(reading url: URL) throws(LegacyStoreError) {
        self.url = url
        (queue, stamp) = try Self.open(url)
    }

    /// Opens a database that this process has open for writing, so that all that SQLite needs is there.
    init(besideWriter url: URL) throws(LegacyStoreError) {
        self.url = url
        stamp = nil
        queue = try querying(url) { try DatabaseQueue.reading(url.path) }
    }

    deinit {
        do {
            try queue.close()
        } catch {
            // Nobody is left to tell, and the store itself is as it was.
        }
    }

    /// Calls `body` with the database and says in our words what goes wrong.
    func read<Value>(_ body: (Database) throws -> Value) throws(LegacyStoreError) -> Value {
        let value = try querying(url) { try queue.read(body) }
        if let stamp, try FileStamp.reading(url) != stamp {
            throw .changed("\(url.lastPathComponent) was changed while it was read.")
        }
        return value
    }

    /// Copies the whole database.
    func back(up destination: DatabaseQueue) throws {
        try queue.backup(to: destination)
    }

    // Others may open or close the database at any time, and what lies beside it comes and goes with them.
    private static func open(_ url: URL) throws(LegacyStoreError) -> (DatabaseQueue, FileStamp?) {
        for _ in 0..<5 {
            let stamp = try FileStamp.reading(url)
            let journal = try SQLiteJournal(of: url)
            if journal.access == .copied {
                if let queue = try SQLiteSnapshot(of: journal.file).open() { return (queue, nil) }
                continue
            }
            do {
                let queue = try DatabaseQueue.reading(journal.pathForReading)
                return (queue, journal.access == .alone ? stamp : nil)
            } catch {
                guard try SQLiteJournal(of: url).access != journal.access else {
                    return try querying(url) { throw error }
                }
            }
        }
        throw .inUse(url)
    }
}

extension DatabaseQueue {
    /// Opens a database and its log, if it has one.
    static func reading(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, configuration: .reading)
        try queue.read { _ = try $0.tableExists("genp") }
        return queue
    }
}

extension Configuration {
    /// Reads, and believes nothing that the file says about itself.
    fileprivate static var reading: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        }
        return configuration
    }
}
