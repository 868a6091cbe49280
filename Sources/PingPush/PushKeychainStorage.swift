public import PingLogger
public import PushBridgeClients
public import PushBridgeStore

#if canImport(Security)
public import Security
#endif

extension KeychainStorage where Failure == PushStorageError {
    /// Creates a storage in a keychain, without reading the keychain.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    ///   - accessibility: The accessibility class of new items; existing items keep their class.
    public convenience init(
        keychain: any Keychain,
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .whenUnlockedThisDeviceOnly
    ) {
        self.init(
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

    /// Creates a storage in the system's keychain, without reading the keychain.
    ///
    /// On platforms without this keychain, items are kept in memory until the process ends.
    /// - Parameters:
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - logger: Receives a warning on platforms without a keychain.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    ///   - accessibility: The accessibility class of new items; existing items keep their class.
    public convenience init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        logger: (any Logger)? = nil,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility
    ) {
        self.init(
            keychain: StandardStore.keychain,
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
        #if !canImport(Security)
        logger?.w("There is no keychain: items are lost when the process ends.", error: nil)
        #endif
    }

    #if canImport(Security)
    /// Creates a storage in the system's keychain, without reading the keychain.
    /// - Parameters:
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - logger: Not used, because the platform has a keychain.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    ///   - accessibility: The accessibility class of new items, a value of `kSecAttrAccessible`; see
    ///     `KeychainAccessibility.init(attribute:)`.
    public convenience init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        logger: (any Logger)? = nil,
        accessGroup: String? = nil,
        accessibility: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) {
        self.init(
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            logger: logger,
            accessGroup: accessGroup,
            accessibility: KeychainAccessibility(attribute: accessibility)
        )
    }
    #else
    /// Creates a storage whose items are kept in memory until the process ends, because this platform has no keychain.
    ///
    /// Storages with the same services share their items.
    /// - Parameters:
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - logger: Receives a warning that there is no keychain.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    public convenience init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        logger: (any Logger)? = nil,
        accessGroup: String? = nil
    ) {
        self.init(
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            logger: logger,
            accessGroup: accessGroup,
            accessibility: .whenUnlockedThisDeviceOnly
        )
    }
    #endif
}
