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
    /// The legacy SDK's items can contain only what that SDK can represent.
    ///
    /// Some parts of the contract therefore do not apply to the legacy items. These parts are: several
    /// mechanisms of one kind in one account; accounts that share a legacy key; push ids in another form than
    /// the SDK's; texts and dates that the SDK's archives cannot represent; the ledger; and import marks.
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
