package import Foundation

/// A record that is a credential of an account.
package protocol CredentialRecord: AccountBound, StoredRecord {
    /// Whether there is a secret, even an unusable one.
    var hasSecret: Bool { get }
    /// The credential's own lock and policies; `nil` if those of its account apply.
    ///
    /// An app can save a credential unlocked, or with different policies, while the account keeps its lock.
    var ownLock: AccountLock? { get set }
    /// Copies the secret of another credential.
    mutating func takeSecret(of other: Self)
}

extension PushCredential: CredentialRecord {}
extension OathCredential: CredentialRecord {}

// These extensions contain the queries that callers use, implemented for every store with the store's basic
// operations. A list is sorted by date, oldest first (lists of an app's own storage have the storage's order), and also
// contains the errors of unreadable records. A look-up of one record returns `nil` if the record is absent, and throws
// an error if the record is damaged. The comments of single queries state the exceptions.

extension CredentialReading {
    /// Returns the account with a key; `nil` if the account has no separate record.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func account(_ key: AccountKey) throws -> AccountProfile? {
        try first(where: RecordQuery(id: key.recordID))
    }

    /// Returns all accounts that have their own record.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func accounts() throws -> Fetched<AccountProfile> { try fetch() }

    /// Returns the push credential with an id.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func pushCredential(id: String) throws -> PushCredential? { try credential(id: id) }

    /// Returns all push credentials.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func pushCredentials() throws -> Fetched<PushCredential> { try credentials(where: .all) }

    /// Returns the push credentials of an account.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func pushCredentials(account: AccountKey) throws -> Fetched<PushCredential> {
        try credentials(where: RecordQuery(owner: account.recordID))
    }

    /// Returns the one-time-password credential with an id.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func oathCredential(id: String) throws -> OathCredential? { try credential(id: id) }

    /// Returns all one-time-password credentials.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func oathCredentials() throws -> Fetched<OathCredential> { try credentials(where: .all) }

    /// Returns the one-time-password credentials of an account.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func oathCredentials(account: AccountKey) throws -> Fetched<OathCredential> {
        try credentials(where: RecordQuery(owner: account.recordID))
    }

    /// Returns the notification with an id.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func notification(id: String) throws -> PushNotification? {
        try first(where: RecordQuery(id: id))
    }

    /// Returns the notification with a server's message id.
    ///
    /// Skips damaged notifications, so that new pushes are still received.
    ///
    /// - Parameters:
    ///   - messageId: The message id.
    ///   - usualId: The id under which the legacy SDK stores the notification; `nil` if the message does not
    ///     determine this id.
    /// - Returns: The notification; `nil` if there is none.
    /// - Throws: The store's error if the store cannot be read.
    package func notification(messageId: String, usualId: String? = nil) throws -> PushNotification? {
        var query = RecordQuery(alias: messageId)
        query.usualId = usualId
        return try fetch(PushNotification.self, where: query).values.first
    }

    /// Returns the notifications that a query selects.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func notifications(_ query: RecordQuery = .all) throws -> Fetched<PushNotification> {
        try fetch(where: query)
    }

    /// Returns the notifications that are neither answered nor expired, newest first if the store sorts by date.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func pendingNotifications(at now: Date) throws -> [PushNotification] {
        try notifications(.open).values.reversed().filter { !$0.isExpired(at: now) }
    }

    /// Returns the device token; if another program stored several tokens, returns the newest.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func deviceToken() throws -> PushDeviceToken? {
        let fetched = try fetch(PushDeviceToken.self)
        if let error = fetched.unreadable.first { throw error }
        return fetched.values.last
    }

    /// Returns the ledger entry of a legacy record; `nil` if no migration to this store has recorded its outcome.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try first(where: RecordQuery(id: record.recordID))
    }

    /// Returns the ledger entries that contain their source record verbatim, in the order in which they were first
    /// recorded.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func keptRecords() throws -> Fetched<LedgerEntry> {
        try fetch(where: .open)
    }

    /// Returns the credential with an id, with the current data of its account's record.
    ///
    /// - Throws: The store's error if the store cannot be read or the record is damaged.
    package func credential<Credential: CredentialRecord>(
        _ type: Credential.Type = Credential.self,
        id: String
    ) throws -> Credential? {
        guard var credential = try first(type, where: RecordQuery(id: id)) else { return nil }
        try join(&credential)
        return credential
    }

    /// Returns the credentials that a query selects, with the current data of their accounts' records.
    ///
    /// If an account's record cannot be read, its credentials count as unreadable, because the account may be locked.
    /// If `accounts` is passed and contains no error, the accounts' records are not read again.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func credentials<Credential: CredentialRecord>(
        _ type: Credential.Type = Credential.self,
        where query: RecordQuery,
        accounts read: Fetched<AccountProfile>? = nil
    ) throws -> Fetched<Credential> {
        let found = try fetch(type, where: query)
        guard keepsAccounts else { return found }
        // All accounts are read at once, unless only a few are needed.
        let isJoinedAtOnce = read != nil || (found.count > 4 && query.owner == nil)
        let accounts = try read ?? (isJoinedAtOnce ? accounts() : Fetched([]))
        let known = Dictionary(accounts.lazy.map { ($0.key, $0) }) { first, _ in first }
        let isComplete = isJoinedAtOnce && accounts.unreadable.isEmpty
        var joined = Fetched<Credential>([], unreadable: found.unreadable)
        joined.values.reserveCapacity(found.count)
        for var credential in found.values {
            if let account = known[credential.account.key] {
                adopt(account, in: &credential)
            } else if !isComplete {
                do {
                    try join(&credential)
                } catch let error as StoreError where error.isOfUnreadableRecord {
                    joined.unreadable.append(error.of(credential))
                    continue
                }
            }
            joined.values.append(credential)
        }
        return joined
    }

    /// Calls `body` with each credential of a type, oldest first.
    /// - Returns: The errors of the unreadable credentials.
    /// - Throws: The errors of `body` and of the store.
    package func forEachCredential<Credential: CredentialRecord>(
        _ type: Credential.Type,
        _ body: (Credential) throws -> Void
    ) throws -> [StoreError] {
        var orphaned: [StoreError] = []
        let unreadable = try forEach(type, where: .all) { credential in
            var credential = credential
            do {
                try join(&credential)
            } catch let error as StoreError where error.isOfUnreadableRecord {
                return orphaned.append(error.of(credential))
            }
            try body(credential)
        }
        return unreadable + orphaned
    }

    private func join(_ credential: inout some CredentialRecord) throws {
        guard keepsAccounts, let account = try account(credential.account.key) else { return }
        adopt(account, in: &credential)
    }

    /// Sets the account of a credential.
    ///
    /// If credentials contain copies of the account's data, a copy has precedence over the account's record, because
    /// the successor SDK, which stores no accounts, may have changed the copy later. Only the date is taken from the
    /// account's record, if the record contains one.
    private func adopt(_ account: AccountProfile, in credential: inout some CredentialRecord) {
        var repeated = account
        repeated.name(account.customDisplayIssuer, account.customDisplayAccountName)
        repeated.addedAt = credential.account.addedAt
        repeated.keepColorSpelling(of: credential.account)
        if denormalizesAccounts, credential.account != repeated {
            credential.account.addedAt = account.addedAt ?? credential.account.addedAt
        } else {
            let own = credential.account
            credential.account = account
            credential.account.keepColorSpelling(of: own)
            if let lock = credential.ownLock { credential.account.lock = lock }
        }
    }

    /// Returns a function that converts records of this store into the form that another store contains.
    ///
    /// The forms differ only if one of the stores copies the account's data into credentials and the other does not.
    /// A name that the successor SDK stored only in a copy is added to the account's record; a lock is added to that
    /// record or becomes the credential's own lock.
    /// - Throws: The store's error if the store cannot be read.
    package func conversion(
        for other: any CredentialReading
    ) throws -> (any StoredRecord) throws -> any StoredRecord {
        guard denormalizesAccounts != other.denormalizesAccounts else { return { $0 } }
        let accounts = try accountsWithChangesInCopies()
        return { record in
            switch record {
            case let credential as PushCredential: try converted(credential, accounts, for: other)
            case let credential as OathCredential: try converted(credential, accounts, for: other)
            case let account as AccountProfile: accounts[account.key] ?? account
            default: record
            }
        }
    }

    private func converted<Credential: CredentialRecord>(
        _ credential: Credential,
        _ accounts: [AccountKey: AccountProfile],
        for other: any CredentialReading
    ) throws -> Credential {
        let key = credential.account.key
        var joined = credential
        do {
            try join(&joined)
        } catch let error as StoreError where error.isOfUnreadableRecord {
            // The account's record cannot be read, and may contain a lock.
            joined.account.lockAsUnreadable()
            return joined
        }
        guard denormalizesAccounts else {
            // A copy contains no date, and a name only if it differs from the account's own name.
            joined.account.addedAt = nil
            joined.account.name(joined.account.customDisplayIssuer, joined.account.customDisplayAccountName)
            return joined
        }
        if let account = accounts[key] {
            if joined.account.lock != account.lock { joined.ownLock = joined.account.lock }
            joined.refer(to: account)
        } else if joined.account.isLocked, try other.hasUnlocked(key) {
            joined.ownLock = joined.account.lock
        }
        return joined
    }

    /// Returns whether the account has a readable record that contains no lock.
    private func hasUnlocked(_ key: AccountKey) throws -> Bool {
        do {
            return try account(key)?.isLocked == false
        } catch let error as StoreError where error.isOfUnreadableRecord {
            return false
        }
    }
}

extension CredentialRecord {
    /// Keeps only the account's key, and the account's colour if the credential spells it differently.
    fileprivate mutating func refer(to stored: AccountProfile) {
        let color = account.backgroundColor
        account = AccountProfile(stored.key)
        if color != stored.backgroundColor { account.backgroundColor = color }
    }
}

extension AccountProfile {
    /// Replaces the names and the lock that equal those of `stored` with the values of `copy`.
    ///
    /// If `setsLock` is `true`, the lock is not replaced.
    fileprivate mutating func keep(
        _ copy: AccountProfile,
        whereEqualTo stored: AccountProfile,
        setsLock: Bool
    ) {
        for name in [\AccountProfile.customDisplayIssuer, \.customDisplayAccountName]
        where self[keyPath: name] == stored[keyPath: name] {
            self[keyPath: name] = copy[keyPath: name]
        }
        if !setsLock, lock == stored.lock { lock = copy.lock }
    }
}

extension StoreError {
    fileprivate func of(_ credential: some StoredRecord) -> StoreError {
        StoreError(
            code,
            record: credential.recordIndex.id,
            reason: "The credential's account cannot be read. \(reason)"
        )
    }
}

extension CredentialWriting {
    /// Stores an account's details and its lock, which apply to all of its credentials.
    ///
    /// If the lock changed, the credentials' own locks are removed.
    /// - Parameters:
    ///   - account: The account.
    ///   - setsLock: Whether all credentials get the account's lock even if it did not change: the app or the
    ///     successor SDK may have changed the lock of a credential.
    /// - Throws: The store's error if the store cannot be read or written.
    package func save(_ account: AccountProfile, setsLock: Bool = false) throws {
        let stored = try keepsLegacyKeys ? nil : self.account(account.key)
        if let stored, setsLock || stored.lock != account.lock {
            try removeOwnLocks(of: account.key)
        }
        try share(account, insteadOf: stored, setsLock: setsLock)
    }

    private func share(
        _ account: AccountProfile,
        insteadOf stored: AccountProfile?,
        setsLock: Bool = false,
        keepsLocks: Bool = false
    ) throws {
        try put(account)
        guard denormalizesAccounts else { return }
        func write(into copy: AccountProfile) -> AccountProfile {
            var account = account
            if let stored { account.keep(copy, whereEqualTo: stored, setsLock: setsLock) }
            account.keepColorSpelling(of: copy)
            return account
        }
        try repeatAccount(account, PushCredential.self, keepsLocks: keepsLocks, write)
        try repeatAccount(account, OathCredential.self, keepsLocks: keepsLocks, write)
    }

    /// Stores a credential and, if it contains new data of its account, the account.
    ///
    /// The credential's record contains a copy of the account's data only in a store in which
    /// ``CredentialReading/denormalizesAccounts`` is `true`. If the credential lacks the account's date, as a
    /// credential from another source does, the account keeps its date.
    ///
    /// The account stays unchanged if a new credential contains less data than the stored account, or if the
    /// only difference is that the credential spells the same colour differently.
    ///
    /// If only the successor SDK has stored an account's credentials so far, the account has no record, and each
    /// credential contains its own copy of the account's data. If one of them is saved without new data of the
    /// account, the other credentials stay unchanged. A new credential gets the account's data from the others.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func save(_ credential: some CredentialRecord) throws {
        try save(credential, keepsOtherLocks: false)
    }

    /// Stores a credential like ``save(_:)``, with a rule for weaker locks.
    ///
    /// A lock is weaker than another if it unlocks the account, or if it removes or changes the account's policies.
    /// - Parameters:
    ///   - credential: The credential.
    ///   - keepsOtherLocks: Whether other credentials keep a stronger lock: an app may have read this credential
    ///     before the account's lock or policies changed. If another credential still has the account's lock and
    ///     policies, a weaker lock then applies only to this credential.
    /// - Throws: The store's error if the store cannot be read or written.
    package func save<Credential: CredentialRecord>(
        _ credential: Credential,
        keepsOtherLocks: Bool
    ) throws {
        var credential = credential
        let stored = try account(credential.account.key)
        if denormalizesAccounts {
            let id = RecordQuery(id: credential.recordIndex.id)
            if try isNew(credential) {
                try completeAccount(of: &credential)
            } else if stored == nil,
                try fetch(Credential.self, where: id).values.first?.account == credential.account
            {
                return try put(credential)
            }
        }
        credential.account.addedAt = credential.account.addedAt ?? stored?.addedAt
        var account = credential.account
        account.keepColorSpelling(of: stored)
        if let stored, stored != account, try isNew(credential) {
            account.complete(from: stored)
            credential.account.complete(from: stored)
        }
        if let stored, account.lock.weakens(stored.lock),
            try credential.ownLock != nil || keepsOtherLocks && hasOther(credential, with: stored.lock)
        {
            credential.ownLock = account.lock
            account.lock = stored.lock
        } else {
            credential.ownLock = nil
        }
        // Credentials' own locks that equal the account's new lock are removed. Otherwise, they would stay in force
        // when the account's lock changes again.
        if let stored, stored.lock != account.lock {
            try removeOwnLocks(of: account.key, equalTo: account.lock)
        }
        if stored ?? AccountProfile(account.key) != account {
            try share(account, insteadOf: stored, keepsLocks: keepsOtherLocks)
        }
        if !denormalizesAccounts {
            credential.refer(to: account)
        }
        try put(credential)
    }

    /// Stores a notification.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func save(_ notification: PushNotification) throws { try put(notification) }

    /// Stores the device token; a device has only one.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func save(_ token: PushDeviceToken) throws { try put(token) }

    /// Stores the outcome of a legacy record, and replaces an earlier entry for that record.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func record(_ entry: LedgerEntry) throws { try put(entry) }

    /// Removes the verbatim record from a ledger entry; the entry's outcome stays in the ledger.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func dropVerbatim(of entry: LedgerEntry) throws {
        try put(
            LedgerEntry(
                record: entry.record,
                kind: entry.kind,
                key: entry.key,
                result: entry.result,
                recordedAt: entry.recordedAt
            )
        )
    }

    /// Removes a notification.
    /// - Returns: Whether the notification was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func removeNotification(id: String) throws -> Bool {
        try dismiss(.notification, where: RecordQuery(id: id)) > 0
    }

    /// Removes the notifications that a query selects.
    /// - Returns: The number of removed notifications.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func removeNotifications(_ query: RecordQuery) throws -> Int {
        try dismiss(.notification, where: query)
    }

    /// Removes the device token.
    /// - Returns: Whether a token was stored.
    /// - Throws: The store's error if the store cannot be read or written.
    @discardableResult
    package func removeDeviceToken() throws -> Bool {
        try remove(.deviceToken, where: .all) > 0
    }

    private func isNew<Credential: CredentialRecord>(_ credential: Credential) throws -> Bool {
        try count(of: Credential.recordKind, where: RecordQuery(id: credential.recordIndex.id)) == 0
    }

    /// Returns whether another credential of the account has this lock.
    ///
    /// In a store that works in place, the result is `false`, so that a weaker lock of one credential applies to all
    /// credentials of the account: the legacy SDK's items have only one lock for them.
    private func hasOther(_ credential: some CredentialRecord, with lock: AccountLock) throws -> Bool {
        guard !keepsLegacyKeys else { return false }
        let owned = RecordQuery(owner: credential.account.key.recordID)
        let id = credential.recordIndex.id
        let push = try credentials(PushCredential.self, where: owned).map { ($0.id, $0.account.lock) }
        let oath = try credentials(OathCredential.self, where: owned).map { ($0.id, $0.account.lock) }
        return (push + oath).contains { $0.0 != id && $0.1 == lock }
    }

    /// Removes the credentials' own locks in an account, or only those that equal `lock`.
    private func removeOwnLocks(of key: AccountKey, equalTo lock: AccountLock? = nil) throws {
        func remove<Credential: CredentialRecord>(_ type: Credential.Type) throws {
            for var credential in try fetch(type, where: RecordQuery(owner: key.recordID)) {
                guard let ownLock = credential.ownLock, lock == nil || lock == ownLock else { continue }
                credential.ownLock = nil
                try put(credential)
            }
        }
        try remove(PushCredential.self)
        try remove(OathCredential.self)
    }

    private func completeAccount(of credential: inout some CredentialRecord) throws {
        let siblings = RecordQuery(owner: credential.account.key.recordID)
        let known =
            try fetch(PushCredential.self, where: siblings).map(\.account)
            + fetch(OathCredential.self, where: siblings).map(\.account)
        for account in known { credential.account.complete(from: account) }
    }

    /// Writes an account into the copies that its credentials contain.
    ///
    /// A copy keeps the names and the lock that did not change in the account, because the successor SDK may have
    /// changed them in the copy. A credential's own lock is kept too. If `keepsLocks` is `true`, or if the copy and
    /// the account have different policies, the copy also keeps a lock that is stronger than the account's lock.
    private func repeatAccount<Credential: CredentialRecord>(
        _ account: AccountProfile,
        _ type: Credential.Type,
        keepsLocks: Bool,
        _ write: (AccountProfile) -> AccountProfile
    ) throws {
        for var credential in try fetch(type, where: RecordQuery(owner: account.key.recordID)) {
            var repeated = write(credential.account)
            let lock = credential.ownLock ?? credential.account.lock
            let hasOtherPolicies =
                account.policies != nil && credential.account.policies != nil
                && account.policies != credential.account.policies
            if credential.ownLock != nil || (keepsLocks || hasOtherPolicies) && repeated.lock.weakens(lock) {
                repeated.lock = lock
            }
            guard credential.account != repeated else { continue }
            credential.account = repeated
            try put(credential)
        }
    }
}
