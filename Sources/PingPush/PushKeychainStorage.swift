public import PingLogger
public import PushBridgeClients
public import PushBridgeStore

#if canImport(Security)
public import Security
#endif

extension KeychainStorage where Failure == PushStorageError {
    /// Uses a keychain; reads nothing from it yet.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read; existing ones keep theirs.
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

    /// Uses the system's keychain; reads nothing from it yet.
    ///
    /// Where there is no such keychain, items stay in memory as long as the process runs.
    /// - Parameters:
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - logger: Receives a warning on platforms without a keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read; existing ones keep theirs.
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
        logger?.w("There is no keychain here: what is stored lasts as long as the process.", error: nil)
        #endif
    }

    #if canImport(Security)
    /// Uses the system's keychain; reads nothing from it yet.
    /// - Parameters:
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - logger: Not used: there is a keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read, a value of `kSecAttrAccessible`; see
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
    /// Uses the system's keychain; reads nothing from it yet.
    ///
    /// Where there is no such keychain, items stay in memory as long as the process runs.
    /// - Parameters:
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - logger: Receives a warning on platforms without a keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
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
