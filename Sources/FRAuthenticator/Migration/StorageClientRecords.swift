public import CredentialMigration
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

extension MigrationSource {
    /// Returns a source that reads, removes and restores the records of an app's own legacy storage.
    ///
    /// Mechanisms without an account are not found, because the storage returns mechanisms by account.
    /// - Parameter client: The app's storage. Its methods are called on any thread.
    /// - Returns: The source.
    public static func storageClient(_ client: any StorageClient) -> MigrationSource {
        .storage(StorageClientRecords(client))
    }
}

/// Reads an app's own storage as legacy records: accounts, mechanisms, notifications and the device token.
struct StorageClientRecords: LegacyRecordStorage {
    private let client: Lock<any StorageClient>

    init(_ client: any StorageClient) {
        self.client = Lock(client)
    }

    func records() -> [LegacyRecord] {
        let client = client.withValue { $0 }
        let accounts = client.getAllAccounts()
        var seen: Set<String> = []
        // If two accounts have the same legacy key, the storage may return the mechanisms of both accounts
        // for each account. Duplicates are therefore removed.
        let mechanisms = accounts.flatMap(client.getMechanismsForAccount)
            .filter { seen.insert($0.value.mechanismUUID).inserted }
        return accounts.map { .account($0.content.withValue { $0 }) }
            + mechanisms.map { .mechanism($0.value) }
            + client.getAllNotifications().map { .notification($0.value) }
            + [client.getPushDeviceToken()].compactMap(\.self).map { .deviceToken($0.value) }
    }

    func remove(_ record: LegacyRecord) throws(LegacyStoreError) {
        guard record.object.remove(from: client.withValue { $0 }) else {
            throw LegacyStoreError(.notWritable, reason: "The app's storage did not remove a record.")
        }
    }

    func restore(_ record: LegacyRecord) throws(LegacyStoreError) {
        guard record.object.store(in: client.withValue { $0 }) else {
            throw LegacyStoreError(.notWritable, reason: "The app's storage did not restore a record.")
        }
    }
}

extension LegacyRecord {
    /// The object that an app's storage uses for this record.
    fileprivate var object: any ClientObject {
        switch self {
        case .account(let account): Account(account)
        case .mechanism(let mechanism): Mechanism.make(mechanism)
        case .notification(let notification): PushNotification(notification)
        case .deviceToken(let token): PushDeviceToken(token)
        }
    }
}
