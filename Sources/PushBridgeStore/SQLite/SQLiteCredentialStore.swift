import Foundation
import GRDB
public import PushBridgeCore
import PushBridgeFiles
import PushBridgePlatform

/// A store in an SQLite file, whose secrets are sealed with a key that is stored elsewhere.
///
/// Safe to share between threads, and between processes such as an app and its notification extension: readers never wait,
/// and writers wait up to five seconds for each other. Written data survives a power failure. The file, its log and its
/// index (`-wal`, `-shm`) are readable by their owner only. On a phone the file is readable after the first unlock, and is
/// included in backups.
///
/// Calls do not nest: `body` uses its argument and must not call the store.
public final class SQLiteCredentialStore: CredentialStore, RecordStore {
    /// The database file.
    public let path: String
    private let connection: StoreConnection
    private let sealer: Sealer
    private let file: OpenStoreFile
    private let signal: ChangeSignal

    /// Opens the store at `path`.
    ///
    /// Throws, and leaves the file unchanged, if it is not a store, or was written by a newer version or with another
    /// key. A store that cannot be created completely is not created. The error's code shows the reason.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - key: The provider of its key.
    ///   - mode: Whether the file may or must be created.
    /// - Throws: ``StoreError`` if the file or its key cannot be opened or created.
    public init(
        path: String,
        key: some SealingKeyProvider,
        mode: SQLiteStoreMode
    ) throws(StoreError) {
        let file = StoreFile(path: path)
        if mode == .create, try !file.exists() { try file.create(with: key) }
        // Before the first look, so that all that is opened is of one file.
        let opened = try OpenStoreFile(file, path: path)
        let (database, sealer) = try file.examine(with: key, mode: mode)
        self.path = path
        self.sealer = sealer
        signal = FileSignals.signal(path: path)
        if mode == .readOnly {
            connection = .reading(database)
        } else {
            // All connections of a process share one view of the log's index. A read-only one would make the others
            // read-only too where a killed process left a log, so it has to be gone first.
            try storing("Opening \(path)") { try database.queue.close() }
            connection = .sharing(try file.share())
        }
        self.file = opened
        try storing("Opening \(path)") { try opened.requireStillThere() }
    }

    /// The inside of the store.
    public var backing: StoreBacking { StoreBacking(self) }

    package func filePath() throws -> String? { path }

    /// The path without the identifiers in it: the system gives the folders of an app others in an update.
    package func storageName() throws -> String {
        let parts = path.split(separator: "/").filter { UUID(uuidString: String($0)) == nil }
        return "file \(parts.joined(separator: "/"))"
    }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        // What `body` throws passes through, even if it looks like an error of the database.
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

    /// One element after every committed change: immediately for those of this process, within a second for others.
    ///
    /// Ends immediately for a store that was opened for reading only.
    package var changes: AsyncStream<Void> {
        guard case .sharing(let pool) = connection else { return AsyncStream { $0.finish() } }
        return ChangeWatch(pool: pool, signal: signal).changes()
    }

    /// Closes the store, which leaves one complete file if no other process uses it.
    ///
    /// Happens automatically when the store is deallocated. If the process ends before, its log remains, and the next
    /// process recovers it. A closed store can neither read nor write.
    ///
    /// - Throws: SQLite's error if the file cannot be closed.
    public func close() throws {
        try storing("Closing \(path)") { try connection.close() }
    }
}

/// The file that a store was opened in, which others may replace or change.
private final class OpenStoreFile: Sendable {
    private let file: StoreFile
    private let path: String
    private let status: FileStatus?
    /// What SQLite changes with every change of the schema, as it was when the schema was looked at.
    private let schemaVersion = Lock<Int?>(nil)

    init(_ file: StoreFile, path: String) throws(StoreError) {
        self.file = file
        self.path = URL(fileURLWithPath: path).path
        let absolute = self.path
        status = try storing("Looking at \(path)") { try FileStatus(path: absolute) }
    }

    /// Throws if the path no longer refers to the opened file, whose data would then be unreachable.
    func requireStillThere() throws {
        guard let status, try FileStatus(path: path)?.isSameFile(as: status) == true else {
            throw StoreError(
                .replaced,
                reason: "\(path) was removed or replaced while it was in use; open it again."
            )
        }
    }

    /// Throws if the database has a foreign trigger or the like; looks again when something was changed.
    func requireOwnObjects(_ db: Database) throws {
        let version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA schema_version"))
        guard schemaVersion.withValue({ $0 }) != version else { return }
        try file.requireOwnObjects(db)
        schemaVersion.withValue { $0 = version }
    }
}

/// The two ways to a database.
enum StoreConnection {
    /// Looks at a file without touching it.
    case reading(ReadOnlyDatabase)
    /// Reads and writes together with other threads and processes.
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
    /// Releases the locks of all databases of this process, and prevents new ones until ``resume()``.
    ///
    /// iOS ends an app that it suspends while the app has a lock on a file in an app group (exception code 0xDEAD10CC). Call
    /// this when the app enters the background, after its background tasks have ended, and when the time of such a task
    /// expires. A transaction that is interrupted is rolled back; until ``resume()``, calls that write fail with
    /// `StoreError` and the code `locked`.
    ///
    /// Can be called from any thread, and more than once.
    public static func suspend() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Allows the databases of this process to take locks again; call it when the app is active, or an extension starts work.
    public static func resume() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}

/// How a database is opened.
public enum SQLiteStoreMode: Sendable {
    /// Reads and writes; makes the store and its key if there is no store yet.
    case create
    /// Reads and writes a store that exists.
    case open
    /// Only reads a store that exists, and neither makes nor changes any file: works on read-only media.
    case readOnly
}
