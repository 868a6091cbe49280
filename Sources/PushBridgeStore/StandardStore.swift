public import PushBridgeCore

/// The store that all APIs of an app work on unless told otherwise, so that each sees what the others do.
public enum StandardStore {
    /// Opens the store: the keychain on Apple platforms, ``SQLiteCredentialStore/standard()`` elsewhere.
    public static func open() throws(StoreError) -> any CredentialStore {
        #if canImport(Security)
        return KeychainCredentialStore(keychain: SystemKeychain())
        #else
        return try SQLiteCredentialStore.standard()
        #endif
    }
}
