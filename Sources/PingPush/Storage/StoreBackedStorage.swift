import Foundation

/// A ``PushStorage`` over a `CredentialStore`, which does all the work in single transactions.
///
/// Whoever conforms names the store and is done.
public protocol StoreBackedStorage: PushStorage {
    /// The store.
    var store: any CredentialStore { get }
}

/// Gives any `CredentialStore` the async API, so that both APIs work on the same credentials.
public struct CredentialStoreStorage: StoreBackedStorage {
    /// The store.
    public let store: any CredentialStore

    /// Takes the store to adapt.
    public init(_ store: any CredentialStore) {
        self.store = store
    }
}

extension StoreBackedStorage {
    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try storing { try store.read(body) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try storing { try store.write(body) }
    }
}
