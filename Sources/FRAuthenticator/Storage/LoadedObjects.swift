import Foundation
import LegacyStore
import PushBridgeCore

/// The objects that a transaction has loaded from an app's storage.
///
/// A search for objects that have not been loaded throws `NeedsRecords`.
struct LoadedObjects {
    private var allAccounts: [Account]? {
        didSet {
            accountsByKey = Dictionary(
                (allAccounts ?? []).map { ($0.profile.key, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }
    private var accountsByKey: [AccountKey: Account] = [:]
    private var accounts: [String: Account?] = [:]
    private var allMechanisms: [LoadedMechanism]?
    private var mechanisms: [String: LoadedMechanism?] = [:]
    private var mechanismsOfAccounts: [AccountKey: [LoadedMechanism]] = [:]
    private var notifications: [String: PushNotification?] = [:]
    private var notificationLists: [RecordQuery: [PushNotification]] = [:]
    /// The ids of the objects that the app passed to the call.
    ///
    /// The storage does not have to contain these objects.
    private var shown: Set<String> = []
    private(set) var token: PushDeviceToken??

    /// Returns all accounts.
    func everyAccount() throws -> [Account] { try found(allAccounts, RecordRequest(.account)) }

    /// Returns the account with a key; `nil` if the storage does not contain it.
    ///
    /// The storage finds accounts by an identifier that several accounts may share. If the storage returns an
    /// account with a different key, all accounts are searched.
    func account(_ key: AccountKey) throws -> Account? {
        if allAccounts == nil {
            let found = try holder(of: key.legacyIdentifier)
            if found == nil || found?.profile.key == key { return found }
            _ = try everyAccount()
        }
        return accountsByKey[key]
    }

    /// Returns the account that the storage finds for an identifier; `nil` if it finds none.
    func holder(of identifier: String) throws -> Account? {
        try found(accounts[identifier], RecordRequest(.account, RecordQuery(alias: identifier)))
    }

    /// Returns the mechanisms of all accounts.
    func everyMechanism() throws -> [LoadedMechanism] { try found(allMechanisms, RecordRequest(.push)) }

    /// Returns the mechanisms of an account.
    func mechanisms(of account: Account) throws -> [LoadedMechanism] {
        let key = account.profile.key
        return try found(mechanismsOfAccounts[key], RecordRequest(.push, RecordQuery(owner: key.recordID)))
    }

    /// Returns the mechanism with an id; `nil` if the storage does not contain it.
    func mechanism(id: String) throws -> LoadedMechanism? {
        try found(mechanisms[id], RecordRequest(.push, RecordQuery(id: id)))
    }

    /// The mechanisms that have been loaded so far; there may be others.
    var knownMechanisms: [LoadedMechanism] { mechanisms.values.compactMap(\.self) }
    /// Whether the transaction has searched for a mechanism, or has loaded mechanisms or all accounts.
    var hasMechanisms: Bool { !mechanisms.isEmpty || !mechanismsOfAccounts.isEmpty || allAccounts != nil }

    /// Returns the notification with an identifier; `nil` if the storage does not contain it.
    func notification(identifier: String) throws -> PushNotification? {
        try found(notifications[identifier], RecordRequest(.notification, RecordQuery(id: identifier)))
    }

    /// Returns the notifications that a query selects by message id or by mechanism; all notifications if the query
    /// contains neither.
    func notifications(_ query: RecordQuery) throws -> [PushNotification] {
        let list = RecordQuery(owner: query.alias == nil ? query.owner : nil, alias: query.alias)
        return try found(notificationLists[list], RecordRequest(.notification, list))
    }

    /// Returns the device token; `nil` if the storage contains none.
    func deviceToken() throws -> PushDeviceToken? { try found(token, RecordRequest(.deviceToken)) }

    /// Returns the mechanism with an id; `nil` if it has not been loaded, `.some(nil)` if the storage does
    /// not contain it.
    func known(mechanism id: String) -> LoadedMechanism?? { mechanisms[id] }
    /// Returns the notification with an identifier; `nil` if it has not been loaded, `.some(nil)` if the
    /// storage does not contain it.
    func known(notification identifier: String) -> PushNotification?? { notifications[identifier] }
    /// Returns whether the app passed the object with an id to the call.
    func isShown(_ id: String) -> Bool { shown.contains(id) }

    private func found<Value>(_ known: Value?, _ request: RecordRequest) throws -> Value {
        guard let known else { throw NeedsRecords(request) }
        return known
    }
}

// MARK: - Loading

extension LoadedObjects {
    /// Loads from the storage the records that a transaction lacks.
    mutating func load(_ request: RecordRequest, from client: any StorageClient) throws {
        let query = request.query
        switch request.kind {
        case .account:
            if let identifier = query.alias {
                accounts[identifier] = .some(client.getAccount(accountIdentifier: identifier))
            } else {
                allAccounts = client.getAllAccounts()
            }
        case .push, .oath, .ledger: try loadMechanisms(query, from: client)
        case .notification: try loadNotifications(query, from: client)
        case .deviceToken: token = .some(client.getPushDeviceToken())
        // An app's storage never contains these kinds of records.
        case .importMark, .move, .tombstone: break
        }
    }

    private mutating func loadMechanisms(_ query: RecordQuery, from client: any StorageClient) throws {
        if let id = query.id {
            mechanisms[id] = .some(client.getMechanismForUUID(uuid: id).map(LoadedMechanism.init))
        } else if let owner = query.owner {
            guard let account = try AccountKey(recordID: owner).flatMap(account) else { return }
            cache(client.mechanisms(of: account), of: account.profile.key)
        } else {
            let all = allAccounts ?? client.getAllAccounts()
            allAccounts = all
            allMechanisms = all.flatMap { account in
                let key = account.profile.key
                return mechanismsOfAccounts[key]
                    ?? cache(client.mechanisms(of: account), of: key)
            }
        }
    }

    @discardableResult
    private mutating func cache(_ mechanisms: [Mechanism], of account: AccountKey) -> [LoadedMechanism] {
        let held = mechanisms.map(LoadedMechanism.init)
        mechanismsOfAccounts[account] = held
        for held in held { self.mechanisms[held.object.value.mechanismUUID] = held }
        return held
    }

    private mutating func loadNotifications(_ query: RecordQuery, from client: any StorageClient) throws {
        let found: [PushNotification]
        if let id = query.id {
            notifications[id] = .some(client.getNotification(notificationIdentifier: id))
            return
        } else if let messageId = query.alias {
            found = client.getNotificationByMessageId(messageId: messageId).map { [$0] } ?? []
        } else if let owner = query.owner {
            found =
                try mechanism(id: owner).map {
                    client.getAllNotificationsForMechanism(mechanism: $0.object)
                } ?? []
        } else {
            found = client.getAllNotifications()
        }
        notificationLists[query] = found
        for notification in found { notifications[notification.value.legacyIdentifier] = .some(notification) }
    }
}

extension StorageClient {
    /// Returns the mechanisms of an account, without the mechanisms of other accounts that have the same
    /// identifier.
    func mechanisms(of account: Account) -> [Mechanism] {
        let key = account.profile.key
        return getMechanismsForAccount(account: account).filter { $0.value.account == key }
    }
}

// MARK: - Objects known from the beginning

extension LoadedObjects {
    /// Creates the set with an object that the app passed to the call, or with the known absence of an account.
    ///
    /// If this process has answered a passed push, or has stored a higher counter of a passed HOTP mechanism, the
    /// set contains this later state. A decoded HOTP mechanism is also compared with the stored mechanism.
    init(
        preloaded object: (any CachedObject)?,
        _ memory: StorageClientCache,
        version: Int,
        from client: any StorageClient
    ) {
        switch object {
        case let absent as AbsentAccount where absent.version == version:
            accounts[absent.identifier] = .some(nil)
        case let notification as PushNotification:
            let id = notification.value.legacyIdentifier
            shown.insert(id)
            notifications[id] = .some(memory.answered[id] ?? notification)
        case let mechanism as HOTPMechanism:
            let id = mechanism.value.mechanismUUID
            // Only the storage knows the latest counter of an object that was decoded and that this process has not
            // changed.
            let isUnknown = mechanism.origin == nil && memory.counters[id] == nil
            let stored = isUnknown ? client.getMechanismForUUID(uuid: id) as? HOTPMechanism : nil
            let latest = HOTPMechanism(mechanism.value)
            let next = max(memory.counters[id] ?? 0, stored?.counter ?? 0)
            if next > latest.counter { latest.move(to: next) }
            shown.insert(id)
            mechanisms[id] = LoadedMechanism(latest)
        case let mechanism as Mechanism:
            shown.insert(mechanism.value.mechanismUUID)
            mechanisms[mechanism.value.mechanismUUID] = LoadedMechanism(mechanism)
        default:
            break
        }
    }
}

/// A mechanism that was loaded from the storage, with its record.
final class LoadedMechanism {
    let object: Mechanism
    /// The mechanism's credential or, if it cannot be converted, a ledger entry that keeps it.
    private(set) lazy var record: any StoredRecord = object.value.record

    init(_ object: Mechanism) {
        self.object = object
    }
}
