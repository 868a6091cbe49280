import PushBridgeCore

/// A store that does only what it is let.
struct ForgetfulStore: CredentialStore {
    let store: any CredentialStore
    let keeps: @Sendable (Change) -> Bool

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body($0) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write { try body(ForgetfulView(view: $0, keeps: keeps)) }
    }

    var changes: AsyncStream<Void> { store.changes }
}

private struct ForgetfulView: CredentialWriting {
    let view: any CredentialWriting
    let keeps: @Sendable (Change) -> Bool

    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try view.forEachPushCredential(body)
    }
    func pushCredential(id: String) throws -> PushCredential? {
        try view.pushCredential(id: id)
    }
    func pushCredentials(account: AccountKey) throws -> [PushCredential] {
        try view.pushCredentials(account: account)
    }
    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try view.forEachOathCredential(body)
    }
    func oathCredential(id: String) throws -> OathCredential? {
        try view.oathCredential(id: id)
    }
    func oathCredentials(account: AccountKey) throws -> [OathCredential] {
        try view.oathCredentials(account: account)
    }
    func forEachNotification(_ query: NotificationQuery, _ body: (PushNotification) throws -> Void) throws {
        try view.forEachNotification(query, body)
    }
    func pushCredentialIDs() throws -> [String] { try view.pushCredentialIDs() }
    func oathCredentialIDs() throws -> [String] { try view.oathCredentialIDs() }
    func preservedFingerprints() throws -> [RecordFingerprint] {
        try view.preservedFingerprints()
    }
    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        try view.legacyAccounts(of: account)
    }
    func notification(id: String) throws -> PushNotification? {
        try view.notification(id: id)
    }
    func notification(messageId: String) throws -> PushNotification? {
        try view.notification(messageId: messageId)
    }
    func notificationCount(_ query: NotificationQuery) throws -> Int {
        try view.notificationCount(query)
    }
    func deviceToken() throws -> PushDeviceToken? { try view.deviceToken() }
    func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try view.ledgerEntry(for: record)
    }
    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws {
        try view.forEachLedgerEntry(body)
    }
    func preservedRecord(for record: RecordFingerprint) throws -> PreservedRecord? {
        try view.preservedRecord(for: record)
    }
    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try view.forEachPreservedRecord(body)
    }
    func save(_ credential: PushCredential) throws {
        if keeps(.credential(credential)) { try view.save(credential) }
    }
    func removePushCredential(id: String) throws -> Bool {
        try view.removePushCredential(id: id)
    }
    func save(_ credential: OathCredential) throws { try view.save(credential) }
    func removeOathCredential(id: String) throws -> Bool {
        try view.removeOathCredential(id: id)
    }
    func save(_ notification: PushNotification) throws {
        if keeps(.notification(notification)) { try view.save(notification) }
    }
    func removeNotification(id: String) throws -> Bool { try view.removeNotification(id: id) }
    func removeNotifications(_ query: NotificationQuery) throws -> Int {
        keeps(.removalOfNotifications) ? try view.removeNotifications(query) : 0
    }
    func save(_ token: PushDeviceToken) throws {
        if keeps(.token(token)) { try view.save(token) }
    }
    func removeDeviceToken() throws -> Bool { try view.removeDeviceToken() }
    func record(_ entry: LedgerEntry) throws { try view.record(entry) }
    func preserve(_ record: PreservedRecord) throws { try view.preserve(record) }
    func removePreservedRecord(for record: RecordFingerprint) throws -> Bool {
        try view.removePreservedRecord(for: record)
    }
}
