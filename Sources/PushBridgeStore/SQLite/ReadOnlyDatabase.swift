import Foundation
import GRDB
import GRDBSQLite
import PushBridgeCore

/// A database that is looked at and not touched: no lock file, no log, not a byte changes on the disk.
///
/// The usual way to read a database in WAL mode makes two files beside it and fails where it may not.
struct ReadOnlyDatabase {
    let queue: DatabaseQueue
    private let path: String
    /// The file as it stood when it was opened without any locks; `nil` if locks protect it.
    private let unlocked: FileStatus?

    /// Opens the database at an absolute path.
    ///
    /// All connections of a process share one view of the log's index, and a read-only one would make those that write
    /// read-only too. So whoever is about to write looks with `mayTouchIndex`.
    init(path: String, mayTouchIndex: Bool) throws {
        self.path = path
        let hasLog = try FileStatus(path: path + "-wal") != nil
        guard hasLog else {
            // Nobody has it open, so the file is complete and SQLite can treat it as if it were on a CD.
            unlocked = try FileStatus(path: path)
            queue = try Self.queue(path, "immutable=1")
            return
        }
        unlocked = nil
        let hasIndex = try FileStatus(path: path + "-shm") != nil
        queue = try Self.queue(path, hasIndex && !mayTouchIndex ? "mode=ro&readonly_shm=1" : "mode=ro")
    }

    /// Whether someone may have changed the file while it was open without locks, so that nothing read from it
    /// can be relied on.
    func isOvertaken() throws -> Bool {
        guard let unlocked else { return false }
        return try FileStatus(path: path) != unlocked || FileStatus(path: path + "-wal") != nil
    }

    /// Reads, and refuses a result that was overtaken.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let value = try queue.read(body)
        guard try !isOvertaken() else {
            throw StoreError(.failed, reason: "\(path) was changed while it was read; try again.")
        }
        return value
    }

    private static func queue(_ path: String, _ options: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        // SQLite can be built to take names for what they are; such a one reads, but may leave lock files.
        let takesURIs = sqlite3_compileoption_used("USE_URI") != 0
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ";"))
        guard takesURIs, let name = path.addingPercentEncoding(withAllowedCharacters: allowed) else {
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        return try DatabaseQueue(path: "file:\(name)?\(options)", configuration: configuration)
    }
}
