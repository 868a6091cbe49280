import PushBridgeCore

/// What the records of a source know of each other, gathered while planning.
struct Survey: Sendable {
    /// The accounts, by identity; where several records name the same account, the first one counts.
    private(set) var accounts: [AccountKey: LegacyAccount] = [:]
    /// The source's mechanisms that convert, by id.
    private(set) var credentialIds: Set<String> = []
    /// The device token that the servers of the source's mechanisms know; `nil` if the source does not say.
    private(set) var deviceToken: PushDeviceToken?
    /// The accounts that such a mechanism belongs to and does not tell itself.
    private var accountsToTakeOver: Set<AccountKey> = []
    /// What mechanisms tell of their accounts themselves.
    private var embeddedAccounts: [AccountKey: [LegacyAccount]] = [:]
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
        case .push(_, _, let credential): credentialIds.insert(credential.id)
        case .oath(_, let credential): credentialIds.insert(credential.id)
        case .deviceToken(let token): deviceToken = deviceToken ?? token
        case .notification: break
        }
        guard let identity = value.identity, firsts[identity] == nil else { return }
        switch value {
        case .push(_, _, let credential): noteAccount(of: credential)
        case .oath(_, let credential): noteAccount(of: credential)
        case .account, .notification, .deviceToken: break
        }
        firsts[identity] = First(record: record, value)
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
        return first.isSame(as: value) ? .same : .different
    }

    /// Whether a credential of the source will carry the account as its record says it.
    func willCarry(_ account: LegacyAccount) -> Bool {
        let key = account.profile.key
        return accountsToTakeOver.contains(key) || embeddedAccounts[key]?.contains(account) == true
    }

    private mutating func noteAccount(of credential: some AccountBound) {
        guard !credential.lacksAccount, let account = credential.legacyAccount else {
            accountsToTakeOver.insert(credential.account.key)
            return
        }
        if embeddedAccounts[account.profile.key]?.contains(account) != true {
            embeddedAccounts[account.profile.key, default: []].append(account)
        }
    }

    private struct First {
        let record: RecordFingerprint
        private let contents: RecordFingerprint
        private let serverContents: RecordFingerprint?
        private let knowsServerOnly: Bool

        init(record: RecordFingerprint, _ value: LegacyValue) {
            self.record = record
            contents = value.contents
            serverContents = value.serverContents
            knowsServerOnly = value.knowsServerOnly
        }

        func isSame(as value: LegacyValue) -> Bool {
            if contents == value.contents { return true }
            return (knowsServerOnly || value.knowsServerOnly) && serverContents == value.serverContents
        }
    }
}

/// A record whose id an earlier record of the source has taken.
enum Repetition {
    /// Both say the same.
    case same
    /// They do not; the later one is a conflict, whatever the policy.
    case different
}
