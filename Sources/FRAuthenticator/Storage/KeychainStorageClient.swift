import FRCore
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// The legacy SDK's own keychain items as a storage: what is stored here the previous release of an app reads.
///
/// A record that cannot be read is left where it is, logged once, and replaced only when the same one is enrolled again.
/// An item that holds another account's record is never replaced, although both have one key: the SDK would lose one of
/// the two.
final class KeychainStorageClient: StorageClient, RefusingStorage, ListingStorage {
    private let keychain: LegacyKeychain
    private let state = Lock(State())

    /// Takes the items; reads nothing yet.
    init(_ keychain: LegacyKeychain) {
        self.keychain = keychain
    }

    func takeRefusal() -> StoreError? {
        state.withValue { state in
            defer { state.refusal = nil }
            return state.refusal
        }
    }

    func setAccount(account: Account) -> Bool {
        let record = LegacyRecord.account(account.content.withValue { $0 })
        return put(record) { $0.account?.profile.key == account.profile.key }
    }

    func removeAccount(account: Account) -> Bool {
        remove(account.identifier, .account) { $0.account?.profile.key == account.profile.key }
    }

    func getAccount(accountIdentifier: String) -> Account? {
        if let account = record(accountIdentifier, .account)?.account { return Account(account) }
        return getAllAccounts().first { $0.identifier == accountIdentifier }
    }

    /// The accounts, oldest first; those included that only their mechanisms tell of, because their own item is damaged.
    func getAllAccounts() -> [Account] {
        var accounts = records(.account).compactMap(\.account)
        var keys = Set(accounts.map(\.profile.key))
        for mechanism in mechanisms where keys.insert(mechanism.account).inserted {
            let profile = AccountProfile(
                issuer: mechanism.account.issuer,
                accountName: mechanism.account.accountName
            )
            accounts.append(LegacyAccount(profile: profile, timeAdded: mechanism.timeAdded))
        }
        return accounts.sorted { $0.timeAdded < $1.timeAdded }.map { Account($0) }
    }

    func setMechanism(mechanism: Mechanism) -> Bool {
        let value = mechanism.value
        return put(.mechanism(value)) { $0.mechanism?.mechanismUUID == value.mechanismUUID }
    }

    func removeMechanism(mechanism: Mechanism) -> Bool {
        remove(mechanism.identifier, .mechanism) {
            $0.mechanism?.mechanismUUID == mechanism.value.mechanismUUID
        }
    }

    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        mechanisms(of: account.profile.key).map { Mechanism.make($0) }
    }

    func mechanismsByAccount() -> [AccountKey: [Mechanism]] {
        Dictionary(grouping: mechanisms, by: \.account).mapValues { $0.map { Mechanism.make($0) } }
    }

    func getMechanismForUUID(uuid: String) -> Mechanism? {
        let key = state.withValue { $0.mechanismKeys[uuid] }
        let held = key.flatMap { record($0, .mechanism)?.mechanism }
        if let held, held.mechanismUUID == uuid { return Mechanism.make(held) }
        return mechanisms.first { $0.mechanismUUID == uuid }.map { Mechanism.make($0) }
    }

    func getNotification(notificationIdentifier: String) -> PushNotification? {
        record(notificationIdentifier, .notification)?.notification.map { PushNotification($0) }
    }

    func getNotificationByMessageId(messageId: String) -> PushNotification? {
        notifications.first { $0.messageId == messageId }.map { PushNotification($0) }
    }

    func setNotification(notification: PushNotification) -> Bool {
        put(.notification(notification.value)) { $0.notification?.messageId == notification.messageId }
    }

    func removeNotification(notification: PushNotification) -> Bool {
        remove(notification.value.legacyIdentifier, .notification) { $0.notification != nil }
    }

    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [PushNotification] {
        notifications.filter { $0.credentialId == mechanism.value.mechanismUUID }.map { PushNotification($0) }
    }

    func getAllNotifications() -> [PushNotification] { notifications.map { PushNotification($0) } }

    func setPushDeviceToken(pushDeviceToken: PushDeviceToken) -> Bool {
        put(.deviceToken(pushDeviceToken.value)) { _ in true }
    }

    func getPushDeviceToken() -> PushDeviceToken? {
        record(Self.tokenKey, .deviceToken)?.deviceToken.map { PushDeviceToken($0) }
    }

    func removePushDeviceToken() -> Bool { remove(Self.tokenKey, .deviceToken) { _ in true } }

    private static let tokenKey = "deviceToken"

    private var mechanisms: [LegacyMechanism] {
        records(.mechanism).compactMap(\.mechanism).sorted { $0.timeAdded < $1.timeAdded }
    }

    /// The mechanisms of one account, of which only these items are opened, once all were listed.
    private func mechanisms(of account: AccountKey) -> [LegacyMechanism] {
        guard let known = state.withValue({ $0.hasListedMechanisms ? $0.keysOfAccounts[account] ?? [] : nil })
        else { return mechanisms.filter { $0.account == account } }
        // The previous release may have added one since.
        let usual = [LegacyRecordKind.push, .totp, .hotp].map { "\(account.legacyIdentifier)-\($0.rawValue)" }
        return known.union(usual).sorted().compactMap { record($0, .mechanism)?.mechanism }
            .filter { $0.account == account }.sorted { $0.timeAdded < $1.timeAdded }
    }

    private var notifications: [PushBridgeCore.PushNotification] {
        records(.notification).compactMap(\.notification).sorted { $0.orderedAt < $1.orderedAt }
    }

    // MARK: - Items

    /// The records of a service that can be read.
    private func records(_ service: LegacyService) -> [LegacyRecord] {
        attempt(or: []) { () throws(StoreError) in
            var records: [LegacyRecord] = []
            for held in try keychain.items(of: service, known: known(service)) {
                if let record = try readable(held, service) { records.append(record) }
            }
            if service == .mechanism { state.withValue { $0.hasListedMechanisms = true } }
            return records
        }
    }

    /// The record of an item; `nil` if there is none that can be read.
    private func record(_ key: String, _ service: LegacyService) -> LegacyRecord? {
        attempt(or: nil) { () throws(StoreError) in
            guard let held = try keychain.item(key, of: service, known: known(service)) else { return nil }
            return try readable(held, service)
        }
    }

    /// Stores a record, unless the item in its place holds another one.
    private func put(_ record: LegacyRecord, over isSame: (LegacyRecord) -> Bool) -> Bool {
        attempt(or: false) { () throws(StoreError) in
            let (key, service) = (record.identifier, record.service)
            let before = try keychain.item(key, of: service, known: known(service))
            if let before, let held = try readable(before, service), !isSame(held) {
                throw StoreError.taken(key)
            }
            let data = try keychain.put(record, over: before)
            state.withValue { $0.note(record, data, at: ItemKey(service, key)) }
            return true
        }
    }

    /// Removes a record; `false` if it is not there.
    private func remove(
        _ key: String,
        _ service: LegacyService,
        if isSame: (LegacyRecord) -> Bool
    ) -> Bool {
        attempt(or: false) { () throws(StoreError) in
            guard let held = try keychain.item(key, of: service, known: known(service)),
                let record = try readable(held, service), isSame(record)
            else { return false }
            try keychain.remove(key, of: service)
            state.withValue { $0.read[ItemKey(service, key)] = nil }
            return true
        }
    }

    /// The record of an item; `nil` if it can never be read.
    /// - Throws: ``StoreError`` with the code `locked` if it can be read later.
    private func readable(_ held: LegacyKeychain.Held, _ service: LegacyService) throws(StoreError)
        -> LegacyRecord?
    {
        let item = ItemKey(service, held.key)
        switch held.record {
        case .success(let record):
            if let data = held.data { state.withValue { $0.note(record, data, at: item) } }
            return record
        case .failure(let error):
            if error.code == .locked { throw StoreError(.locked, record: held.key, reason: error.reason) }
            if state.withValue({ $0.reported.insert(item).inserted }) {
                FRALog.e("An item of the legacy store cannot be read and stays as it is: \(error.reason)")
            }
            return nil
        }
    }

    /// The records that were read before, by their bytes: opening a sealed one takes the Secure Enclave milliseconds.
    private func known(_ service: LegacyService) -> (String, Data) -> LegacyRecord? {
        { [state] key, data in
            state.withValue { state in
                state.read[ItemKey(service, key)].flatMap { $0.data == data ? $0.record : nil }
            }
        }
    }

    /// Does what `body` does; what it throws is kept for the transaction, because the storage's calls cannot throw.
    private func attempt<Value>(or fallback: Value, _ body: () throws(StoreError) -> Value) -> Value {
        do {
            return try body()
        } catch {
            state.withValue { $0.refusal = $0.refusal ?? error }
            return fallback
        }
    }

    private struct ItemKey: Hashable {
        let service: LegacyService
        let key: String

        init(_ service: LegacyService, _ key: String) {
            (self.service, self.key) = (service, key)
        }
    }

    private struct State {
        /// What was read, and the bytes it was read from.
        var read: [ItemKey: (data: Data, record: LegacyRecord)] = [:]
        /// Where mechanisms were found, by their ids and by their accounts; others may be there since.
        private(set) var mechanismKeys: [String: String] = [:]
        private(set) var keysOfAccounts: [AccountKey: Set<String>] = [:]
        var hasListedMechanisms = false
        /// The items about which the log was told.
        var reported: Set<ItemKey> = []
        /// The first error since the last time it was asked for.
        var refusal: StoreError?

        mutating func note(_ record: LegacyRecord, _ data: Data, at item: ItemKey) {
            if let known = read[item], known.data == data { return }
            read[item] = (data, record)
            guard let mechanism = record.mechanism else { return }
            mechanismKeys[mechanism.mechanismUUID] = item.key
            keysOfAccounts[mechanism.account, default: []].insert(item.key)
        }
    }
}

/// A storage whose calls cannot throw and that tells afterwards why one of them did nothing.
protocol RefusingStorage {
    /// The first error since the last call; `nil` if there was none.
    func takeRefusal() -> StoreError?
}

/// A storage that lists all mechanisms at once.
protocol ListingStorage {
    /// The mechanisms of every account, oldest first.
    func mechanismsByAccount() -> [AccountKey: [Mechanism]]
}

extension StoreError {
    /// That the legacy SDK's store has another record under a key.
    static func taken(_ key: String) -> StoreError {
        let reason = "Another record has this key in the legacy SDK's store, which can keep only one of them."
        return StoreError(.notWritable, record: key, reason: reason)
    }
}

extension LegacyRecord {
    fileprivate var account: LegacyAccount? { if case .account(let value) = self { value } else { nil } }
    fileprivate var mechanism: LegacyMechanism? {
        if case .mechanism(let value) = self { value } else { nil }
    }
    fileprivate var notification: PushBridgeCore.PushNotification? {
        if case .notification(let value) = self { value } else { nil }
    }
    fileprivate var deviceToken: PushBridgeCore.PushDeviceToken? {
        if case .deviceToken(let value) = self { value } else { nil }
    }
}
