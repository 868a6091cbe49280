import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// The kinds of stores in which a migration must have the same results.
enum StoreKind: CaseIterable {
    case memory
    case sqlite
    case keychain

    /// Creates an empty store.
    ///
    /// If the store is a file, the file is created in `folder`.
    func make(in folder: TemporaryFolder) throws -> any CredentialStore {
        switch self {
        case .memory: MemoryCredentialStore()
        case .keychain: KeychainCredentialStore(keychain: InMemoryKeychain())
        case .sqlite:
            try SQLiteCredentialStore(
                path: folder.path("\(folder.names().count).db"),
                key: InMemorySealingKey(),
                mode: .create
            )
        }
    }
}
