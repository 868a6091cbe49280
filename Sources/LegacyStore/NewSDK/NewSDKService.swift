/// The keychain services in which the vendor's new SDK keeps its records, one JSON object each.
public enum NewSDKService: String, CaseIterable, Sendable {
    /// Push credentials.
    case pushCredentials = "com.pingidentity.push.credentials"
    /// Push notifications.
    case pushNotifications = "com.pingidentity.push.notifications"
    /// The APNs token.
    case pushTokens = "com.pingidentity.push.tokens"
    /// One-time-password credentials.
    case oathCredentials = "com.pingidentity.oath.credentials"

    /// The legacy service that holds records of the same kind.
    var counterpart: LegacyService {
        switch self {
        case .pushCredentials, .oathCredentials: .mechanism
        case .pushNotifications: .notification
        case .pushTokens: .deviceToken
        }
    }
}
