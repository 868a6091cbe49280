#if canImport(Security)
import PushBridgeStore
import LegacyStore

extension MigrationSource {
    /// The legacy SDK's items in this device's keychain, the sealed ones opened with the key in its Secure Enclave.
    public static var keychain: MigrationSource {
        .keychain(SystemKeychain(), key: SecureEnclaveItemKey())
    }

    /// What the vendor's new SDK keeps in this device's keychain.
    public static var newSDKKeychain: MigrationSource { .newSDKKeychain(SystemKeychain()) }
}
#endif
