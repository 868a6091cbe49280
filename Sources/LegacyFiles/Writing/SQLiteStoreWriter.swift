public import Foundation
import GRDB
public import LegacyStore
import PushBridgeFiles
import PushBridgeStore

/// Writes a keychain database with one table of generic passwords.
public final class SQLiteStoreWriter: LegacyStoreWriting {
    private let file: NewLegacyFile
    private let queue: DatabaseQueue
    private let accessGroup: String
    private let date: Date
    private var suffixes = KeySuffixes()

    /// Begins a store at `url`.
    ///
    /// - Parameters:
    ///   - url: The file to write.
    ///   - accessGroup: The keychain access group of the items.
    ///   - date: The creation and modification date of the items.
    ///   - replacing: Whether an existing file is replaced.
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; `locked` if another process is writing it.
    public init(
        _ url: URL,
        accessGroup: String = "",
        date: Date,
        replacing: Bool = false
    ) throws(LegacyStoreError) {
        let file = try NewLegacyFile(url, replacing: replacing)
        let path = try file.open.databasePath
        self.file = file
        self.accessGroup = accessGroup
        self.date = date
        queue = try writingDatabase(url) {
            let queue = try DatabaseQueue(path: path, configuration: .filling)
            try queue.writeWithoutTransaction { try $0.execute(sql: keychainSchema + "; BEGIN") }
            return queue
        }
    }

    /// Writes an archive unchanged.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
        _ = try file.open
        let key = suffixes.unique(key, in: service)
        try writingDatabase(file.url) {
            try queue.writeWithoutTransaction { db in
                let statement = try db.cachedStatement(
                    sql: """
                        INSERT INTO genp(cdat, mdat, agrp, svce, acct, pdmn, data)
                        VALUES (?, ?, ?, ?, ?, 'ck', ?)
                        """
                )
                let seconds = date.timeIntervalSinceReferenceDate
                try statement.execute(
                    arguments: [seconds, seconds, accessGroup, service.rawValue, key, archive]
                )
            }
        }
    }

    /// Moves the finished store to its URL.
    ///
    /// - Throws: `LegacyStoreError` with the code `notWritable` if the file cannot be written.
    public func finish() throws(LegacyStoreError) {
        _ = try file.open
        try writingDatabase(file.url) {
            try queue.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try queue.close()
        }
        try file.finish()
    }
}

extension Configuration {
    /// A configuration for a new file.
    ///
    /// SQLite writes no journal and flushes nothing, because an unfinished file is never used as a store.
    static var filling: Configuration {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        return configuration
    }
}

extension NewFile {
    /// The path with which SQLite opens the new file.
    ///
    /// SQLite does not lock the file, because some systems confuse SQLite's locks with the locks that this
    /// process already has.
    var databasePath: String { URL(fileURLWithPath: temporaryPath).sqlitePath("nolock=1") }
}

private let keychainSchema = """
    CREATE TABLE genp(
        rowid INTEGER PRIMARY KEY AUTOINCREMENT, cdat REAL, mdat REAL, agrp TEXT, svce TEXT, acct TEXT,
        pdmn TEXT, sync INTEGER NOT NULL DEFAULT 0, tomb INTEGER NOT NULL DEFAULT 0, data BLOB,
        UNIQUE(acct, svce, agrp, sync)
    )
    """
