/// What the user sees of an account, and the rules it stands under; shared by all credentials of the account.
public struct AccountProfile: Equatable, Sendable {
    /// The organisation that issued the credential; may be empty.
    public let issuer: String
    /// The user's name at the issuer.
    public let accountName: String
    /// The issuer's name as the user renamed it, or `nil`.
    public var customDisplayIssuer: String?
    /// The account's name as the user renamed it, or `nil`.
    public var customDisplayAccountName: String?
    /// Where the issuer's logo is.
    public var imageURL: String?
    /// The background colour as the server spelled it, with or without `#`.
    public var backgroundColor: String?
    /// The policies the server attached, as JSON.
    public var policies: String?
    /// The policy that locked the account.
    public var lockingPolicy: String?
    /// Whether the account is locked.
    public var isLocked: Bool

    /// Creates a profile with nothing but its identity.
    public init(issuer: String, accountName: String) {
        self.issuer = issuer
        self.accountName = accountName
        isLocked = false
    }

    /// What joins the account to its credentials.
    public var key: AccountKey { AccountKey(issuer: issuer, accountName: accountName) }
}

/// The identity of an account.
///
/// Not a joined string: `A-B` + `C` is not `A` + `B-C`.
public struct AccountKey: Hashable, Sendable {
    /// The organisation that issued the credentials; may be empty.
    public let issuer: String
    /// The user's name at the issuer.
    public let accountName: String

    /// Creates a key.
    public init(issuer: String, accountName: String) {
        self.issuer = issuer
        self.accountName = accountName
    }
}
