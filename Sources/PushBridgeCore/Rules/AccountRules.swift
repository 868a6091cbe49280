package import Foundation

/// An account with its credentials; each list is sorted by date, oldest first.
package struct AccountContents: Equatable, Sendable {
    /// The account; without a stored date, it has the date of its first credential.
    package var account: AccountProfile
    /// The account's push credentials.
    package var push: [PushCredential] = []
    /// The account's one-time-password credentials.
    package var oath: [OathCredential] = []

    package init(account: AccountProfile) {
        self.account = account
    }

    /// The same contents, except that an account without a stored date gets the date of its first credential.
    fileprivate var dated: AccountContents {
        guard account.addedAt == nil else { return self }
        var dated = self
        dated.account.addedAt = (push.map(\.createdAt) + oath.map(\.createdAt)).min()
        return dated
    }

    private var credentials: [any CredentialRecord] { push + oath }

    /// The contents of an account without its own record, with missing data of the account taken from all credentials.
    fileprivate var completed: AccountContents {
        var completed = self
        for credential in credentials { completed.account.complete(from: credential.account) }
        return completed
    }

    /// Returns the account with the changes that the successor SDK made in the copies of the account's data.
    ///
    /// A name in a copy has precedence over the account's own name. A copy without a name does not remove the account's
    /// name, because the successor SDK may have enrolled the credential later. If any credential is locked, the account
    /// is locked. An unlocked copy does not unlock the account, because the app may have unlocked only this credential.
    /// - Parameter account: The account as its record contains it.
    /// - Returns: The account.
    fileprivate func changed(_ account: AccountProfile) -> AccountProfile {
        let copies = credentials.map(\.account)
        var changed = account
        // A copy contains a displayed name only if it differs from the issuer or the account name. `repeated` contains
        // the names in this form.
        var repeated = account
        repeated.name(account.customDisplayIssuer, account.customDisplayAccountName)
        for name in [\AccountProfile.customDisplayIssuer, \.customDisplayAccountName] {
            let own = [account[keyPath: name], repeated[keyPath: name]]
            let names = copies.map { $0[keyPath: name] }
            if let new = names.first(where: { $0 != nil && !own.contains($0) }) {
                changed[keyPath: name] = new
            }
        }
        changed.policies = account.policies ?? copies.lazy.compactMap(\.policies).first
        if !account.isLocked, let locked = copies.first(where: \.isLocked) {
            (changed.isLocked, changed.lockingPolicy) = (true, locked.lockingPolicy)
        }
        return changed
    }
}

extension CredentialReading {
    /// Returns all accounts with their credentials, oldest first, including accounts without their own record.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func accountContents() throws -> Fetched<AccountContents> {
        let accounts = try accounts()
        let push = try credentials(PushCredential.self, where: .all, accounts: accounts)
        let oath = try credentials(OathCredential.self, where: .all, accounts: accounts)
        var contents = accounts.map(AccountContents.init)
        var indices = Dictionary(contents.indices.map { (accounts[$0].key, $0) }) { first, _ in first }
        func index(of account: AccountProfile) -> Int {
            if let index = indices[account.key] { return index }
            contents.append(AccountContents(account: account))
            indices[account.key] = contents.count - 1
            return contents.count - 1
        }
        for credential in push { contents[index(of: credential.account)].push.append(credential) }
        for credential in oath { contents[index(of: credential.account)].oath.append(credential) }
        for index in accounts.count..<contents.count { contents[index] = contents[index].completed }
        contents = contents.map(\.dated).sorted { one, other in
            one.account.addedAt ?? .distantPast < other.account.addedAt ?? .distantPast
        }
        return Fetched(contents, unreadable: accounts.unreadable + push.unreadable + oath.unreadable)
    }

    /// Returns an account with its credentials; `nil` if the account has neither a record nor a credential.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func contents(of key: AccountKey) throws -> AccountContents? {
        let account = try account(key)
        let known = Fetched(account.map { [$0] } ?? [])
        let owned = RecordQuery(owner: key.recordID)
        var contents = AccountContents(account: account ?? AccountProfile(key))
        contents.push = try credentials(where: owned, accounts: known).values
        contents.oath = try credentials(where: owned, accounts: known).values
        guard account == nil else { return contents.dated }
        guard let credential: any AccountBound = contents.push.first ?? contents.oath.first else {
            return nil
        }
        contents.account = credential.account
        return contents.completed.dated
    }

    /// Returns the accounts that have a record, with the changes that the successor SDK made in credentials.
    ///
    /// If the store's credentials contain no copies of their accounts' data, returns no accounts.
    /// - Throws: The store's error if the store cannot be read.
    package func accountsWithChangesInCopies() throws -> [AccountKey: AccountProfile] {
        guard denormalizesAccounts else { return [:] }
        let contents = Dictionary(try accountContents().map { ($0.account.key, $0) }) { first, _ in first }
        var accounts: [AccountKey: AccountProfile] = [:]
        for account in try self.accounts() {
            accounts[account.key] = contents[account.key]?.changed(account)
        }
        return accounts
    }

    /// Returns an account from its record or, if it has no record, from its credentials; `nil` if the account
    /// has neither.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func knownAccount(_ key: AccountKey) throws -> AccountProfile? {
        try account(key) ?? contents(of: key)?.account
    }

    /// Checks that a registration does not give its account a second credential of the same kind.
    ///
    /// The kinds are push, TOTP and HOTP. A combined registration requires an account without credentials.
    /// The credentials of ``RegistrationURI/legacyAccount`` also count.
    /// - Throws: ``AlreadyEnrolled``, or the store's errors.
    package func checkVacancy(for registration: RegistrationURI) throws {
        try checkVacancy(of: registration.account.key, for: registration)
        if let legacy = registration.legacyAccount { try checkVacancy(of: legacy, for: registration) }
    }

    private func checkVacancy(of key: AccountKey, for registration: RegistrationURI) throws {
        try checkPlace(for: key)
        switch registration {
        case .push:
            try checkNoPush(key)
        case .oath(let oath):
            let type = oath.movingFactor.type
            if try oathCredentials(account: key).contains(where: { $0.oathType == type }) {
                throw AlreadyEnrolled(account: key, type)
            }
        case .combined:
            try checkNoPush(key)
            if let known = try oathCredentials(account: key).first {
                throw AlreadyEnrolled(account: key, known.oathType)
            }
        }
    }

    private func checkNoPush(_ key: AccountKey) throws {
        guard try pushCredentials(account: key).isEmpty else {
            throw AlreadyEnrolled(account: key, kind: .push)
        }
    }

    /// Returns whether an account has any credential, including unreadable credentials.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func hasCredentials(_ key: AccountKey) throws -> Bool {
        let query = RecordQuery(owner: key.recordID, limit: 1)
        return try count(of: .push, where: query) > 0
            || count(of: .oath, where: query) > 0
    }
}

extension CredentialWriting {
    /// Returns the account of a new credential.
    ///
    /// An existing account keeps its date, its names and its lock. An image, a colour or policies in the registration
    /// replace the account's values.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func settledAccount(for registered: AccountProfile, at now: Date) throws -> AccountProfile {
        guard var account = try account(registered.key) else {
            var account = registered
            account.addedAt = account.addedAt ?? now
            return account
        }
        account.imageURL = registered.imageURL ?? account.imageURL
        account.backgroundColor = registered.backgroundColor ?? account.backgroundColor
        account.policies = registered.policies ?? account.policies
        account.addedAt = account.addedAt ?? now
        return account
    }

    /// Stores a new push credential that the server registered under a device token.
    ///
    /// If the token changed during the registration, the new token still has to be sent to the server.
    /// - Returns: The credential as it is stored, with the data of its account.
    /// - Throws: The store's error if the store cannot be read or written.
    package func enrol(
        _ credential: PushCredential,
        registeredWith token: PushDeviceToken
    ) throws -> PushCredential {
        var enrolled = credential
        enrolled.account = try settledAccount(for: credential.account, at: credential.createdAt)
        try save(enrolled)
        if var current = try deviceToken(), !current.isSameDevice(as: token) {
            current.unconfirmedCredentialIds.insert(credential.id)
            try save(current)
        }
        return enrolled
    }

    /// Stores a new one-time-password credential.
    /// - Returns: The credential as it is stored, with the data of its account.
    /// - Throws: The store's error if the store cannot be read or written.
    package func enrol(_ credential: OathCredential) throws -> OathCredential {
        var enrolled = credential
        enrolled.account = try settledAccount(for: credential.account, at: credential.createdAt)
        try save(enrolled)
        return enrolled
    }

    /// Removes a credential and its notifications.
    ///
    /// The account stays, even if it has no other credential; an account without a record gets one.
    /// - Returns: Whether the credential was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    package func dismissCredential(
        _ kind: LegacyRecordKind,
        id: String,
        of key: AccountKey
    ) throws -> Bool {
        let known = try account(key) == nil ? contents(of: key)?.account : nil
        let removed =
            try kind == .push ? dismissPushCredential(id: id) : dismiss(.oath, where: RecordQuery(id: id)) > 0
        if removed, let known { try save(known) }
        return removed
    }

    /// Locks an account because of a policy, or unlocks it if `policy` is `nil`.
    ///
    /// The other stored values of the account stay unchanged.
    /// - Returns: The account as it is stored. `nil` if the account is unknown; nothing is then stored.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func setLock(of key: AccountKey, by policy: String?) throws -> AccountProfile? {
        guard var account = try knownAccount(key) else { return nil }
        account.lockingPolicy = policy
        account.isLocked = policy != nil
        try save(account, setsLock: true)
        return account
    }

    /// Locks an account before its credential is used, if the device violates one of the account's policies.
    ///
    /// Does not unlock an account, because the app may have locked it.
    /// - Returns: The account with its current lock.
    /// - Throws: The errors of `evaluate`, or the store's error if the store cannot be read or written.
    package func lockIfViolated(
        _ account: AccountProfile,
        _ evaluate: (AccountProfile) throws -> PolicyOutcome
    ) throws -> AccountProfile {
        guard !account.isLocked, case .violation(let policy) = try evaluate(account) else { return account }
        return try setLock(of: account.key, by: policy) ?? account
    }

    /// Removes a push credential, its notifications, and the state of the device token at its server; the
    /// account stays.
    /// - Returns: Whether the credential was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func dismissPushCredential(id: String) throws -> Bool {
        try removeCompanions(ofPushCredential: id)
        return try dismiss(.push, where: RecordQuery(id: id)) > 0
    }

    /// Removes a push credential as ``dismissPushCredential(id:)`` does, and also the account if it has no
    /// other credential.
    /// - Returns: Whether the credential was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    package func deletePushCredential(id: String) throws -> Bool {
        try removeCompanions(ofPushCredential: id)
        return try deleteCredential(PushCredential.self, id: id)
    }

    /// Removes a credential, and also its account if the account has no other credential; notifications stay.
    /// - Returns: Whether the credential was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func deleteCredential<Credential: CredentialRecord>(
        _ type: Credential.Type,
        id: String
    ) throws -> Bool {
        let account = try fetch(type, where: RecordQuery(id: id)).first?.account.key
        guard try dismiss(type.recordKind, where: RecordQuery(id: id)) > 0 else { return false }
        if let account { try forgetAccountWithoutCredentials(account) }
        return true
    }

    /// Removes an account if it has no credential.
    ///
    /// The account stays if an item of the legacy SDK that cannot be opened now may contain one of its credentials.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func forgetAccountWithoutCredentials(_ key: AccountKey) throws {
        guard try keepsAccounts && !hasCredentials(key) && !hasUnopenedItems(key) else { return }
        try dismiss(.account, where: RecordQuery(id: key.recordID))
    }

    /// Returns whether an item of the legacy SDK that cannot be opened now may contain a credential of the
    /// account.
    ///
    /// If the item can be opened later, its credential needs the lock and the policies of the account.
    private func hasUnopenedItems(_ key: AccountKey) throws -> Bool {
        guard keepsLegacyKeys else { return false }
        let owned = RecordQuery(owner: key.recordID)
        return try !fetch(PushCredential.self, where: owned).unreadable.isEmpty
            || !fetch(OathCredential.self, where: owned).unreadable.isEmpty
    }

    /// Removes an account with its credentials and their notifications.
    /// - Returns: Whether the account or one of its credentials was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    package func removeAccount(_ key: AccountKey) throws -> Bool {
        let owned = RecordQuery(owner: key.recordID)
        var removed = 0
        for id in try ids(of: .push, where: owned) {
            removed += try dismissPushCredential(id: id) ? 1 : 0
        }
        removed += try dismiss(.oath, where: owned)
        removed += try dismiss(.account, where: RecordQuery(id: key.recordID))
        return removed > 0
    }

    private func removeCompanions(ofPushCredential id: String) throws {
        try removeNotifications(RecordQuery(owner: id))
        if var token = try deviceToken(), token.forget(credential: id) { try save(token) }
    }
}

/// The reason why a registration is refused: the account already has a credential of this kind.
package struct AlreadyEnrolled: Error, Equatable {
    /// The account.
    package let account: AccountKey
    /// The kind of credential.
    package let kind: LegacyRecordKind

    /// The legacy key of the existing credential.
    package var identifier: String { "\(account.legacyIdentifier)-\(kind.rawValue)" }
}

extension AlreadyEnrolled {
    fileprivate init(account: AccountKey, _ type: OathType) {
        self.init(account: account, kind: type == .totp ? .totp : .hotp)
    }
}
