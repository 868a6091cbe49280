#if canImport(Security)
public import Foundation
public import Security

extension PushKeychainStorage {
    /// Uses the system's keychain, of which nothing is read yet.
    ///
    /// `accessibility` is a value of `kSecAttrAccessible`; see `KeychainAccessibility.init(attribute:)`.
    public init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) {
        self.init(
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: KeychainAccessibility(attribute: accessibility)
        )
    }

    /// Uses the system's keychain, of which nothing is read yet.
    public init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility
    ) {
        self.init(
            keychain: SystemKeychain(),
            credentialService: credentialService,
            notificationService: notificationService,
            tokenService: tokenService,
            accessGroup: accessGroup,
            accessibility: accessibility
        )
    }
}
#endif
