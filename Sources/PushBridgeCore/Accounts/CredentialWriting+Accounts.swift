extension CredentialWriting {
    /// Gives all credentials of an account the same profile, so that a name changed through either API is changed
    /// in both; answers whether any changed.
    @discardableResult
    public func share(_ profile: AccountProfile) throws -> Bool {
        var changed = false
        for var credential in try pushCredentials(account: profile.key) where credential.account != profile {
            credential.account = profile
            try save(credential)
            changed = true
        }
        for var credential in try oathCredentials(account: profile.key) where credential.account != profile {
            credential.account = profile
            try save(credential)
            changed = true
        }
        return changed
    }

    /// The profile of a new credential: what the account is already called and under which lock it stands, with
    /// whatever image, colour and policies the registration brought.
    ///
    /// `known` is the account as stored elsewhere, if no credential carries it.
    package func settledProfile(
        for registered: AccountProfile,
        known: AccountProfile? = nil
    ) throws -> AccountProfile {
        guard var profile = try profile(of: registered.key) ?? known else { return registered }
        profile.imageURL = registered.imageURL ?? profile.imageURL
        profile.backgroundColor = registered.backgroundColor ?? profile.backgroundColor
        profile.policies = registered.policies ?? profile.policies
        return profile
    }
}
