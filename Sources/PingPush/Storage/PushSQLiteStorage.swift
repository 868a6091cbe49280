import Foundation

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

    /// The file `PingPush/push.sqlite` in the user's application support folder.
    ///
    /// Its key is in the keychain, or, where there is none, in the file `push.key` beside it.
    public static func standard() throws -> PushSQLiteStorage {
        do {
            return PushSQLiteStorage(try storing { try SQLiteCredentialStore.standard() })
        } catch let error as CocoaError {
            throw PushStorageError.storageFailure("The folder for the storage cannot be made.", error)
        }
    }

    /// Closes the file; nothing can be read or written afterwards.
    public func close() throws {
        try storing { try database.close() }
    }
}
