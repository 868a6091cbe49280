import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// The stores that are tested against the contract.
///
/// A new store needs a new case.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case staged
    case sqlite
    case keychain
    case legacyItems

    /// The stores that can contain any record.
    ///
    /// The legacy SDK's items cannot contain several mechanisms of one kind in one account; accounts that share a
    /// legacy key; push ids that do not have the SDK's form; texts and dates that the SDK's archives cannot represent;
    /// the ledger; and import marks. The contract's tests of these records therefore do not apply to the legacy items.
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

/// An empty store and its folder.
struct StoreUnderTest: CredentialStore {
    let store: any CredentialStore
    let folder: TemporaryFolder?

    var backing: StoreBacking { store.backing }
}
