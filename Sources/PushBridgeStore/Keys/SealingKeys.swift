public import Crypto
public import PushBridgeCore

/// Provides the key that seals the secrets of a store.
///
/// A store requests the key only when the store is opened. Both methods throw `StoreError` with the code
/// `locked` if the device has to be unlocked before the key can be read.
public protocol SealingKeyProvider: Sendable {
    /// Returns the key of an existing store; never creates a key.
    ///
    /// - Returns: The key, of 32 bytes.
    /// - Throws: `StoreError` with the code `keyMissing` only if the key certainly does not exist, `wrongKey` if it is
    ///   unusable, and `locked` or `failed` if it cannot be read.
    func existingKey() throws(StoreError) -> SymmetricKey

    /// Returns the key for a new store: the existing key or, if there is none, a new key.
    ///
    /// A new key is durable when the call returns, because a store is lost without its key.
    ///
    /// - Returns: The key, of 32 bytes.
    /// - Throws: `StoreError` if an existing key cannot be read, or if no key can be created or stored.
    func keyForNewStore() throws(StoreError) -> SymmetricKey
}

/// A key in memory for the lifetime of the process, for tests and rehearsals.
public struct InMemorySealingKey: SealingKeyProvider {
    private let key: SymmetricKey

    /// Creates a provider of a key of 32 bytes; by default, the key is random.
    /// - Parameter key: The key, of 32 bytes.
    public init(_ key: SymmetricKey = SymmetricKey(size: .bits256)) {
        self.key = key
    }

    /// Returns the key that was passed to ``init(_:)``.
    ///
    /// - Throws: Never, although the protocol permits it.
    public func existingKey() throws(StoreError) -> SymmetricKey { key }

    /// Returns the key, which is the same for new and for existing stores.
    ///
    /// - Throws: Never, although the protocol permits it.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey { key }
}
