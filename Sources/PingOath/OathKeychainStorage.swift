public import PingLogger
public import PushBridgeClients
public import PushBridgeCore
import PushBridgeStore

#if canImport(Security)
public import Security
#endif

extension KeychainStorage where Failure == OathStorageError {
    /// Uses the system's keychain; reads nothing from it yet.
    ///
    /// Where there is no such keychain, items stay in memory as long as the process runs.
    /// - Parameters:
    ///   - service: The service of the credentials; that of their secrets is the same with `.secrets` behind it.
    ///   - logger: Receives a warning on platforms without a keychain.
    ///   - securityOptions: The accessibility of items, and whether the owner must authenticate.
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
        logger?.w("There is no keychain here: what is stored lasts as long as the process.", error: nil)
        #endif
    }

    #if canImport(Security)
    /// Uses the system's keychain; reads nothing from it yet.
    /// - Parameters:
    ///   - service: The service of the credentials; that of their secrets is the same with `.secrets` behind it.
    ///   - logger: Not used: there is a keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
    ///   - accessibility: When new items can be read, a value of `kSecAttrAccessible`; see
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
    /// Uses a keychain in memory, because there is no other.
    /// - Parameters:
    ///   - service: The service of the credentials; that of their secrets is the same with `.secrets` behind it.
    ///   - logger: Is warned that there is no keychain.
    ///   - accessGroup: The group of apps that share the items; `nil` is the app's own.
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

    /// Returns whether a credential with an id is stored, or may be.
    /// - Parameter id: The credential's id.
    /// - Returns: Whether it is; also `true` if the keychain is locked or the credential is damaged, so that it does
    ///   not appear to be removed. Retrieving the credential throws the reason.
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
/// The options apply to new items; existing items keep theirs.
public struct OathKeychainSecurityOptions: Sendable {
    /// When items can be read: a value of `kSecAttrAccessible` as text.
    public let accessibility: String
    /// Whether reading a credential requires the owner's face or finger.
    public let requireBiometrics: Bool
    /// Whether reading a credential requires the device's passcode; with ``requireBiometrics``, either of them
    /// suffices.
    public let requireDevicePasscode: Bool
    /// The reason that the prompt shows; `nil` means the system's text.
    public let biometricPrompt: String?
    /// The group of apps that share the items; `nil` is the app's own.
    public let accessGroup: String?

    /// Items that can be read while the device is unlocked, without asking the owner.
    public static let standard = OathKeychainSecurityOptions()
    /// Reading items requires face, finger or passcode.
    public static let biometric = OathKeychainSecurityOptions(
        requireBiometrics: true,
        requireDevicePasscode: true
    )
    /// Reading items requires face or finger; faces and fingers that are enrolled later are not accepted.
    public static let biometricOnly = OathKeychainSecurityOptions(requireBiometrics: true)

    /// Items that a group of apps shares.
    /// - Parameter accessGroup: The group.
    /// - Returns: The options, otherwise ``standard``.
    public static func shared(accessGroup: String) -> OathKeychainSecurityOptions {
        OathKeychainSecurityOptions(accessGroup: accessGroup)
    }

    /// Names the options.
    /// - Parameters:
    ///   - accessibility: When items can be read.
    ///   - requireBiometrics: Whether reading requires the owner's face or finger.
    ///   - requireDevicePasscode: Whether reading requires the device's passcode.
    ///   - biometricPrompt: The reason that the prompt shows.
    ///   - accessGroup: The group of apps that share the items.
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
    /// Names the options as the successor SDK does.
    /// - Parameters:
    ///   - accessibility: When items can be read, a value of `kSecAttrAccessible`.
    ///   - requireBiometrics: Whether reading requires the owner's face or finger.
    ///   - requireDevicePasscode: Whether reading requires the device's passcode.
    ///   - biometricPrompt: The reason that the prompt shows.
    ///   - accessGroup: The group of apps that share the items.
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
    /// Names the options; items can be read while the device is unlocked.
    /// - Parameters:
    ///   - requireBiometrics: Whether reading requires the owner's face or finger.
    ///   - requireDevicePasscode: Whether reading requires the device's passcode.
    ///   - biometricPrompt: The reason that the prompt shows.
    ///   - accessGroup: The group of apps that share the items.
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

    /// The owner's authentication; `nil` if none is required.
    var presence: OwnerPresence? {
        guard requireBiometrics || requireDevicePasscode else { return nil }
        let way: OwnerPresence.Way =
            requireBiometrics ? (requireDevicePasscode ? .biometricsOrPasscode : .biometrics) : .passcode
        return OwnerPresence(way: way, prompt: biometricPrompt)
    }
}
