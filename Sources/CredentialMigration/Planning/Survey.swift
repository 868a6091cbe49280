import AuthenticatorCore

/// What the records of a source know of each other, gathered while planning.
struct Survey: Sendable {
    /// The accounts, by identity; where several records name the same account, the first one counts.
    private(set) var accounts: [AccountKey: LegacyAccount] = [:]
    /// The source's mechanisms that convert, by id.
    private(set) var credentialIds: Set<String> = []
    /// The accounts that such a mechanism belongs to.
    private(set) var accountsWithCredentials: Set<AccountKey> = []
    /// What the destination already keeps verbatim.
    private(set) var preserved: Set<RecordFingerprint> = []

    mutating func note(_ value: LegacyValue) {
        switch value {
        case .account(let account):
            if accounts[account.profile.key] == nil { accounts[account.profile.key] = account }
        case .push(_, _, let credential): note(credential.id, credential.account.key)
        case .oath(_, let credential): note(credential.id, credential.account.key)
        case .notification, .deviceToken: break
        }
    }

    /// Notes what an earlier migration kept verbatim in the destination.
    mutating func note(_ view: any CredentialReading) throws {
        try view.forEachPreservedRecord { preserved.insert($0.record) }
    }

    /// Whether an account record says something else than the one that counts for its account.
    func isVariant(_ account: LegacyAccount) -> Bool {
        accounts[account.profile.key].map { $0 != account } ?? false
    }

    private mutating func note(_ id: String, _ account: AccountKey) {
        credentialIds.insert(id)
        accountsWithCredentials.insert(account)
    }
}
