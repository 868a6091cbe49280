public import PushBridgeClients
public import PushBridgeCore
import PushBridgeStore

/// An ``OathStorage`` that uses a `CredentialStore`.
///
/// A type that conforms to this protocol only has to provide its store.
public protocol StoreBackedOathStorage: OathStorage, StoreBacked where Failure == OathStorageError {}

/// Adapts any `CredentialStore` to the async API, so that one store can contain push and one-time-password
/// credentials.
public typealias CredentialStoreOathStorage = StoreStorage<OathStorageError>

/// Stores credentials in a keychain.
public typealias OathKeychainStorage = KeychainStorage<OathStorageError>

/// Stores credentials in a SQLite file with sealed secrets.
///
/// An app can share the file with its extensions.
public typealias OathSQLiteStorage = SQLiteStorage<OathStorageError>

extension StoreStorage: StoreBackedOathStorage, OathStorage where Failure == OathStorageError {}
extension KeychainStorage: StoreBackedOathStorage, OathStorage where Failure == OathStorageError {}
extension SQLiteStorage: StoreBackedOathStorage, OathStorage where Failure == OathStorageError {}

extension StoreBackedOathStorage {
    /// Stores a credential durably, and replaces a credential with the same id.
    /// - Parameter credential: The credential.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    public func storeOathCredential(_ credential: OathCredential) async throws {
        try await write { try $0.save(credential, keepsOtherLocks: true) }
    }

    /// Returns the credential with an id.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    public func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        try await read { try $0.oathCredential(id: credentialId) }
    }

    /// Returns all credentials, oldest first.
    /// - Returns: The credentials that can be read.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    public func getAllOathCredentials() async throws -> [OathCredential] {
        try await read { try $0.oathCredentials().values }
    }

    /// Returns the oldest credential of an account.
    /// - Parameters:
    ///   - issuer: The issuer, compared exactly.
    ///   - accountName: The user's name at the issuer, compared exactly.
    /// - Returns: The credential; `nil` if the account has no credential.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> OathCredential? {
        let account = AccountKey(issuer: issuer, accountName: accountName)
        return try await read { try $0.oathCredentials(account: account).first }
    }

    /// Removes a credential, and also its account if the account has no other credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    public func removeOathCredential(credentialId: String) async throws -> Bool {
        try await write { try $0.deleteCredential(OathCredential.self, id: credentialId) }
    }

    /// Removes all credentials.
    /// - Throws: ``OathStorageError`` if the storage fails or cannot be accessed now.
    public func clearOathCredentials() async throws {
        try await removeAll(OathCredential.self)
    }
}
