import PushBridgeCore

/// The services under which a ``KeychainCredentialStore`` keeps its items.
public struct KeychainServices: Hashable, Sendable {
    /// Push credentials, each under its id.
    public let credentials: String
    /// Notifications, each under its id.
    public let notifications: String
    /// The device token.
    public let tokens: String
    /// One-time-password credentials, each under its id.
    public let oathCredentials: String

    /// Names services; the defaults are those of the successor SDK.
    public init(
        credentials: String = "com.pingidentity.push.credentials",
        notifications: String = "com.pingidentity.push.notifications",
        tokens: String = "com.pingidentity.push.tokens",
        oathCredentials: String = "com.pingidentity.oath.credentials"
    ) {
        self.credentials = credentials
        self.notifications = notifications
        self.tokens = tokens
        self.oathCredentials = oathCredentials
    }

    /// Accounts, each under its issuer and name.
    public var accounts: String { credentials + ".accounts" }
    /// The migration ledger, each entry under its place in the order of recording and its fingerprint.
    public var ledger: String { credentials + ".ledger" }
    /// The transaction that is being carried out.
    public var journal: String { credentials + ".journal" }

    /// The service of the records of a kind.
    subscript(kind: RecordKind) -> String {
        switch kind {
        case .account: accounts
        case .push: credentials
        case .oath: oathCredentials
        case .notification: notifications
        case .deviceToken: tokens
        case .ledger: ledger
        }
    }
}
