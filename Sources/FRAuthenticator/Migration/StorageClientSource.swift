import AuthenticatorCore
import Foundation
import LegacyStore

/// An app's own storage as a legacy store.
struct StorageClientSource: LegacySource {
    let container = "storageClient"
    private let client: Lock<any StorageClient>

    init(_ client: any StorageClient) {
        self.client = Lock(client)
    }

    func items() -> LegacyItems {
        var records = records().makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in records.next()?.item }
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        let records = records()
        let found = records.filter { doomed[$0.item.position] == $0.item.digest }
        guard found.count == doomed.count else {
            throw LegacyStoreError(.changed, reason: "The app's storage changed since it was read.")
        }
        try write(records, to: backup)
        for record in found {
            guard record.remove() else {
                throw LegacyStoreError(.notWritable, reason: "The app's storage did not remove a record.")
            }
        }
    }

    /// Everything in the storage: accounts, mechanisms, notifications, the device token.
    private func records() -> [StorageClientRecord] {
        let client = client.withValue { $0 }
        let accounts = client.getAllAccounts()
        var records = accounts.map { account in
            StorageClientRecord(.account(account.content.withValue { $0 }), .account) {
                client.removeAccount(account: account)
            }
        }
        var seen: Set<String> = []
        for mechanism in accounts.flatMap(client.getMechanismsForAccount)
        where seen.insert(mechanism.mechanismUUID).inserted {
            records.append(
                StorageClientRecord(.mechanism(mechanism.value), .mechanism) {
                    client.removeMechanism(mechanism: mechanism)
                }
            )
        }
        for notification in client.getAllNotifications() {
            records.append(
                StorageClientRecord(.notification(notification.value), .notification) {
                    client.removeNotification(notification: notification)
                }
            )
        }
        if let token = client.getPushDeviceToken() {
            records.append(
                StorageClientRecord(.deviceToken(token.value), .deviceToken) {
                    client.removePushDeviceToken()
                }
            )
        }
        return records
    }

    /// Writes a legacy store in JSON lines.
    private func write(_ records: [StorageClientRecord], to url: URL) throws(LegacyStoreError) {
        let writer = try JSONLinesStoreWriter(url)
        for record in records { try writer.write(record.value) }
        try writer.finish()
    }
}

/// A record of an app's storage, and how it leaves.
private struct StorageClientRecord {
    let value: LegacyRecord
    let item: LegacyItem
    let remove: () -> Bool

    init(_ record: LegacyRecord, _ service: LegacyService, remove: @escaping () -> Bool) {
        // Not the identifier alone: it is not unique.
        value = record
        let name = if case .mechanism(let mechanism) = record { mechanism.mechanismUUID } else { "" }
        item = LegacyItem(
            position: .key(service: service.rawValue, account: "\(record.identifier) \(name)"),
            service: service,
            key: record.identifier,
            payload: .archive(record.archive)
        )
        self.remove = remove
    }
}
