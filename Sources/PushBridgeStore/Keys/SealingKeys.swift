public import Crypto
public import PushBridgeCore

/// Where the key comes from that seals the secrets of a store.
///
/// A store asks while it is opened and never again. Both questions throw `StoreError` with the code `locked`
/// if the key cannot be read before the device is unlocked.
public protocol SealingKeyProvider: Sendable {
    /// The key of a store that exists; never makes one.
    ///
    /// - Returns: The key, of 32 bytes.
    /// - Throws: `StoreError`: with the code `keyMissing` only if there certainly is no key, `wrongKey` if there is none that
    ///   can be used, and `locked` or `failed` if it cannot be read.
    func existingKey() throws(StoreError) -> SymmetricKey

    /// The key for a store about to be made: the existing one, or else a new one.
    ///
    /// A new key is durable when the call returns, because the store must not outlive it.
    ///
    /// - Returns: The key, of 32 bytes.
    /// - Throws: `StoreError` if no key can be made or kept.
    func keyForNewStore() throws(StoreError) -> SymmetricKey
}

/// A key that lives as long as the process, for tests and rehearsals.
public struct InMemorySealingKey: SealingKeyProvider {
    private let key: SymmetricKey

    /// Creates a random key, or uses one of 32 bytes.
    /// - Parameter key: The key, of 32 bytes.
    public init(_ key: SymmetricKey = SymmetricKey(size: .bits256)) {
        self.key = key
    }

    /// The key.
    ///
    /// - Throws: ``StoreError`` with the code `wrongKey`, `locked` or `failed` if there is no key, or it cannot be
    ///   read.
    public func existingKey() throws(StoreError) -> SymmetricKey { key }

    /// The same key.
    ///
    /// - Throws: ``StoreError`` if no key can be made or kept.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey { key }
}
