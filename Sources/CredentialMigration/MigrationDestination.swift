public import PushBridgeCore
public import PushBridgeStore

/// A destination of a migration other than a store of this package's own APIs.
public enum MigrationDestination {
    /// The keychain items of the successor SDK, release 2.2, which reads all that a migration stores there.
    ///
    /// For an app that keeps the vendor's SDK and replaces only its migrator. The ledger and the accounts as records of
    /// their own are in services that the SDK does not read; an item that is there keeps its accessibility. Where there is
    /// no keychain of the system, the items last as long as the process.
    ///
    /// - Parameters:
    ///   - services: The names of the services; those of the SDK unless the app changed them.
    ///   - accessGroup: The group that the app gave the SDK's storages, with the team's id before it.
    ///   - accessibility: When new items can be read; the SDK's default is `whenUnlockedThisDeviceOnly`.
    /// - Returns: The destination; nothing is read yet.
    public static func successorKeychain(
        services: KeychainServices = KeychainServices(),
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) -> any CredentialStore {
        KeychainCredentialStore(
            keychain: StandardStore.keychain,
            services: services,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}
