import Foundation
public import PushBridgeCore
public import PushBridgeStore

/// Where a client keeps one-time-password credentials.
///
/// What is not there is `nil` or `false`, never an error.
///
/// An app's own storage serves one client at a time, which runs its transactions on it one after the other. It keeps no
/// accounts: each credential says what its account is. A storage that calls its client, or waits for a task that does,
/// gets ``OathStorageError/storageFailure(_:_:)``, because each would wait for the other.
public protocol OathStorage: Sendable {
    /// Stores a credential durably, replacing one with the same id.
    func storeOathCredential(_ credential: OathCredential) async throws
    /// The credential with an id.
    func retrieveOathCredential(credentialId: String) async throws -> OathCredential?
    /// All credentials, oldest first.
    func getAllOathCredentials() async throws -> [OathCredential]
    /// Removes a credential.
    /// - Returns: Whether there was one.
    func removeOathCredential(credentialId: String) async throws -> Bool
    /// Removes all credentials.
    func clearOathCredentials() async throws
}

/// An ``OathStorage`` over a `CredentialStore`, which does all the work in single transactions.
///
/// Whoever conforms names the store and is done.
public protocol StoreBackedOathStorage: OathStorage {
    /// The store.
    var store: any CredentialStore { get }
}

/// Gives any `CredentialStore` the async API, so that push and one-time-password credentials live together.
public struct CredentialStoreOathStorage: StoreBackedOathStorage {
    /// The store.
    public let store: any CredentialStore

    /// Takes the store to adapt.
    public init(_ store: any CredentialStore) {
        self.store = store
    }
}

extension StoreBackedOathStorage {
    /// Stores a credential, replacing one with the same id.
    public func storeOathCredential(_ credential: OathCredential) async throws {
        try await write { try $0.save(credential) }
    }

    /// The credential with an id.
    public func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        try await read { try $0.oathCredential(id: credentialId) }
    }

    /// All credentials that can be read, oldest first.
    public func getAllOathCredentials() async throws -> [OathCredential] {
        try await read { try $0.oathCredentials().values }
    }

    /// Removes a credential, and its account with its last credential.
    /// - Returns: Whether there was one.
    public func removeOathCredential(credentialId: String) async throws -> Bool {
        try await write { try $0.deleteCredential(OathCredential.self, id: credentialId) }
    }

    /// Removes all credentials.
    public func clearOathCredentials() async throws {
        try await write { view in
            for id in try view.ids(of: OathCredential.self, where: .all) {
                try view.deleteCredential(OathCredential.self, id: id)
            }
        }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try await ClientErrors.oath.naming { try await DirectStorage(store).read([], body) }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        try await ClientErrors.oath.naming { try await DirectStorage(store).write([], body) }
    }
}

/// Keeps credentials in an SQLite file, secrets sealed; to be shared between an app and its extensions.
public final class OathSQLiteStorage: StoreBackedOathStorage {
    /// The store.
    public var store: any CredentialStore { database }
    private let database: SQLiteCredentialStore

    /// Opens the file at `path`, or makes it.
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - key: The key that seals what is stored.
    /// - Throws: ``OathStorageError/storageFailure(_:_:)`` if it cannot be opened.
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

/// Works on an app's own ``OathStorage``.
struct OwnedOathStorage: AppStorage {
    typealias Credential = OathCredential

    private let storage: any OathStorage

    init(_ storage: any OathStorage) {
        self.storage = storage
    }

    func loadable(_ kind: RecordKind, _ query: RecordQuery) -> RecordQuery? {
        switch kind {
        case .oath: RecordQuery(id: query.id)
        case .account: query.id.map { RecordQuery(id: $0) }
        case .push, .notification, .deviceToken, .ledger: nil
        }
    }

    func load(_ demand: RecordDemand, into loaded: inout LoadedRecords) async throws {
        try await naming {
            if demand.kind == .oath, let id = demand.query.id {
                let credential = try await storage.retrieveOathCredential(credentialId: id)
                loaded.add([credential].compactMap(\.self), for: demand)
            } else {
                // Their accounts are told by all credentials as well.
                let all = try await storage.getAllOathCredentials()
                let sorted = all.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
                loaded.add(sorted, for: RecordDemand(.oath))
            }
        }
    }

    func apply(_ changes: RecordChanges, over loaded: LoadedRecords) async throws {
        try await naming {
            for credential in changes.stored(OathCredential.self) {
                if var known = loaded.value(OathCredential.self, id: credential.id) ?? nil {
                    // Such a storage keeps no accounts, and need not keep their date.
                    known.account.addedAt = credential.account.addedAt
                    if known == credential { continue }
                }
                try await storage.storeOathCredential(credential)
            }
            for id in changes.removed(.oath) { _ = try await storage.removeOathCredential(credentialId: id) }
        }
    }

    /// Gives errors that the API does not know its name for them.
    private func naming<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error where error is OathStorageError || error is OathError || error is CancellationError
        {
            throw error
        } catch let error as StoreError {
            throw OathStorageError(error)
        } catch {
            throw OathStorageError.storageFailure(error.localizedDescription, error)
        }
    }
}
