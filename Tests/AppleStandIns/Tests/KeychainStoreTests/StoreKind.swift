import PushBridgeCore
import PushBridgeStore
import Security

/// The store that the contract tests use here: the keychain store, on the stand-in for Apple's Security framework.
enum StoreKind: CaseIterable, Sendable {
    case systemKeychain

    /// The stores that accept any record.
    static let general = allCases

    func makeStore() throws -> StoreUnderTest {
        StandInKeychain.reset()
        return StoreUnderTest(store: KeychainCredentialStore(keychain: SystemKeychain()))
    }
}

/// An empty store.
struct StoreUnderTest: CredentialStore {
    let store: any CredentialStore

    var backing: StoreBacking { store.backing }
}
