import PushBridgeCore
import PushBridgePlatform

/// A store whose n-th operation fails, as if the process died there: the transaction around it is lost.
final class FaultyStore: CredentialStore {
    struct Fault: Error {}

    private let store: any CredentialStore
    private let budget: Lock<(used: Int, limit: Int)>

    init(_ store: any CredentialStore, failingAt limit: Int) {
        self.store = store
        budget = Lock((0, limit))
    }

    /// How many operations there were.
    var operations: Int { budget.withValue { $0.used } }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try store.read { try body($0) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try store.write { try body(FaultyView(view: $0, spend: spend)) }
        try spend()
        return value
    }

    var changes: AsyncStream<Void> { store.changes }

    private func spend() throws {
        try budget.withValue { budget in
            budget.used += 1
            if budget.used == budget.limit { throw Fault() }
        }
    }
}

/// Counts before each operation; the commit itself is counted by the store.
private struct FaultyView: CredentialWriting {
    let view: any CredentialWriting
    let spend: () throws -> Void

    private func counted<Value>(_ body: () throws -> Value) throws -> Value {
        try spend()
        return try body()
    }

    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try counted { try view.forEachPushCredential(body) }
    }
    func pushCredential(id: String) throws -> PushCredential? {
        try counted { try view.pushCredential(id: id) }
    }
    func pushCredentials(account: AccountKey) throws -> [PushCredential] {
        try counted { try view.pushCredentials(account: account) }
    }
    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try counted { try view.forEachOathCredential(body) }
    }
    func oathCredential(id: String) throws -> OathCredential? {
        try counted { try view.oathCredential(id: id) }
    }
    func oathCredentials(account: AccountKey) throws -> [OathCredential] {
        try counted { try view.oathCredentials(account: account) }
    }
    func forEachNotification(_ query: NotificationQuery, _ body: (PushNotification) throws -> Void) throws {
        try counted { try view.forEachNotification(query, body) }
    }
    func pushCredentialIDs() throws -> [String] { try counted { try view.pushCredentialIDs() } }
    func oathCredentialIDs() throws -> [String] { try counted { try view.oathCredentialIDs() } }
    func preservedFingerprints() throws -> [RecordFingerprint] {
        try counted { try view.preservedFingerprints() }
    }
    func legacyAccounts(of account: AccountKey) throws -> [LegacyAccount?] {
        try counted { try view.legacyAccounts(of: account) }
    }
    func notification(id: String) throws -> PushNotification? {
        try counted { try view.notification(id: id) }
    }
    func notification(messageId: String) throws -> PushNotification? {
        try counted { try view.notification(messageId: messageId) }
    }
    func notificationCount(_ query: NotificationQuery) throws -> Int {
        try counted { try view.notificationCount(query) }
    }
    func deviceToken() throws -> PushDeviceToken? { try counted { try view.deviceToken() } }
    func ledgerEntry(for record: RecordFingerprint) throws -> LedgerEntry? {
        try counted { try view.ledgerEntry(for: record) }
    }
    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws {
        try counted { try view.forEachLedgerEntry(body) }
    }
    func preservedRecord(for record: RecordFingerprint) throws -> PreservedRecord? {
        try counted { try view.preservedRecord(for: record) }
    }
    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try counted { try view.forEachPreservedRecord(body) }
    }
    func save(_ credential: PushCredential) throws { try counted { try view.save(credential) } }
    func removePushCredential(id: String) throws -> Bool {
        try counted { try view.removePushCredential(id: id) }
    }
    func save(_ credential: OathCredential) throws { try counted { try view.save(credential) } }
    func removeOathCredential(id: String) throws -> Bool {
        try counted { try view.removeOathCredential(id: id) }
    }
    func save(_ notification: PushNotification) throws { try counted { try view.save(notification) } }
    func removeNotification(id: String) throws -> Bool { try counted { try view.removeNotification(id: id) } }
    func removeNotifications(_ query: NotificationQuery) throws -> Int {
        try counted { try view.removeNotifications(query) }
    }
    func save(_ token: PushDeviceToken) throws { try counted { try view.save(token) } }
    func removeDeviceToken() throws -> Bool { try counted { try view.removeDeviceToken() } }
    func record(_ entry: LedgerEntry) throws { try counted { try view.record(entry) } }
    func preserve(_ record: PreservedRecord) throws { try counted { try view.preserve(record) } }
    func removePreservedRecord(for record: RecordFingerprint) throws -> Bool {
        try counted { try view.removePreservedRecord(for: record) }
    }
}
