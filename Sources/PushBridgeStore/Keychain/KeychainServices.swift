/// The services under which a ``KeychainCredentialStore`` keeps its items.
public struct KeychainServices: Hashable, Sendable {
    /// Push credentials, each under its id.
    public let credentials: String
    /// Notifications, each under its id.
    public let notifications: String
    /// The device token.
    public let tokens: String

    /// Names services; the defaults are those of PingPush.
    public init(
        credentials: String = "com.pingidentity.push.credentials",
        notifications: String = "com.pingidentity.push.notifications",
        tokens: String = "com.pingidentity.push.tokens"
    ) {
        self.credentials = credentials
        self.notifications = notifications
        self.tokens = tokens
    }

    /// One-time-password credentials, each under its id.
    public var oathCredentials: String { credentials + ".oath" }
    /// The migration ledger, each entry under its place in the order of recording and its fingerprint.
    public var ledger: String { credentials + ".ledger" }
    /// Legacy records kept verbatim, named as the ledger's entries are.
    public var preservedRecords: String { credentials + ".preserved" }
    /// The transaction that is being carried out.
    public var journal: String { credentials + ".journal" }
}
