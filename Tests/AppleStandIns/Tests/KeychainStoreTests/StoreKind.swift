import PushBridgeCore
import PushBridgeStore
import Security

/// The store that the contract tests run against here: the one in Apple's keychain, on the stand-in.
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
