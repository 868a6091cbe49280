public import PingLogger
public import PushBridgeClients
public import PushBridgeCore
import PushBridgeStore

#if canImport(Security)
public import Security
#endif

extension KeychainStorage where Failure == OathStorageError {
    /// Creates a storage in the system's keychain, without reading the keychain.
    ///
    /// On platforms without this keychain, items are kept in memory until the process ends.
    /// - Parameters:
    ///   - service: The service of the items that contain credentials. The items that contain secrets have
    ///     this service with the suffix `.secrets`.
    ///   - logger: Receives a warning on platforms without a keychain.
    ///   - securityOptions: The accessibility of the items, and whether the owner of the device must
    ///     authenticate.
    public convenience init(
        service: String = "com.pingidentity.oath",
        logger: (any Logger)? = nil,
        securityOptions: OathKeychainSecurityOptions = .standard
    ) {
        let services = KeychainServices(oathCredentials: service)
        self.init(
            keychain: StandardStore.keychain(
                asking: securityOptions.presence,
                services: [services.oathCredentials, services.oathSecrets]
            ),
            services: services,
            accessGroup: securityOptions.accessGroup,
            accessibility: securityOptions.keychainAccessibility
        )
        #if !canImport(Security)
        logger?.w("There is no keychain: items are lost when the process ends.", error: nil)
        #endif
    }

    #if canImport(Security)
    /// Creates a storage in the system's keychain, without reading the keychain.
    /// - Parameters:
    ///   - service: The service of the items that contain credentials. The items that contain secrets have
    ///     this service with the suffix `.secrets`.
    ///   - logger: Not used, because the platform has a keychain.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    ///   - accessibility: The accessibility class of new items, a value of `kSecAttrAccessible`; see
    ///     `KeychainAccessibility.init(attribute:)`.
    public convenience init(
        service: String = "com.pingidentity.oath",
        logger: (any Logger)? = nil,
        accessGroup: String? = nil,
        accessibility: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) {
        self.init(
            service: service,
            logger: logger,
            securityOptions: OathKeychainSecurityOptions(
                accessibility: accessibility,
                accessGroup: accessGroup
            )
        )
    }
    #else
    /// Creates a storage whose items are kept in memory until the process ends, because this platform has no keychain.
    ///
    /// Storages with the same service share their items.
    /// - Parameters:
    ///   - service: The service of the items that contain credentials. The items that contain secrets have
    ///     this service with the suffix `.secrets`.
    ///   - logger: Receives a warning that there is no keychain.
    ///   - accessGroup: The access group of the apps that share the items; `nil` means the app's own group for new
    ///     items, and all groups of the app for reading.
    public convenience init(
        service: String = "com.pingidentity.oath",
        logger: (any Logger)? = nil,
        accessGroup: String?
    ) {
        self.init(
            service: service,
            logger: logger,
            securityOptions: OathKeychainSecurityOptions(accessGroup: accessGroup)
        )
    }
    #endif

    /// Returns whether a credential with an id is stored, or might be stored.
    /// - Parameter id: The credential's id.
    /// - Returns: Whether the credential is stored. If it cannot be read, for example because the keychain is locked
    ///   or the credential is damaged, the result is also `true`, so that the credential does not appear to be
    ///   removed. The error of ``retrieveOathCredential(credentialId:)`` states the reason.
    public func hasCredential(id: String) async -> Bool {
        do {
            return try await retrieveOathCredential(credentialId: id) != nil
        } catch {
            return true
        }
    }
}

/// The accessibility of the items of an ``OathKeychainStorage``, and whether the owner of the device must authenticate.
///
/// The options apply to new items; existing items keep their options.
public struct OathKeychainSecurityOptions: Sendable {
    /// The accessibility class of the items: a value of `kSecAttrAccessible` as text.
    public let accessibility: String
    /// Whether reading a credential requires the owner's face or finger.
    public let requireBiometrics: Bool
    /// Whether reading a credential requires the device's passcode.
    ///
    /// If ``requireBiometrics`` is also `true`, either the passcode or biometric authentication suffices.
    public let requireDevicePasscode: Bool
    /// The reason that the prompt shows; `nil` means the system's text.
    public let biometricPrompt: String?
    /// The access group of the apps that share the items.
    ///
    /// `nil` means the app's own group for new items, and all groups of the app for reading.
    public let accessGroup: String?

    /// Options for items that can be read while the device is unlocked.
    ///
    /// The owner of the device need not authenticate.
    public static let standard = OathKeychainSecurityOptions()
    /// Options for items that can be read only after authentication with the owner's face, finger or
    /// passcode.
    public static let biometric = OathKeychainSecurityOptions(
        requireBiometrics: true,
        requireDevicePasscode: true
    )
    /// Options for items that can be read only after authentication with the owner's face or finger.
    ///
    /// If a face or a finger is enrolled or removed later, the items can no longer be read.
    public static let biometricOnly = OathKeychainSecurityOptions(requireBiometrics: true)

    /// Returns options for items that a group of apps shares.
    /// - Parameter accessGroup: The group.
    /// - Returns: The options, which are otherwise the same as ``standard``.
    public static func shared(accessGroup: String) -> OathKeychainSecurityOptions {
        OathKeychainSecurityOptions(accessGroup: accessGroup)
    }

    /// Creates options.
    /// - Parameters:
    ///   - accessibility: The accessibility class.
    ///   - requireBiometrics: Whether reading requires the owner's face or finger.
    ///   - requireDevicePasscode: Whether reading requires the device's passcode.
    ///   - biometricPrompt: The reason that the prompt shows.
    ///   - accessGroup: The access group of the apps that share the items.
    public init(
        accessibility: KeychainAccessibility,
        requireBiometrics: Bool = false,
        requireDevicePasscode: Bool = false,
        biometricPrompt: String? = nil,
        accessGroup: String? = nil
    ) {
        keychainAccessibility = accessibility
        self.accessibility = accessibility.rawValue
        self.requireBiometrics = requireBiometrics
        self.requireDevicePasscode = requireDevicePasscode
        self.biometricPrompt = biometricPrompt
        self.accessGroup = accessGroup
    }

    #if canImport(Security)
    /// Creates options with the successor SDK's parameters.
    /// - Parameters:
    ///   - accessibility: The accessibility class, a value of `kSecAttrAccessible`.
    ///   - requireBiometrics: Whether reading requires the owner's face or finger.
    ///   - requireDevicePasscode: Whether reading requires the device's passcode.
    ///   - biometricPrompt: The reason that the prompt shows.
    ///   - accessGroup: The access group of the apps that share the items.
    public init(
        accessibility: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        requireBiometrics: Bool = false,
        requireDevicePasscode: Bool = false,
        biometricPrompt: String? = nil,
        accessGroup: String? = nil
    ) {
        self.init(
            accessibility: KeychainAccessibility(attribute: accessibility),
            requireBiometrics: requireBiometrics,
            requireDevicePasscode: requireDevicePasscode,
            biometricPrompt: biometricPrompt,
            accessGroup: accessGroup
        )
    }
    #else
    /// Creates options for items that can be read while the device is unlocked.
    /// - Parameters:
    ///   - requireBiometrics: Whether reading requires the owner's face or finger.
    ///   - requireDevicePasscode: Whether reading requires the device's passcode.
    ///   - biometricPrompt: The reason that the prompt shows.
    ///   - accessGroup: The access group of the apps that share the items.
    public init(
        requireBiometrics: Bool = false,
        requireDevicePasscode: Bool = false,
        biometricPrompt: String? = nil,
        accessGroup: String? = nil
    ) {
        self.init(
            accessibility: .whenUnlockedThisDeviceOnly,
            requireBiometrics: requireBiometrics,
            requireDevicePasscode: requireDevicePasscode,
            biometricPrompt: biometricPrompt,
            accessGroup: accessGroup
        )
    }
    #endif

    let keychainAccessibility: KeychainAccessibility

    /// The authentication that the owner needs; `nil` if no authentication is required.
    var presence: OwnerPresence? {
        guard requireBiometrics || requireDevicePasscode else { return nil }
        let way: OwnerPresence.Way =
            requireBiometrics ? (requireDevicePasscode ? .biometricsOrPasscode : .biometrics) : .passcode
        return OwnerPresence(way: way, prompt: biometricPrompt)
    }
}
