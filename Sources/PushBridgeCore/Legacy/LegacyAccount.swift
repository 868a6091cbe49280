public import Foundation

/// An account as the legacy SDK stores it.
public struct LegacyAccount: Equatable, Sendable {
    /// Everything but the date.
    public var profile: AccountProfile
    /// When the account was added.
    public var timeAdded: Date

    /// Creates an account.
    public init(profile: AccountProfile, timeAdded: Date) {
        self.profile = profile
        self.timeAdded = timeAdded
    }

    /// The legacy key, `{issuer}-{accountName}`.
    ///
    /// Not unique; join by ``AccountProfile/key`` instead.
    public var identifier: String { profile.key.legacyIdentifier }
}

extension AccountKey {
    /// The legacy key, `{issuer}-{accountName}`.
    ///
    /// Not unique, because nothing is escaped.
    public var legacyIdentifier: String { "\(issuer)-\(accountName)" }
}
