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
    let preserved: Set<RecordFingerprint>
    /// The first record of each id.
    ///
    /// A later one may be the same, but never takes its place.
    private var firsts: [String: First] = [:]

    /// Begins with what an earlier migration kept verbatim in the destination.
    init(_ view: any CredentialReading) throws {
        preserved = Set(try view.preservedFingerprints())
    }

    mutating func note(_ value: LegacyValue, of record: RecordFingerprint) {
        switch value {
        case .account(let account):
            if accounts[account.profile.key] == nil { accounts[account.profile.key] = account }
        case .push(_, _, let credential): note(credential.id, credential.account.key)
        case .oath(_, let credential): note(credential.id, credential.account.key)
        case .notification, .deviceToken: break
        }
        guard let identity = value.identity, firsts[identity] == nil else { return }
        firsts[identity] = First(record: record, contents: value.contents)
    }

    /// Whether an account record says something else than the one that counts for its account.
    func isVariant(_ account: LegacyAccount) -> Bool {
        accounts[account.profile.key].map { $0 != account } ?? false
    }

    /// How a value relates to an earlier record of its id; `nil` if there is none.
    func repetition(of value: LegacyValue, record: RecordFingerprint) -> Repetition? {
        guard let identity = value.identity, let first = firsts[identity], first.record != record else {
            return nil
        }
        return first.contents == value.contents ? .same : .different
    }

    private mutating func note(_ id: String, _ account: AccountKey) {
        credentialIds.insert(id)
        accountsWithCredentials.insert(account)
    }

    private struct First {
        let record: RecordFingerprint
        let contents: RecordFingerprint
    }
}

/// A record whose id an earlier record of the source has taken.
enum Repetition {
    /// Both say the same.
    case same
    /// They do not; the later one is a conflict, whatever the policy.
    case different
}
