public import PushBridgeCore
public import PushBridgeStore

/// The error that the API throws if a storage fails.
public protocol StorageFailure: Error {
    /// Converts an error of a store.
    init(_ error: StoreError)
}

/// A storage of the async API that uses a `CredentialStore`.
///
/// The storage performs each operation in a single transaction.
///
/// A type that conforms to this protocol only has to provide its store.
public protocol StoreBacked: Sendable {
    /// The error of the storage.
    associatedtype Failure: StorageFailure
    /// The store that contains the values.
    var store: any CredentialStore { get }
}

extension StoreBacked {
    /// Calls `body` with a view of the store, on a thread that Swift's tasks do not use.
    ///
    /// - Throws: The errors of `body`; a ``StoreError`` is converted into ``Failure``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        do {
            return try await StoreAccess(store).read([], body)
        } catch let error as StoreError {
            throw Failure(error)
        }
    }

    /// Calls `body` with a view that can change the store, on a thread that Swift's tasks do not use.
    ///
    /// - Throws: The errors of `body`; a ``StoreError`` is converted into ``Failure``.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        do {
            return try await StoreAccess(store).write([], body)
        } catch let error as StoreError {
            throw Failure(error)
        }
    }

    /// Removes all credentials of a type, and also each account whose last credential is removed.
    ///
    /// - Throws: ``Failure`` if the store cannot be read or written.
    package func removeAll<Credential: CredentialRecord>(_ type: Credential.Type) async throws {
        try await write { view in
            for id in try view.ids(of: type.recordKind, where: .all) {
                try view.deleteCredential(type, id: id)
            }
        }
    }
}

/// Adapts any `CredentialStore` to the async API, so that both APIs use the same credentials.
public struct StoreStorage<Failure: StorageFailure>: StoreBacked {
    /// The store that contains the values.
    public let store: any CredentialStore

    /// Creates a storage that uses a store.
    /// - Parameter store: The store, which other clients may use at the same time.
    public init(_ store: any CredentialStore) {
        self.store = store
    }
}

/// Stores all values in a keychain.
///
/// The items have the same services, names and members as those in the storages of the successor SDK. Without an
/// access group, new items are in the app's own group.
///
/// By default, items can be read only while the device is unlocked, so a push that arrives on a locked device
/// cannot be processed. With `afterFirstUnlock…`, the push can be processed after the first unlock. A client whose
/// configuration names no storage uses `StandardStore.open()`, whose items are readable after the first unlock.
///
/// If an app and its extensions write at the same time, set `StandardStore.folder` in each of them, or let them share a
/// SQLite file instead.
public final class KeychainStorage<Failure: StorageFailure>: StoreBacked {
    /// The store that contains the values.
    public let store: any CredentialStore

    /// Creates a storage in a keychain, without reading the keychain.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The services of the keychain items.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    ///   - accessibility: The accessibility class of new items; existing items keep their class.
    public init(
        keychain: any Keychain,
        services: KeychainServices = KeychainServices(),
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .whenUnlockedThisDeviceOnly
    ) {
        store = KeychainCredentialStore(
            keychain: keychain,
            services: services,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}

/// Stores all values in a SQLite file, in which secrets are sealed.
///
/// An app can share the file with its extensions.
public final class SQLiteStorage<Failure: StorageFailure>: StoreBacked {
    /// The store that contains the values.
    public var store: any CredentialStore { database }
    private let database: SQLiteCredentialStore

    /// Opens the file at `path`, or creates it.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - key: The provider of the key that seals the stored values.
    /// - Throws: `Failure` if the file or its key can be neither opened nor created.
    public init(path: String, key: some SealingKeyProvider) throws {
        database = try Self.naming { try SQLiteCredentialStore(path: path, key: key, mode: .create) }
    }

    private init(_ database: SQLiteCredentialStore) {
        self.database = database
    }

    /// Opens the standard file, which is the default store on platforms without a keychain; see
    /// ``SQLiteCredentialStore/standard(accessGroup:)``.
    ///
    /// - Returns: The storage.
    /// - Throws: `Failure` if the file or its key can be neither opened nor created.
    public static func standard() throws -> SQLiteStorage {
        SQLiteStorage(try naming { try SQLiteCredentialStore.standard() })
    }

    /// Closes the file.
    ///
    /// Afterwards the storage can be neither read nor written.
    ///
    /// - Throws: `Failure` if the file cannot be closed.
    public func close() throws {
        try Self.naming { try database.close() }
    }

    private static func naming<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw Failure(error)
        }
    }
}
