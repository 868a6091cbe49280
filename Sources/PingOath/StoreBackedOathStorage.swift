public import PushBridgeClients
public import PushBridgeCore
import PushBridgeStore

/// An ``OathStorage`` over a `CredentialStore`.
///
/// A conforming type only has to name its store.
public protocol StoreBackedOathStorage: OathStorage, StoreBacked where Failure == OathStorageError {}

/// Gives any `CredentialStore` the async API, so that push and one-time-password credentials live together.
public typealias CredentialStoreOathStorage = StoreStorage<OathStorageError>

/// Keeps credentials in a keychain.
public typealias OathKeychainStorage = KeychainStorage<OathStorageError>

/// Keeps credentials in an SQLite file, secrets sealed; to be shared between an app and its extensions.
public typealias OathSQLiteStorage = SQLiteStorage<OathStorageError>

extension StoreStorage: StoreBackedOathStorage, OathStorage where Failure == OathStorageError {}
extension KeychainStorage: StoreBackedOathStorage, OathStorage where Failure == OathStorageError {}
extension SQLiteStorage: StoreBackedOathStorage, OathStorage where Failure == OathStorageError {}

extension StoreBackedOathStorage {
    /// Stores a credential durably, and replaces one with the same id.
    /// - Parameter credential: The credential.
    /// - Throws: ``OathStorageError`` if the storage fails or may not be used now.
    public func storeOathCredential(_ credential: OathCredential) async throws {
        try await write { try $0.save(credential, keepsOtherLocks: true) }
    }

    /// The credential with an id.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: ``OathStorageError`` if the storage fails or may not be used now.
    public func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        try await read { try $0.oathCredential(id: credentialId) }
    }

    /// All credentials, oldest first.
    /// - Returns: The credentials that can be read.
    /// - Throws: ``OathStorageError`` if the storage fails or may not be used now.
    public func getAllOathCredentials() async throws -> [OathCredential] {
        try await read { try $0.oathCredentials().values }
    }

    /// The oldest credential of an account.
    /// - Parameters:
    ///   - issuer: The issuer, compared exactly.
    ///   - accountName: The user's name at the issuer, compared exactly.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: ``OathStorageError`` if the storage fails or may not be used now.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> OathCredential? {
        let account = AccountKey(issuer: issuer, accountName: accountName)
        return try await read { try $0.oathCredentials(account: account).first }
    }

    /// Removes a credential, and its account with its last credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether there was one.
    /// - Throws: ``OathStorageError`` if the storage fails or may not be used now.
    public func removeOathCredential(credentialId: String) async throws -> Bool {
        try await write { try $0.deleteCredential(OathCredential.self, id: credentialId) }
    }

    /// Removes all credentials.
    /// - Throws: ``OathStorageError`` if the storage fails or may not be used now.
    public func clearOathCredentials() async throws {
        try await removeAll(OathCredential.self)
    }
}
