/// The four keychain services of the legacy SDK.
public enum LegacyService: String, CaseIterable, Sendable {
    /// Accounts.
    case account = "com.forgerock.ios.authenticator.keychainservice.local.account"
    /// Push and one-time-password mechanisms.
    case mechanism = "com.forgerock.ios.authenticator.keychainservice.local.mechanism"
    /// Push notifications.
    case notification = "com.forgerock.ios.authenticator.keychainservice.local.notification"
    /// The APNs token.
    case deviceToken = "com.forgerock.ios.authenticator.keychainservice.local.pushDeviceToken"
}
