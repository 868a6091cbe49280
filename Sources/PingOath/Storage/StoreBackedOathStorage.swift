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
        try storing { try store.write { try $0.save(credential) } }
    }

    /// The credential with an id.
    public func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        try storing { try store.read { try $0.oathCredential(id: credentialId) } }
    }

    /// All credentials, oldest first.
    public func getAllOathCredentials() async throws -> [OathCredential] {
        try storing { try store.read { try $0.oathCredentials() } }
    }

    /// Removes a credential; answers whether there was one.
    public func removeOathCredential(credentialId: String) async throws -> Bool {
        try storing { try store.write { try $0.removeOathCredential(id: credentialId) } }
    }

    /// Removes all credentials.
    public func clearOathCredentials() async throws {
        try storing {
            try store.write { view in
                for id in try view.oathCredentialIDs() { try view.removeOathCredential(id: id) }
            }
        }
    }
}
