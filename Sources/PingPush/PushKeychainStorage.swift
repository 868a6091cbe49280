public import PingLogger
public import PushBridgeClients
public import PushBridgeStore

#if canImport(Security)
public import Security
#endif

extension KeychainStorage where Failure == PushStorageError {
    /// Takes the keychain to use, of which nothing is read yet.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read; existing ones keep theirs.
    public init(
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

    /// Uses the system's keychain, of which nothing is read yet.
    ///
    /// Where there is no such keychain, items stay in memory as long as the process runs.
    /// - Parameters:
    ///   - logger: Is warned where there is no keychain.
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read; existing ones keep theirs.
    public init(
        logger: (any Logger)? = nil,
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
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
    /// Uses the system's keychain, of which nothing is read yet.
    /// - Parameters:
    ///   - logger: Not used: there is a keychain.
    ///   - credentialService: The service of credentials.
    ///   - notificationService: The service of notifications.
    ///   - tokenService: The service of the device token.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read, a value of `kSecAttrAccessible`; see
    ///     `KeychainAccessibility.init(attribute:)`.
    public init(
        logger: (any Logger)? = nil,
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) {
        self.init(
            logger: logger,
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: KeychainAccessibility(attribute: accessibility)
        )
    }
    #else
    /// Uses a keychain in memory, because there is no other; see the spelling that takes an accessibility.
    public init(logger: (any Logger)? = nil) {
        self.init(logger: logger, accessibility: .whenUnlockedThisDeviceOnly)
    }
    #endif
}
