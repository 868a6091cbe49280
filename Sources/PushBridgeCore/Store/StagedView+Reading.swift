extension StagedView: CredentialReading {
    package func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try oldestFirst(changes.pushCredentials, stored.pushCredentials()).forEach(body)
    }

    package func pushCredentialIDs() throws -> [String] {
        try oldestFirst(changes.pushCredentials, stored.pushCredentialIDs(), stored.pushCredential(id:))
    }

    package func pushCredential(id: String) throws -> PushCredential? {
        try changes.pushCredentials.value(id) { try stored.pushCredential(id: id) }
    }

    package func pushCredentials(account: AccountKey) throws -> [PushCredential] {
        try oldestFirst(changes.pushCredentials, stored.pushCredentials(account: account))
            .filter { $0.account.key == account }
    }

    package func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try oldestFirst(changes.oathCredentials, stored.oathCredentials()).forEach(body)
    }

    package func oathCredentialIDs() throws -> [String] {
        try oldestFirst(changes.oathCredentials, stored.oathCredentialIDs(), stored.oathCredential(id:))
    }

    package func oathCredential(id: String) throws -> OathCredential? {
        try changes.oathCredentials.value(id) { try stored.oathCredential(id: id) }
    }

    package func oathCredentials(account: AccountKey) throws -> [OathCredential] {
        try oldestFirst(changes.oathCredentials, stored.oathCredentials(account: account))
            .filter { $0.account.key == account }
    }

    package func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        guard !changes.pushCredentials.isEmpty || !changes.oathCredentials.isEmpty else {
            return try stored.legacyAccounts(of: account)
        }
        return try pushCredentials(account: account).map(\.legacyAccount)
            + oathCredentials(account: account).map(\.legacyAccount)
    }

    package func deviceToken() throws -> PushDeviceToken? {
        try changes.deviceToken.value(.current) { try stored.deviceToken() }
    }

    package func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try changes.ledger.value(record) { try stored.ledgerEntry(for: record) }
    }

    package func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws {
        try changes.ledger.applied(to: stored.ledgerEntries(), id: \.record).forEach(body)
    }

    package func preservedFingerprints() throws -> [RecordFingerprint] {
        try changes.preserved.applied(to: stored.preservedFingerprints())
    }

    package func preservedRecord(for record: RecordFingerprint) throws -> PreservedRecord? {
        try changes.preserved.value(record) { try stored.preservedRecord(for: record) }
    }

    package func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try changes.preserved.applied(to: stored.preservedRecords(), id: \.record).forEach(body)
    }

    private func oldestFirst<Credential: AccountBound & Identifiable>(
        _ changes: ValueChanges<String, Credential>,
        _ stored: [Credential]
    ) -> [Credential] where Credential.ID == String {
        guard !changes.isEmpty else { return stored }
        return changes.applied(to: stored, id: \.id).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// The ids by age; those of damaged credentials, whose age nobody knows, come last.
    private func oldestFirst<Credential: AccountBound & Identifiable>(
        _ changes: ValueChanges<String, Credential>,
        _ stored: [String],
        _ credential: (String) throws -> Credential?
    ) throws -> [String] where Credential.ID == String {
        guard !changes.isEmpty else { return stored }
        var readable: [Credential] = []
        var damaged: [String] = []
        for id in changes.applied(to: stored) {
            do {
                try changes.value(id) { try credential(id) }.map { readable.append($0) }
            } catch let error as StoreError where error.code == .damaged {
                damaged.append(id)
            }
        }
        return readable.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map(\.id) + damaged
    }
}
