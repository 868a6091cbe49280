import PushBridgeCore
import PushBridgeStore
import Security

/// The store that the contract is held against here: the one in Apple's keychain, over the stand-in.
enum StoreKind: CaseIterable, Sendable {
    case systemKeychain

    func makeStore() throws -> StoreUnderTest {
        StandInKeychain.reset()
        return StoreUnderTest(store: KeychainCredentialStore(keychain: SystemKeychain()))
    }
}

/// An empty store.
struct StoreUnderTest: CredentialStore {
    let store: any CredentialStore

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write(body)
    }

    var changes: AsyncStream<Void> { store.changes }
}
