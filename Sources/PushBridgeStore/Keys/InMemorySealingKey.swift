public import Crypto
public import PushBridgeCore

/// A key that lives as long as the process, for tests and rehearsals.
public struct InMemorySealingKey: SealingKeyProvider {
    private let key: SymmetricKey

    /// Makes a random key, or takes one of 32 bytes.
    public init(_ key: SymmetricKey = SymmetricKey(size: .bits256)) {
        self.key = key
    }

    /// The key.
    public func existingKey() throws(StoreError) -> SymmetricKey { key }

    /// The same key.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey { key }
}
