/// Keeps everything in an SQLite file, secrets sealed; to be shared between an app and its extensions.
public final class PushSQLiteStorage: StoreBackedStorage {
    /// The store.
    public var store: any CredentialStore { database }
    private let database: SQLiteCredentialStore

    /// Opens the file at `path`, or makes it; throws `PushStorageError.storageFailure`.
    public init(path: String, key: some SealingKeyProvider) throws {
        database = try storing { try SQLiteCredentialStore(path: path, key: key, mode: .create) }
    }

    private init(_ database: SQLiteCredentialStore) {
        self.database = database
    }

    /// The file that serves where there is no keychain: see ``SQLiteCredentialStore/standard()``.
    public static func standard() throws -> PushSQLiteStorage {
        PushSQLiteStorage(try storing { try SQLiteCredentialStore.standard() })
    }

    /// Closes the file; nothing can be read or written afterwards.
    public func close() throws {
        try storing { try database.close() }
    }
}
