import PushBridgeCore

// What a migration asks of the destination.

extension CredentialReading {
    func isEmpty() throws -> Bool {
        func isEmpty<Value: StoredRecord>(_ type: Value.Type) throws -> Bool {
            try count(of: type, where: RecordQuery(limit: 1)) == 0
        }
        return try isEmpty(LedgerEntry.self) && isEmpty(PushCredential.self) && isEmpty(OathCredential.self)
            && isEmpty(AccountProfile.self) && isEmpty(PushNotification.self) && isEmpty(PushDeviceToken.self)
    }

    /// How many accounts with credentials survive a move of the store to a new phone; `known` are all of them, if they
    /// are known.
    func travellingAccounts(
        in store: any CredentialStore,
        known: Set<AccountKey>? = nil
    ) throws -> Int {
        let records = store.backing.records
        let pushes = try records.leftBehind(PushCredential.recordKind)
        let codes = try records.leftBehind(OathCredential.recordKind)
        if let known, pushes.isEmpty, codes.isEmpty { return known.count }
        var accounts: Set<AccountKey> = []
        func note<Credential: StoredCredential>(_ type: Credential.Type, _ leftBehind: Set<String>) throws {
            _ = try forEach(type, where: .all) { credential in
                if !leftBehind.contains(credential.recordIndex.id) { accounts.insert(credential.account.key) }
            }
        }
        try note(PushCredential.self, pushes)
        try note(OathCredential.self, codes)
        return accounts.count
    }

    /// Whether there is a push credential with an id, readable or not.
    func hasPush(_ id: String) throws -> Bool {
        try count(of: PushCredential.self, where: RecordQuery(id: id)) > 0
    }

    /// The stored notification that is the same push: by id, else by the server's message id.
    func storedNotification(like notification: PushNotification) throws -> PushNotification? {
        if let same = try self.notification(id: notification.id) { return same }
        guard let same = try self.notification(messageId: notification.messageId) else { return nil }
        return same.credentialId == notification.credentialId ? same : nil
    }

    /// The ledger entry of a record; a damaged one counts as none.
    func readableEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try readable { try ledgerEntry(for: record) }
    }

    /// What a look-up finds; a damaged record counts as none.
    func readable<Value>(_ find: () throws -> Value?) throws -> Value? {
        do {
            return try find()
        } catch let error as StoreError where error.code == .damaged {
            return nil
        }
    }
}

/// A view that writes nothing: it shows under their ids what a migration would have stored.
///
/// Searches by anything but an id, or the message id of a notification, find only what is really there, which is all
/// that a migration asks for.
final class PlanningView: CredentialWriting {
    private let base: any CredentialReading
    private var values: [RecordKind: [String: any StoredRecord]] = [:]
    private var messages: [String: String] = [:]

    init(over base: any CredentialReading) {
        self.base = base
    }

    var repeatsAccounts: Bool { false }

    func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        guard let planned = planned(type, query) else { return try base.forEach(type, where: query, body) }
        try body(planned)
        return []
    }

    func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> [String] {
        try base.ids(of: type, where: query)
    }

    func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> Int {
        try planned(type, query) == nil ? base.count(of: type, where: query) : 1
    }

    func put(_ value: some StoredRecord) {
        // Of outcomes only those that keep a record are asked for again.
        if let entry = value as? LedgerEntry, entry.verbatim == nil { return }
        let index = value.recordIndex
        if let messageId = index.alias { messages[messageId] = index.id }
        values[type(of: value).recordKind, default: [:]][index.id] = value
    }

    func remove<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) -> Int { 0 }

    private func planned<Value: StoredRecord>(_ type: Value.Type, _ query: RecordQuery) -> Value? {
        let token = type == PushDeviceToken.self ? values[.deviceToken]?.keys.first : nil
        guard let id = query.id ?? query.alias.flatMap({ messages[$0] }) ?? token else { return nil }
        return values[type.recordKind]?[id] as? Value
    }
}
