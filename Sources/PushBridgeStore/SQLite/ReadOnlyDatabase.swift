package import Foundation
package import GRDB
import GRDBSQLite
import PushBridgeCore
package import PushBridgeFiles

/// A database that is only read: no file in its folder is created, changed or removed, unless the caller
/// permits changes to the log's index.
///
/// Usually, SQLite creates two files beside a database in WAL mode, and fails if it cannot create them. So this type
/// checks which of these files exist before it opens the database.
package struct ReadOnlyDatabase {
    private enum Access: Equatable {
        /// Reads the file with SQLite's locks.
        case locked
        /// Reads only the file: there is no write-ahead log, and no process has the database open.
        case alone
        /// Reads the file with its log and the log's index; another process may be using them.
        case indexed(mayTouch: Bool)
        /// Reads a private copy of the files.
        ///
        /// The copy is necessary if there is a log without an index, because SQLite would create an index
        /// beside the original.
        case copied
    }

    package let queue: DatabaseQueue
    private let path: String
    /// The status of the file when it was opened without locks; `nil` if locks protect it.
    private let unlocked: FileStatus?

    /// Opens a database of this package at an absolute path.
    ///
    /// All connections of a process share one mapping of the WAL index (`-shm`). If one connection opens this
    /// index read-only, connections that need to write become read-only too. So a caller that is about to
    /// write sets `mayTouchIndex`.
    package init(path: String, mayTouchIndex: Bool) throws {
        try self.init(path) { file in
            // If there is no log, no process has the database open, so the file is complete.
            guard let hasIndex = Self.index(of: file) else { return .alone }
            return hasIndex || mayTouchIndex ? .indexed(mayTouch: mayTouchIndex) : .copied
        }
    }

    /// Opens any database.
    ///
    /// This process must not have any other connection to the database.
    ///
    /// Values longer than `longestValue` cannot be read: SQLite returns `SQLITE_TOOBIG` before it allocates
    /// memory for the value.
    package init(foreign url: URL, longestValue: Int) throws {
        try self.init(url.path, longestValue: longestValue) { file in
            guard let hasIndex = Self.index(of: file) else {
                return try Self.usesLog(file) ? .alone : .locked
            }
            return hasIndex ? .indexed(mayTouch: false) : .copied
        }
    }

    private init(_ path: String, longestValue: Int? = nil, _ access: (URL) throws -> Access) throws {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let configuration = Self.configuration(longestValue)
        // Other programs may open or close the database at any time, and SQLite then creates or removes files beside
        // it. If that happens, the way to open the database is chosen again.
        for _ in 0..<5 {
            let status = try FileStatus(path: path)
            let found = try access(file)
            do {
                guard let queue = try Self.open(file, found, configuration) else { continue }
                self.path = path
                self.unlocked = found == .alone ? status : nil
                self.queue = queue
                return
            } catch {
                guard try access(file) != found else { throw error }
            }
        }
        let reason = "\(file.lastPathComponent) is in use by another program; try again later."
        throw StoreError(.locked, reason: reason)
    }

    /// Opens a database that this process has open for writing; all files that SQLite needs then exist.
    package init(besideWriter path: String) throws {
        self.path = path
        unlocked = nil
        queue = try DatabaseQueue(path: path, configuration: Self.configuration(nil))
    }

    /// Returns whether the file may have changed while it was open without locks; the data read from it is
    /// then unreliable.
    package func isOvertaken() throws -> Bool {
        guard let unlocked else { return false }
        return try FileStatus(path: path) != unlocked || FileStatus(path: path + "-wal") != nil
    }

    /// Calls `body` with the database, and throws an error if the file may have changed during the call.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let value = try queue.read(body)
        guard try !isOvertaken() else {
            throw StoreError(.failed, reason: "\(path) was changed while it was being read; try again.")
        }
        return value
    }

    /// Returns whether a database is a credential store of this package.
    package static func isCredentialStore(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA application_id") == StoreFile.applicationID
    }

    /// Returns whether the header of a database specifies a write-ahead log; this process must not have the database
    /// open.
    package static func usesLog(_ file: URL) throws(SystemFailure) -> Bool {
        // Bytes 18 and 19 of the header are 2 in a database with a log.
        let header = try ByteReader(file).prefix(20)
        return header.count == 20 && header[18] == 2 && header[19] == 2
    }

    /// Returns whether the log of a database has an index; `nil` if there is no log.
    private static func index(of file: URL) -> Bool? {
        // SQLite uses a log if it exists, regardless of the header.
        guard FileStatus.isTaken(CompanionFile.log.url(of: file)) else { return nil }
        return FileStatus.isTaken(CompanionFile.index.url(of: file))
    }

    // Returns `nil` if the database was opened or changed while it was being copied.
    private static func open(
        _ file: URL,
        _ access: Access,
        _ configuration: Configuration
    ) throws -> DatabaseQueue? {
        let path: String
        switch access {
        case .locked: path = file.path
        case .alone: path = file.sqlitePath("mode=ro&immutable=1")
        case .indexed(let mayTouch): path = file.sqlitePath(mayTouch ? "mode=ro" : "mode=ro&readonly_shm=1")
        case .copied: return try openCopy(of: file, configuration)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    // If SQLite created an index beside the log, another program could start to use this index, and then the
    // index could not be removed safely. So the database and the log are copied to a private folder. The
    // copies are unlinked as soon as SQLite has opened them.
    private static func openCopy(of file: URL, _ configuration: Configuration) throws -> DatabaseQueue? {
        let log = CompanionFile.log.url(of: file)
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        do {
            let before = [try FileStatus(of: file), try FileStatus(of: log)]
            try folder.copy(file, as: "copy")
            try folder.copy(log, as: "copy" + CompanionFile.log.rawValue)
            // A program creates the log's index (`-shm`) before it changes the database. So the copy is consistent if
            // there is no index and neither file has changed.
            let isSame = [try FileStatus(of: file), try FileStatus(of: log)] == before
            guard isSame, !FileStatus.isTaken(CompanionFile.index.url(of: file)) else { return nil }
        } catch {
            guard FileStatus.isTaken(log) else { return nil }
            throw error
        }
        let copy = folder.url.appendingPathComponent("copy").path
        return try DatabaseQueue(path: copy, configuration: configuration)
    }

    private static func configuration(_ longestValue: Int?) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            if let longestValue {
                sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: longestValue))
            }
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        }
        return configuration
    }
}

extension URL {
    /// Returns a URI that makes SQLite open the file with options.
    ///
    /// For a build of SQLite that does not support URIs, returns the plain path; the options then have no effect.
    package func sqlitePath(_ options: String) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%;"))
        guard
            sqlite3_compileoption_used("USE_URI") != 0,
            let name = path.addingPercentEncoding(withAllowedCharacters: allowed)
        else { return path }
        return "file://\(name)?\(options)"
    }
}
