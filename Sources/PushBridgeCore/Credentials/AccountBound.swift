public import Foundation

/// A credential that belongs to an account; gives it the account's properties under the API's names.
public protocol AccountBound {
    /// The account the credential belongs to.
    var account: AccountProfile { get set }
    /// When the credential was enrolled.
    var createdAt: Date { get }
    /// What only the legacy model knows; `nil` for credentials enrolled through the new API.
    var legacy: LegacyDetails? { get set }
}

extension AccountBound {
    /// The organisation that issued the credential.
    public var issuer: String { account.issuer }

    /// The user's name at the issuer.
    public var accountName: String { account.accountName }

    /// The issuer's name to show: the user's own choice, else ``issuer``.
    public var displayIssuer: String {
        get { account.customDisplayIssuer ?? issuer }
        set { account.customDisplayIssuer = newValue }
    }

    /// The account's name to show: the user's own choice, else ``accountName``.
    public var displayAccountName: String {
        get { account.customDisplayAccountName ?? accountName }
        set { account.customDisplayAccountName = newValue }
    }

    /// Where the issuer's logo is.
    public var imageURL: String? {
        get { account.imageURL }
        set { account.imageURL = newValue }
    }

    /// The background colour as the server spelled it.
    public var backgroundColor: String? {
        get { account.backgroundColor }
        set { account.backgroundColor = newValue }
    }

    /// The policies the server attached, as JSON.
    public var policies: String? {
        get { account.policies }
        set { account.policies = newValue }
    }

    /// The policy that locked the credential.
    public var lockingPolicy: String? { account.lockingPolicy }

    /// Whether the credential is locked.
    public var isLocked: Bool { account.isLocked }

    /// Locks the credential in the name of a policy; storing it is the caller's.
    public mutating func lock(policy: String) {
        account.lockingPolicy = policy
        account.isLocked = true
    }

    /// Unlocks the credential; storing it is the caller's.
    public mutating func unlock() {
        account.lockingPolicy = nil
        account.isLocked = false
    }
}
