import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// Every store that the contract holds for; a new store is a new case.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case staged
    case sqlite
    case keychain

    func makeStore() throws -> StoreUnderTest {
        switch self {
        case .memory:
            return StoreUnderTest(store: MemoryCredentialStore(), folder: nil)
        case .keychain:
            let store = KeychainCredentialStore(keychain: InMemoryKeychain())
            return StoreUnderTest(store: store, folder: nil)
        case .staged:
            return StoreUnderTest(store: StagedStore(), folder: nil)
        case .sqlite:
            let folder = try TemporaryFolder()
            let store = try SQLiteCredentialStore(
                path: folder.path("store.sqlite"),
                key: InMemorySealingKey(),
                mode: .create
            )
            return StoreUnderTest(store: store, folder: folder)
        }
    }
}

/// An empty store together with the folder it lives in.
struct StoreUnderTest: CredentialStore {
    let store: any CredentialStore
    let folder: TemporaryFolder?

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write(body)
    }

    var changes: AsyncStream<Void> { store.changes }
}
