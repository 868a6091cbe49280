import Foundation

/// One transaction on a memory store: works on its own copy of the contents.
final class MemoryView: CredentialWriting {
    private(set) var contents: MemoryContents

    init(_ contents: MemoryContents) {
        self.contents = contents
    }

    func forEachPushCredential(_ body: (PushCredential) throws -> Void) throws {
        try contents.pushCredentials.values.sorted(by: isOlder).forEach(body)
    }

    func pushCredentialIDs() -> [String] {
        contents.pushCredentials.values.sorted(by: isOlder).map(\.id)
    }

    func pushCredential(id: String) -> PushCredential? { contents.pushCredentials[id] }

    func pushCredentials(account: AccountKey) -> [PushCredential] {
        contents.pushCredentials.values.filter { $0.account.key == account }.sorted(by: isOlder)
    }

    func forEachOathCredential(_ body: (OathCredential) throws -> Void) throws {
        try contents.oathCredentials.values.sorted(by: isOlder).forEach(body)
    }

    func oathCredentialIDs() -> [String] {
        contents.oathCredentials.values.sorted(by: isOlder).map(\.id)
    }

    func oathCredential(id: String) -> OathCredential? { contents.oathCredentials[id] }

    func oathCredentials(account: AccountKey) -> [OathCredential] {
        contents.oathCredentials.values.filter { $0.account.key == account }.sorted(by: isOlder)
    }

    func legacyAccounts(of account: AccountKey) -> [LegacyAccount?] {
        pushCredentials(account: account).map(\.legacyAccount)
            + oathCredentials(account: account).map(\.legacyAccount)
    }

    func forEachNotification(_ query: NotificationQuery, _ body: (PushNotification) throws -> Void) throws {
        try selected(by: query).forEach(body)
    }

    func notification(id: String) -> PushNotification? { contents.notifications[id] }

    func notification(messageId: String) -> PushNotification? {
        selected(by: .all).first { $0.messageId == messageId }
    }

    func notificationCount(_ query: NotificationQuery) -> Int { selected(by: query).count }

    func deviceToken() -> PushDeviceToken? { contents.deviceToken }

    func ledgerEntry(for record: RecordFingerprint) -> LedgerEntry? {
        contents.ledger[record]
    }

    func forEachLedgerEntry(_ body: (LedgerEntry) throws -> Void) throws {
        try contents.ledger.inOrder.forEach(body)
    }

    func preservedFingerprints() -> [RecordFingerprint] { contents.preserved.inOrder.map(\.record) }

    func preservedRecord(for record: RecordFingerprint) -> PreservedRecord? {
        contents.preserved[record]
    }

    func forEachPreservedRecord(_ body: (PreservedRecord) throws -> Void) throws {
        try contents.preserved.inOrder.forEach(body)
    }

    func save(_ credential: PushCredential) { contents.pushCredentials[credential.id] = credential }

    func removePushCredential(id: String) -> Bool {
        contents.pushCredentials.removeValue(forKey: id) != nil
    }

    func save(_ credential: OathCredential) { contents.oathCredentials[credential.id] = credential }

    func removeOathCredential(id: String) -> Bool {
        contents.oathCredentials.removeValue(forKey: id) != nil
    }

    func save(_ notification: PushNotification) { contents.notifications[notification.id] = notification }

    func removeNotification(id: String) -> Bool {
        contents.notifications.removeValue(forKey: id) != nil
    }

    func removeNotifications(_ query: NotificationQuery) -> Int {
        let doomed = selected(by: query)
        for notification in doomed { contents.notifications[notification.id] = nil }
        return doomed.count
    }

    func save(_ token: PushDeviceToken) { contents.deviceToken = token }

    func removeDeviceToken() -> Bool {
        defer { contents.deviceToken = nil }
        return contents.deviceToken != nil
    }

    func record(_ entry: LedgerEntry) { contents.ledger[entry.record] = entry }

    func preserve(_ record: PreservedRecord) { contents.preserved[record.record] = record }

    func removePreservedRecord(for record: RecordFingerprint) -> Bool {
        defer { contents.preserved[record] = nil }
        return contents.preserved[record] != nil
    }

    private func selected(by query: NotificationQuery) -> [PushNotification] {
        let all = contents.notifications.values.filter(query.selects).sorted {
            ($0.sentAt, $0.id) < ($1.sentAt, $1.id)
        }
        return query.limit.map { Array(all.prefix(max(0, $0))) } ?? all
    }

    private func isOlder<Credential: AccountBound & Identifiable>(
        _ one: Credential,
        _ other: Credential
    ) -> Bool where Credential.ID == String {
        (one.createdAt, one.id) < (other.createdAt, other.id)
    }
}
