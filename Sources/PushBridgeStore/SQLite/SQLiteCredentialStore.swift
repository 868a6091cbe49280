import Foundation
import GRDB
public import PushBridgeCore
import PushBridgeFiles
import PushBridgePlatform

/// A store in a SQLite file.
///
/// The secrets in the file are sealed with a key that is stored elsewhere.
///
/// Several threads can share the store, and so can several processes, such as an app and its notification
/// extension. Readers never wait; writers wait for each other for up to five seconds. Written data survives a
/// power failure. Only the owner can read the file, its log and its index (`-wal`, `-shm`). On a phone, the
/// file is readable after the first unlock, and is included in backups.
///
/// Transactions do not nest: the closure of a transaction uses the view that it receives, and must not call the store.
public final class SQLiteCredentialStore: CredentialStore, RecordStore {
    /// The database file.
    public let path: String
    private let connection: StoreConnection
    private let sealer: Sealer
    private let file: OpenStoreFile
    private let signal: ChangeSignal

    /// Opens the store at `path`.
    ///
    /// If the file is not a store, or was written by a newer version or with another key, the initialiser
    /// throws and leaves the file unchanged. If a store cannot be created completely, no database file is left
    /// behind. The error's code shows the reason.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - key: The provider of the file's key.
    ///   - mode: The access to the file; the mode ``SQLiteStoreMode/create`` creates a missing file.
    /// - Throws: ``StoreError`` if the file or its key can be neither opened nor created.
    public init(
        path: String,
        key: some SealingKeyProvider,
        mode: SQLiteStoreMode
    ) throws(StoreError) {
        let file = StoreFile(path: path)
        if mode == .create, try !file.exists() { try file.create(with: key) }
        // The status of the file is read before the database is opened, so that a later replacement of the
        // file is detected.
        let opened = try OpenStoreFile(file, path: path)
        let (database, sealer) = try file.examine(with: key, mode: mode)
        self.path = path
        self.sealer = sealer
        signal = FileSignals.signal(path: path)
        if mode == .readOnly {
            connection = .reading(database)
        } else {
            // All connections of a process share one mapping of the log's index. If a killed process left a
            // log, a read-only connection would make the other connections read-only too. So the read-only
            // connection is closed first.
            try storing("Opening \(path)") { try database.queue.close() }
            connection = .sharing(try file.share())
        }
        self.file = opened
        try storing("Opening \(path)") { try opened.requireStillThere() }
    }

    /// The implementation of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func filePath() throws -> String? { path }

    /// Returns a name that contains the path without its UUIDs, because an update of the app changes the UUIDs in the
    /// paths of the app's folders.
    package func storageName() throws -> String {
        let parts = path.split(separator: "/").filter { UUID(uuidString: String($0)) == nil }
        return "file \(parts.joined(separator: "/"))"
    }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        // Errors of `body` are rethrown unchanged, even if they look like errors of the database.
        let result = try storing("Reading \(path)") {
            try file.requireStillThere()
            return try connection.read { db in
                Result { try body(SQLiteView(db, sealer: sealer, isWriting: false)) }
            }
        }
        return try result.get()
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        guard case .sharing(let pool) = connection else {
            throw StoreError(.notWritable, reason: "\(path) was opened for reading only.")
        }
        var refusal: (any Error)?
        let result = Result {
            try pool.write { db in
                do {
                    try file.requireOwnObjects(db)
                    let view = SQLiteView(db, sealer: sealer, isWriting: true)
                    let value = try body(view)
                    try file.requireStillThere()
                    return value
                } catch {
                    refusal = error
                    throw error
                }
            }
        }
        if let refusal { throw refusal }
        let value = try storing("Writing to \(path)") {
            let value = try result.get()
            try file.requireStillThere()
            return value
        }
        signal.send()
        return value
    }

    /// A stream that receives an element after committed changes: immediately if this process made them, and within
    /// about a second if another process made them.
    ///
    /// The stream also receives one element soon after it begins, even without a change. It ends immediately if the
    /// store was opened for reading only.
    package var changes: AsyncStream<Void> {
        guard case .sharing(let pool) = connection else { return AsyncStream { $0.finish() } }
        return ChangeWatch(pool: pool, signal: signal).changes()
    }

    /// Closes the store; if no other process uses it, one complete file remains.
    ///
    /// A store is closed automatically when it is deallocated. If the process ends before the store is
    /// closed, the log remains, and the next process recovers it. A closed store can neither read nor write.
    ///
    /// - Throws: SQLite's error if the file cannot be closed.
    public func close() throws {
        try storing("Closing \(path)") { try connection.close() }
    }
}

/// The file of an open store; other programs may replace or change this file.
private final class OpenStoreFile: Sendable {
    private let file: StoreFile
    private let path: String
    private let status: FileStatus?
    /// SQLite's version number of the schema at the time when the schema was last checked.
    private let schemaVersion = Lock<Int?>(nil)

    init(_ file: StoreFile, path: String) throws(StoreError) {
        self.file = file
        self.path = URL(fileURLWithPath: path).path
        let absolute = self.path
        status = try storing("Examining \(path)") { try FileStatus(path: absolute) }
    }

    /// Throws an error if the path no longer refers to the opened file, because data that is written to that file
    /// could not be found later.
    func requireStillThere() throws {
        guard let status, try FileStatus(path: path)?.isSameFile(as: status) == true else {
            throw StoreError(
                .replaced,
                reason: "\(path) was removed or replaced while it was in use; open it again."
            )
        }
    }

    /// Throws an error if the database contains tables, indexes, triggers or views of other programs; checks the
    /// schema again after each change of the schema.
    func requireOwnObjects(_ db: Database) throws {
        let version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA schema_version"))
        guard schemaVersion.withValue({ $0 }) != version else { return }
        try file.requireOwnObjects(db)
        schemaVersion.withValue { $0 = version }
    }
}

/// The two kinds of access to a database.
enum StoreConnection {
    /// Reads a database without changing it.
    case reading(ReadOnlyDatabase)
    /// Reads and writes while other threads and processes do the same.
    case sharing(DatabasePool)

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        switch self {
        case .reading(let database): try database.read(body)
        case .sharing(let pool): try pool.read(body)
        }
    }

    func close() throws {
        switch self {
        case .reading(let database): try database.queue.close()
        case .sharing(let pool): try pool.close()
        }
    }
}

extension SQLiteCredentialStore {
    /// Releases the locks of all databases of this process, and prevents new locks until ``resume()``.
    ///
    /// If an app has a lock on a file in an app group while iOS suspends the app, iOS ends the app (exception
    /// code 0xDEAD10CC). Call this method when the app is in the background and its background tasks have ended
    /// or their time expires. An interrupted transaction is rolled back. Until ``resume()``, calls that write fail
    /// with `StoreError` and the code `locked`.
    ///
    /// The method can be called from any thread, and more than once.
    public static func suspend() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Permits locks on the databases of this process again; call it when the app is active, or when an
    /// extension starts work.
    public static func resume() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}

/// The access to a database, and whether the database may be created.
public enum SQLiteStoreMode: Sendable {
    /// Reads and writes; if the store does not exist, creates the store and, if necessary, its key.
    case create
    /// Reads and writes an existing store.
    case open
    /// Reads an existing store; no file in the store's folder is created or changed, so the volume can be read-only.
    case readOnly
}
