public import PushBridgeCore
public import PushBridgeStore

/// Destinations for apps that keep the vendor's SDK and do not use a store of PushBridge.
public enum MigrationDestination {
    /// Returns the keychain items of the successor SDK (release 2.2) as a destination.
    ///
    /// The SDK reads all credentials that a migration stores there.
    ///
    /// Use this destination in an app that keeps the vendor's SDK and replaces only the SDK's migrator. The
    /// ledger and the account records are in services that the SDK does not read. Existing items keep their
    /// accessibility class. On a platform without a system keychain, the items exist only while the process
    /// runs.
    ///
    /// - Parameters:
    ///   - services: The names of the services, if the app changed the SDK's names.
    ///   - accessGroup: The access group that the app set for the SDK's storages, with the team's id as a prefix.
    ///   - accessibility: The accessibility class of new items; the SDK's default is `whenUnlockedThisDeviceOnly`.
    /// - Returns: The destination, which has not been read yet.
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
