import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// Every store that the contract holds for; a new store is a new case.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case staged
    case sqlite
    case keychain
    case legacyItems

    /// The stores that hold any record; the legacy SDK's items hold what that SDK has a place for.
    ///
    /// Not for the legacy items are the parts of the contract about what these cannot hold: several mechanisms of a kind in
    /// one account, accounts that share a legacy key, ids of pushes other than the SDK's, texts and dates that no archive of
    /// the SDK has, a ledger, and import marks.
    static let general = allCases.filter { $0 != .legacyItems }

    func makeStore() throws -> StoreUnderTest {
        switch self {
        case .memory:
            return StoreUnderTest(store: MemoryCredentialStore(), folder: nil)
        case .keychain:
            let store = KeychainCredentialStore(keychain: InMemoryKeychain())
            return StoreUnderTest(store: store, folder: nil)
        case .legacyItems:
            let store = LegacyItemStore(LegacyKeychain(InMemoryKeychain()))
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

    var backing: StoreBacking { store.backing }
}
