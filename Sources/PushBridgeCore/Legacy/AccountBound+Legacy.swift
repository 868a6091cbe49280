extension AccountBound {
    /// The credential's account as the legacy SDK would store it.
    ///
    /// `nil` if the credential came from a mechanism without an account record. The account of a credential
    /// enrolled through the new API is as old as the credential.
    public var legacyAccount: LegacyAccount? {
        guard let legacy else { return LegacyAccount(profile: account, timeAdded: createdAt) }
        return legacy.accountAddedAt.map { LegacyAccount(profile: account, timeAdded: $0) }
    }
}
