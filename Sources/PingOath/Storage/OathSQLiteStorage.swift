/// Keeps credentials in an SQLite file, secrets sealed; to be shared between an app and its extensions.
public final class OathSQLiteStorage: StoreBackedOathStorage {
    /// The store.
    public var store: any CredentialStore { database }
    private let database: SQLiteCredentialStore

    /// Opens the file at `path`, or makes it; throws ``OathStorageError/storageFailure(_:_:)``.
    public init(path: String, key: some SealingKeyProvider) throws {
        database = try storing { try SQLiteCredentialStore(path: path, key: key, mode: .create) }
    }

    private init(_ database: SQLiteCredentialStore) {
        self.database = database
    }

    /// The file that serves where there is no keychain: see ``SQLiteCredentialStore/standard()``.
    public static func standard() throws -> OathSQLiteStorage {
        OathSQLiteStorage(try storing { try SQLiteCredentialStore.standard() })
    }

    /// Closes the file; nothing can be read or written afterwards.
    public func close() throws {
        try storing { try database.close() }
    }
}
