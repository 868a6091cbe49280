import Crypto
import Foundation
import GRDB
import PushBridgeCore
import PushBridgeFiles

/// The file of a store; the file need not exist yet.
struct StoreFile {
    /// The number that identifies this package's files among all SQLite files; it must not change.
    static let applicationID = 0x5042_4331

    private let path: String
    /// The absolute path, so that SQLite does not read `file:…` as a URI.
    private let absolutePath: String

    init(path: String) {
        self.path = path
        absolutePath = URL(fileURLWithPath: path).path
    }

    func exists() throws(StoreError) -> Bool {
        try storing("Examining \(path)") { try FileStatus(path: absolutePath) != nil }
    }

    /// Creates an empty store, and its key if the key does not exist yet.
    ///
    /// The file gets its name when it is complete. If another process creates a file with this name first,
    /// that file stays.
    func create(with provider: some SealingKeyProvider) throws(StoreError) {
        try refuseLeftovers()
        try refuseLinkToNothing()
        try refuseOwnFile(as: provider)
        // The secrets are sealed, so a backup of the device may contain the file. A key in the keychain is part of
        // encrypted backups.
        let file = try storing("Creating \(path)") { try NewFile(for: absolutePath, backup: .included) }
        defer { file.discard(companions: ["-journal", "-wal", "-shm"]) }
        let queue = try storing("Creating \(path)") {
            let queue = try DatabaseQueue(path: file.temporaryPath, configuration: Self.configuration)
            try queue.inDatabase { try $0.execute(sql: "PRAGMA application_id = \(Self.applicationID)") }
            try Schema.migrator.migrate(queue)
            return queue
        }
        // The key is created after the tables, so that no key is left behind if the disk has no space for them.
        let sealer = Sealer(key: try provider.keyForNewStore())
        try storing("Creating \(path)") {
            try queue.write { try KeyCheck.write(with: sealer, to: $0) }
            try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try queue.close()
            _ = try file.publish()
        }
    }

    /// Opens the file for reading; throws an error if it is not a store, or if this key or this version cannot open it.
    func examine(
        with provider: some SealingKeyProvider,
        mode: SQLiteStoreMode
    ) throws(StoreError) -> (database: ReadOnlyDatabase, sealer: Sealer) {
        try refuseWhatIsNoDatabase()
        try refuseOwnFile(as: provider)
        let (database, contents) = try storing("Opening \(path)") { try lookInside(mode) }
        guard contents.isComplete || mode != .readOnly else {
            throw StoreError(
                .failed,
                reason:
                    "\(path) was written by an older version of PushBridge; to update it, open it once for writing."
            )
        }
        guard let sealer = KeyCheck.opened(contents.proof, with: Sealer(key: try provider.existingKey()))
        else {
            throw StoreError(.wrongKey, reason: "\(path) was written with another key.")
        }
        return (database, sealer)
    }

    /// Opens the file for reading and writing, and migrates the file to this version.
    func share() throws(StoreError) -> DatabasePool {
        // If the file were not writable, SQLite would create further files beside it with the same
        // permissions, and could not write to them either.
        guard access(absolutePath, W_OK) == 0 else {
            throw StoreError(.notWritable, reason: "\(path) cannot be written.")
        }
        return try storing("Opening \(path)") {
            let pool = try DatabasePool(path: absolutePath, configuration: Self.configuration)
            // With GRDB's default, NORMAL, a loss of power can undo the last transactions. A legacy record is
            // retired after the transaction that stored it, so every commit has to wait for the disk.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Schema.migrator.migrate(pool)
            return pool
        }
    }

    // If the log or the journal of a deleted store were left beside the new store, SQLite would apply its changes
    // to the new store, and damage it.
    private func refuseLeftovers() throws(StoreError) {
        for suffix in ["-wal", "-journal"] {
            let size = try storing("Examining \(path)") { try FileStatus(path: absolutePath + suffix)?.size }
            // The leftover may also belong to a store that another process has just created.
            guard let size, size > 0, try !exists() else { continue }
            throw StoreError(
                .notWritable,
                reason: "\(path)\(suffix) belongs to a deleted store; move it away to create a new store."
            )
        }
    }

    // If the key file had a name that SQLite uses for the store, SQLite would remove or overwrite the key.
    private func refuseOwnFile(as provider: some SealingKeyProvider) throws(StoreError) {
        guard let key = provider as? KeyFile, key.isPart(ofStoreAt: absolutePath) else { return }
        throw StoreError(
            .wrongKey,
            reason: "The key needs a separate file; \(key.path) belongs to the store."
        )
    }

    // If the path is a link to a file that does not exist, a new file cannot take the name of the link. The store would
    // not be created, and only its key would remain.
    private func refuseLinkToNothing() throws(StoreError) {
        guard try !exists(), FileStatus.isTaken(URL(fileURLWithPath: absolutePath)) else { return }
        throw StoreError(.notWritable, reason: "\(path) is a link to a file that does not exist.")
    }

    private func refuseWhatIsNoDatabase() throws(StoreError) {
        guard let status = try storing("Examining \(path)", { try FileStatus(path: absolutePath) }) else {
            throw StoreError(.missing, reason: "There is no credential store at \(path).")
        }
        guard status.kind == .file else {
            throw StoreError(
                .notAStore,
                reason: "\(path) is \(status.kind.rawValue), not a credential store."
            )
        }
        guard access(absolutePath, R_OK) == 0 || errno != EACCES else {
            throw StoreError(.notWritable, reason: "\(path) cannot be read: permission denied.")
        }
        guard status.size > 0 else {
            throw StoreError(.notAStore, reason: "\(path) is an empty file, not a credential store.")
        }
    }

    /// Examines the file.
    ///
    /// If another process opens or closes the store meanwhile, files are created or removed; the examination
    /// then starts again.
    private func lookInside(_ mode: SQLiteStoreMode) throws -> (
        database: ReadOnlyDatabase, contents: Contents
    ) {
        for _ in 0..<4 {
            let before = try FileSet(path: absolutePath)
            let result = Result {
                let database = try ReadOnlyDatabase(path: absolutePath, mayTouchIndex: mode != .readOnly)
                return (database, try database.read(contents))
            }
            if try FileSet(path: absolutePath) == before { return try result.get() }
        }
        let database = try ReadOnlyDatabase(path: absolutePath, mayTouchIndex: mode != .readOnly)
        return (database, try database.read(contents))
    }

    private func contents(_ db: Database) throws -> Contents {
        guard try ReadOnlyDatabase.isCredentialStore(db) else {
            throw StoreError(.notAStore, reason: "\(path) is a database, but not a credential store.")
        }
        let known = Set(Schema.migrator.migrations)
        // GRDB stores the names of versions as text, so any other value means that the file is damaged.
        let applied = Set(
            try DatabaseValue.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations").map {
                String.fromDatabaseValue($0) ?? ""
            }
        )
        guard !applied.isEmpty, !applied.contains("") else {
            throw StoreError(.damaged, reason: "\(path) is damaged: the version of its schema is missing.")
        }
        let unknown = applied.subtracting(known)
        guard unknown.isEmpty else {
            let names = unknown.sorted().map { "“\($0)”" }.joined(separator: ", ")
            throw StoreError(
                .newerVersion,
                reason:
                    "\(path) was written by a newer version of PushBridge, with unknown schema changes: \(names)."
            )
        }
        // This check comes after the check of the version, because a newer version may have added tables and indexes.
        try requireOwnObjects(db)
        return Contents(isComplete: applied == known, proof: try KeyCheck.proof(in: db))
    }

    /// Throws an error if the database contains a table, an index, a trigger or a view that this version of the package
    /// does not create.
    ///
    /// A trigger, for example, could change the data that PushBridge writes.
    func requireOwnObjects(_ db: Database) throws {
        let foreign = try Row.fetchOne(
            db,
            sql:
                "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT IN (\(Schema.names))"
        )
        guard let foreign else { return }
        let (type, name): (String, String) = (foreign[0], foreign[1])
        throw StoreError(
            .damaged,
            reason: "\(path) contains the \(type) “\(name)” of another program; nothing was changed."
        )
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        // There are no foreign keys, because notifications can remain after their credentials are removed.
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.observesSuspensionNotifications = true
        configuration.prepareDatabase { db in
            // The effects of these settings are: deleted values are overwritten at the next checkpoint,
            // temporary data is not written to disk, a manipulated schema cannot call functions, and Apple's
            // disks flush their caches on commit.
            try db.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA fullfsync = ON;
                    """
            )
            // Hashed ids are spread over the whole index, so a large transaction writes most of the index's
            // pages. The cache therefore has room for the index of 60,000 records, and SQLite makes a
            // checkpoint only after several such transactions. After the checkpoint, the size limit truncates
            // the log.
            if !db.configuration.readonly {
                try db.execute(
                    sql: """
                        PRAGMA cache_size = -6000;
                        PRAGMA wal_autocheckpoint = 4000;
                        PRAGMA journal_size_limit = 4194304;
                        """
                )
            }
        }
        return configuration
    }
}

private struct Contents {
    let isComplete: Bool
    let proof: Data?
}

/// The status of a database file, and which companion files it has.
private struct FileSet: Equatable {
    let database: FileStatus?
    let hasLog: Bool
    let hasIndex: Bool

    init(path: String) throws {
        database = try FileStatus(path: path)
        hasLog = try FileStatus(path: path + "-wal") != nil
        hasIndex = try FileStatus(path: path + "-shm") != nil
    }
}
