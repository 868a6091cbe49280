import PushBridgeCore

// The queries that a migration sends to the destination.

extension CredentialReading {
    func isEmpty() throws -> Bool {
        try RecordKind.allCases.allSatisfy { try count(of: $0, where: RecordQuery(limit: 1)) == 0 }
    }

    /// Returns how many accounts have a credential that a backup of the phone restores on a new phone.
    ///
    /// `known` contains all accounts with credentials, if the caller knows them. Otherwise, or if a backup does not
    /// restore every credential, the credentials are read.
    func restorableAccounts(
        in store: any CredentialStore,
        known: Set<AccountKey>? = nil
    ) throws -> Int {
        let records = store.backing.records
        let pushes = try records.nonTransferableIDs(.push)
        let codes = try records.nonTransferableIDs(.oath)
        if let known, pushes.isEmpty, codes.isEmpty { return known.count }
        var accounts: Set<AccountKey> = []
        func addOwners<Credential: CredentialRecord>(
            _ type: Credential.Type,
            _ nonTransferableIDs: Set<String>
        )
            throws
        {
            _ = try forEach(type, where: .all) { credential in
                if !nonTransferableIDs.contains(credential.recordIndex.id) {
                    accounts.insert(credential.account.key)
                }
            }
        }
        try addOwners(PushCredential.self, pushes)
        try addOwners(OathCredential.self, codes)
        return accounts.count
    }

    /// Returns whether a push credential with this id exists.
    ///
    /// An unreadable credential with this id counts as well.
    func hasPush(_ id: String) throws -> Bool {
        try count(of: .push, where: RecordQuery(id: id)) > 0
    }

    /// Returns the stored notification with which `notification` must be compared; `nil` if there is none.
    ///
    /// The method first searches for the notification's id, and then for a notification of the same credential with
    /// the same message id.
    func storedNotification(like notification: PushNotification) throws -> PushNotification? {
        if let same = try self.notification(id: notification.id) { return same }
        guard let same = try self.notification(messageId: notification.messageId) else { return nil }
        return same.credentialId == notification.credentialId ? same : nil
    }

    /// Returns the ledger entry of a record.
    ///
    /// The result is `nil` if there is no entry, or if the entry cannot be read or has an outcome that only a
    /// newer version knows.
    func readableEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try entry(for: record).entry
    }

    /// Returns the ledger entry of a record, or the reason why the entry cannot be read.
    ///
    /// The entry and the reason are both `nil` if there is no entry. An unreadable entry may be replaced only if
    /// the entry is damaged, and not if a newer version wrote the entry or the store refuses to return it.
    func entry(for record: RecordFingerprint) throws -> (entry: LedgerEntry?, fault: StoreError.Code?) {
        do {
            return (try ledgerEntry(for: record), nil)
        } catch let error as StoreError where error.code == .newerVersion || error.isOfUnreadableRecord {
            return (nil, error.code)
        }
    }

    /// Returns the result of a look-up; `nil` if the record does not exist or cannot be read.
    func readable<Value>(_ find: () throws -> Value?) throws -> Value? {
        do {
            return try find()
        } catch let error as StoreError where error.isOfUnreadableRecord {
            return nil
        }
    }

    /// Returns how many accounts, credentials and notifications the store contains.
    ///
    /// The number of queries does not depend on the number of records.
    func recordCount() throws -> Int {
        var kinds: [RecordKind] = [.push, .oath, .notification]
        // If the store has no account records, the accounts are parts of the credentials and are not counted.
        if keepsAccounts { kinds.append(.account) }
        return try kinds.reduce(0) { try $0 + count(of: $1, where: .all) }
    }
}
