public import PushBridgeCore
public import PushBridgeStore

/// The API's name for a storage that fails.
public protocol StorageFailure: Error {
    /// Names an error of a store.
    init(_ error: StoreError)
}

/// A storage of the async API that is over a `CredentialStore`, which does all the work in single transactions.
///
/// A conforming type only names the store.
public protocol StoreBacked: Sendable {
    /// The error of the storage.
    associatedtype Failure: StorageFailure
    /// The store.
    var store: any CredentialStore { get }
}

extension StoreBacked {
    /// Calls `body` with a view of the store, away from Swift's cooperative threads.
    ///
    /// - Throws: What `body` throws; a ``StoreError`` as the storage's own ``Failure``.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        do {
            return try await StoreAccess(store).read([], body)
        } catch let error as StoreError {
            throw Failure(error)
        }
    }

    /// Calls `body` with a view that can change the store, away from Swift's cooperative threads.
    ///
    /// - Throws: What `body` throws; a ``StoreError`` as the storage's own ``Failure``.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        do {
            return try await StoreAccess(store).write([], body)
        } catch let error as StoreError {
            throw Failure(error)
        }
    }

    /// Removes all credentials of a type, and their accounts with the last one.
    ///
    /// - Throws: The storage's own ``Failure`` if the store cannot be read or written.
    package func removeAll<Credential: CredentialRecord>(_ type: Credential.Type) async throws {
        try await write { view in
            for id in try view.ids(of: type.recordKind, where: .all) {
                try view.deleteCredential(type, id: id)
            }
        }
    }
}

/// Adapts any `CredentialStore` to the async API, so that both APIs work on the same credentials.
public struct StoreStorage<Failure: StorageFailure>: StoreBacked {
    /// The store.
    public let store: any CredentialStore

    /// Adapts a store.
    /// - Parameter store: The store, which other clients may use at the same time.
    public init(_ store: any CredentialStore) {
        self.store = store
    }
}

/// Stores everything in a keychain, one item for each value.
///
/// Items have the services, names and members that the successor SDK's storages give them. Items without an access
/// group belong to the app alone. By default they can be read only while the device is unlocked, so a push that arrives
/// while it is locked cannot be processed; `afterFirstUnlock…` allows that. Clients without a storage use
/// `StandardStore.open()`, whose items are readable after the first unlock. An app and its notification extension that
/// work at the same time share an SQLite file instead.
public final class KeychainStorage<Failure: StorageFailure>: StoreBacked {
    /// The store.
    public let store: any CredentialStore

    /// Uses a keychain; reads nothing from it yet.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - services: The services of its items.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read; existing ones keep theirs.
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

/// Stores everything in an SQLite file with sealed secrets; an app can share it with its extensions.
public final class SQLiteStorage<Failure: StorageFailure>: StoreBacked {
    /// The store.
    public var store: any CredentialStore { database }
    private let database: SQLiteCredentialStore

    /// Opens the file at `path`, or makes it.
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - key: The key that seals what is stored.
    /// - Throws: The API's `storageFailure` if it cannot be opened.
    public init(path: String, key: some SealingKeyProvider) throws {
        database = try Self.naming { try SQLiteCredentialStore(path: path, key: key, mode: .create) }
    }

    private init(_ database: SQLiteCredentialStore) {
        self.database = database
    }

    /// The file for platforms without a keychain: see ``SQLiteCredentialStore/standard(accessGroup:)``.
    ///
    /// - Returns: The storage.
    /// - Throws: The storage's own error if the file or its key can be neither opened nor created.
    public static func standard() throws -> SQLiteStorage {
        SQLiteStorage(try naming { try SQLiteCredentialStore.standard() })
    }

    /// Closes the file; nothing can be read or written afterwards.
    ///
    /// - Throws: The storage's own error if the file cannot be closed.
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
