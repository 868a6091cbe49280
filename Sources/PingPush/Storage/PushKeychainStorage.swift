/// Keeps everything in a keychain, one item for each value; the default on Apple platforms.
///
/// Items have the services, names and members that the new SDK's storage of this name gives them. Items without an
/// access group belong to the app alone. By default they can be read only while the device is unlocked, so a push
/// that arrives while it is locked cannot be processed; `afterFirstUnlock…` allows that. An app and its notification
/// extension that work at the same time share a ``PushSQLiteStorage`` instead.
public struct PushKeychainStorage: StoreBackedStorage {
    /// The store.
    public let store: any CredentialStore

    /// Takes the keychain to use, of which nothing is read yet.
    ///
    /// `accessibility` is given to new items; existing ones keep theirs.
    public init(
        keychain: any Keychain,
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .whenUnlockedThisDeviceOnly
    ) {
        store = KeychainCredentialStore(
            keychain: keychain,
            services: KeychainServices(
                credentials: credentialService,
                notifications: notificationService,
                tokens: tokenService
            ),
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}
