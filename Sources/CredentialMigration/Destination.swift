import PushBridgeCore

// The questions of a migration to the destination.

extension CredentialReading {
    func isEmpty() throws -> Bool {
        try RecordKind.allCases.allSatisfy { try count(of: $0, where: RecordQuery(limit: 1)) == 0 }
    }

    /// How many accounts with credentials survive a move of the store to a new phone; `known` are all of them, if they
    /// are known.
    func restorableAccounts(
        in store: any CredentialStore,
        known: Set<AccountKey>? = nil
    ) throws -> Int {
        let records = store.backing.records
        let pushes = try records.leftBehind(.push)
        let codes = try records.leftBehind(.oath)
        if let known, pushes.isEmpty, codes.isEmpty { return known.count }
        var accounts: Set<AccountKey> = []
        func addOwners<Credential: CredentialRecord>(_ type: Credential.Type, _ leftBehind: Set<String>)
            throws
        {
            _ = try forEach(type, where: .all) { credential in
                if !leftBehind.contains(credential.recordIndex.id) { accounts.insert(credential.account.key) }
            }
        }
        try addOwners(PushCredential.self, pushes)
        try addOwners(OathCredential.self, codes)
        return accounts.count
    }

    /// Whether there is a push credential with an id, readable or not.
    func hasPush(_ id: String) throws -> Bool {
        try count(of: .push, where: RecordQuery(id: id)) > 0
    }

    /// The stored notification that is the same push: by id, else by the server's message id.
    func storedNotification(like notification: PushNotification) throws -> PushNotification? {
        if let same = try self.notification(id: notification.id) { return same }
        guard let same = try self.notification(messageId: notification.messageId) else { return nil }
        return same.credentialId == notification.credentialId ? same : nil
    }

    /// The ledger entry of a record; one that is damaged or has an outcome of a newer version counts as none.
    func readableEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try entry(for: record).entry
    }

    /// The ledger entry of a record, a damaged one counting as none, and whether it has an outcome of a newer version.
    func entry(for record: RecordFingerprint) throws -> (entry: LedgerEntry?, isNewer: Bool) {
        do {
            return (try readable { try ledgerEntry(for: record) }, false)
        } catch let error as StoreError where error.code == .newerVersion {
            return (nil, true)
        }
    }

    /// The result of a look-up; a damaged record counts as none.
    func readable<Value>(_ find: () throws -> Value?) throws -> Value? {
        do {
            return try find()
        } catch let error as StoreError where error.code == .damaged {
            return nil
        }
    }
}
