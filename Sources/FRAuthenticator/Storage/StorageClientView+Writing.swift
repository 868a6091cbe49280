import CredentialMigration
import LegacyStore
import PushBridgeCore

extension StorageClientView: CredentialWriting {
    func save(_ credential: PushCredential) { push.stage(credential, for: credential.id) }

    func removePushCredential(id: String) -> Bool {
        defer { push.stage(nil, for: id) }
        return pushCredential(id: id) != nil
    }

    func save(_ credential: OathCredential) { oath.stage(credential, for: credential.id) }

    func removeOathCredential(id: String) -> Bool {
        defer { oath.stage(nil, for: id) }
        return oathCredential(id: id) != nil
    }

    func save(_ notification: PushBridgeCore.PushNotification) {
        notifications.stage(notification, for: notification.id)
    }

    func removeNotification(id: String) -> Bool {
        defer { notifications.stage(nil, for: id) }
        return notification(id: id) != nil
    }

    func removeNotifications(_ query: NotificationQuery) throws -> Int {
        let doomed = try notifications(query)
        for notification in doomed { notifications.stage(nil, for: notification.id) }
        return doomed.count
    }

    func save(_ token: PushBridgeCore.PushDeviceToken) { self.token = .some(token) }

    func removeDeviceToken() -> Bool {
        defer { token = .some(nil) }
        return deviceToken() != nil
    }

    func record(_ entry: LedgerEntry) throws {
        throw StoreError(.notWritable, reason: "An app's own storage keeps no ledger.")
    }

    func preserve(_ record: PreservedRecord) throws {
        switch try record.legacyRecord() {
        case .account(let account): accounts[account.profile.key] = .some(account)
        case .mechanism, .notification, .deviceToken:
            throw StoreError(.notWritable, reason: "An app's own storage keeps accounts only.")
        }
    }

    func removePreservedRecord(for record: RecordFingerprint) throws -> Bool {
        guard let kept = preservedRecord(for: record) else { return false }
        switch try kept.legacyRecord() {
        case .account(let account): accounts[account.profile.key] = .some(nil)
        case .mechanism(let mechanism) where mechanism.kind == .push:
            push.stage(nil, for: mechanism.mechanismUUID)
        case .mechanism(let mechanism): oath.stage(nil, for: mechanism.mechanismUUID)
        case .notification, .deviceToken: return false
        }
        return true
    }
}

extension PreservedRecord {
    fileprivate func legacyRecord() throws -> LegacyRecord {
        try decoded().record
    }
}
