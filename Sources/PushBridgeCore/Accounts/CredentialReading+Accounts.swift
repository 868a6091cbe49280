extension CredentialReading {
    /// The profile under which an account's credentials stand: that of the oldest record; `nil` if it has none.
    ///
    /// Opens no secret.
    public func profile(of account: AccountKey) throws -> AccountProfile? {
        try legacyAccounts(of: account).lazy.compactMap(\.self).min { $0.timeAdded < $1.timeAdded }?.profile
    }
}
