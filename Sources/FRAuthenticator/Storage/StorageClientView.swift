import Foundation
import LegacyStore
import PushBridgeCore

/// One transaction's view of an app's storage: asks it for what is needed, once, and remembers.
///
/// Records stay in the order in which the storage returns them. A mechanism that no credential can be made
/// of is a ledger entry that keeps its archive.
final class StorageClientView: CredentialReading {
    let client: any StorageClient
    let memory: StorageClientMemory
    /// The number of the changes that the view is after.
    let version: Int
    private var allAccounts: [Account]?
    private var accounts: [String: Account?] = [:]
    private var mechanisms: [String: Held?] = [:]
    private var mechanismsOfAccounts: [AccountKey: [Held]] = [:]
    private var notifications: [String: PushNotification?] = [:]
    /// The ids of what the app showed, which the storage need not hold.
    private var shown: Set<String> = []
    /// The device token that the storage was found to hold; others may have stored it in its place since it held none.
    private(set) var tokenRead: PushBridgeCore.PushDeviceToken?

    /// Whether the storage has been handed every change that began; else what it holds tells nothing of what it will.
    var isCurrent = true

    init(_ client: any StorageClient, _ memory: StorageClientMemory, version: Int) {
        self.client = client
        self.memory = memory
        self.version = version
        tokenRead = memory.token.flatMap { $0.unconfirmedCredentialIds.isEmpty ? $0 : nil }
    }

    /// A mechanism of the storage, with the record that it is here.
    struct Held {
        let object: Mechanism
        let record: any StoredRecord
    }

    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        try records(kind, where: query).forEach(body)
        return []
    }

    func ids(of kind: RecordKind, where query: RecordQuery) -> [String] {
        records(kind, where: query).map(\.recordIndex.id)
    }

    func count(of kind: RecordKind, where query: RecordQuery) -> Int {
        records(kind, where: query).count
    }

    private func records(_ kind: RecordKind, where query: RecordQuery) -> [any StoredRecord] {
        let found: [any StoredRecord] =
            switch kind {
            case .account: accounts(query).map(\.profile)
            case .push, .oath: mechanisms(query).map(\.record).filter { $0.recordKind == kind }
            case .notification: notifications(query)
            case .deviceToken: deviceToken().map { [$0] } ?? []
            case .ledger: keptMechanisms()
            case .importMark: []
            }
        let selected = found.filter { query.selects($0.recordIndex) }
        return query.limit.map { Array(selected.prefix($0)) } ?? selected
    }
}

// MARK: - What the storage holds

extension StorageClientView {
    private func accounts(_ query: RecordQuery) -> [Account] {
        guard let id = query.id else { return everyAccount() }
        return AccountKey(recordID: id).flatMap(account).map { [$0] } ?? []
    }

    /// The account with a key.
    ///
    /// The storage finds accounts by an identifier that several may share; only where it finds another one are all
    /// searched.
    func account(_ key: AccountKey) -> Account? {
        if allAccounts == nil {
            let found = account(identifier: key.legacyIdentifier)
            if found == nil || found?.profile.key == key { return found }
        }
        return everyAccount().first { $0.profile.key == key }
    }

    /// The account that the storage finds under an identifier.
    func account(identifier: String) -> Account? {
        let found = accounts[identifier] ?? client.getAccount(accountIdentifier: identifier)
        accounts[identifier] = .some(found)
        return found
    }

    /// An account with its mechanisms, those included that no credential can be made of.
    func record(_ account: Account) -> AccountRecord {
        let held = mechanismObjects(of: account).map(\.value)
        return AccountRecord(stored: account.content.withValue { $0 }, mechanisms: held)
    }

    /// All accounts.
    func everyAccount() -> [Account] {
        if let allAccounts { return allAccounts }
        let all = client.getAllAccounts()
        allAccounts = all
        return all
    }

    private func mechanisms(_ query: RecordQuery) -> [Held] {
        if let id = query.id { return mechanism(id: id).map { [$0] } ?? [] }
        guard let owner = query.owner else { return everyAccount().flatMap { mechanisms(of: $0) } }
        return AccountKey(recordID: owner).flatMap(account).map { mechanisms(of: $0) } ?? []
    }

    private func mechanisms(of account: Account) -> [Held] {
        let key = account.profile.key
        if let known = mechanismsOfAccounts[key] { return known }
        let held = mechanismObjects(of: account).map { Held($0) }
        mechanismsOfAccounts[key] = held
        for held in held { mechanisms[held.object.mechanismUUID] = held }
        return held
    }

    /// Accounts whose identifiers collide may be given each other's mechanisms.
    private func mechanismObjects(of account: Account) -> [Mechanism] {
        let key = account.profile.key
        return client.getMechanismsForAccount(account: account).filter { $0.value.account == key }
    }

    /// The mechanism with an id.
    func mechanism(id: String) -> Held? {
        if let known = mechanisms[id] { return known }
        let held = client.getMechanismForUUID(uuid: id).map { Held($0) }
        mechanisms[id] = .some(held)
        return held
    }

    /// The mechanisms without a credential among those that were read; if none were, among all.
    private func keptMechanisms() -> [LedgerEntry] {
        let isUnread = mechanisms.isEmpty && mechanismsOfAccounts.isEmpty && allAccounts == nil
        let all = isUnread ? mechanisms(.all) : mechanisms.values.compactMap(\.self)
        return all.compactMap { $0.record as? LedgerEntry }.sorted { $0.key < $1.key }
    }

    private func notifications(_ query: RecordQuery) -> [PushBridgeCore.PushNotification] {
        if let id = query.id {
            if let claimed = memory.claimed[id] { return [claimed] }
            return notification(identifier: id).flatMap(read).map { [$0] } ?? []
        }
        let found: [PushNotification]
        if let messageId = query.alias {
            found = client.getNotificationByMessageId(messageId: messageId).map { [$0] } ?? []
        } else if let owner = query.owner {
            found =
                mechanism(id: owner).map {
                    client.getAllNotificationsForMechanism(mechanism: $0.object)
                } ?? []
        } else {
            found = client.getAllNotifications()
        }
        for notification in found { notifications[notification.identifier] = .some(notification) }
        return found.compactMap(read)
    }

    /// The notification with an identifier.
    func notification(identifier: String) -> PushNotification? {
        if let known = notifications[identifier] { return known }
        let found = client.getNotification(notificationIdentifier: identifier)
        notifications[identifier] = .some(found)
        return found
    }

    /// The notification as a record, with the answer that is on its way; `nil` if its time to live is not a number.
    private func read(_ object: PushNotification) -> PushBridgeCore.PushNotification? {
        do {
            var notification = try PushBridgeCore.PushNotification(object.value)
            notification.answerClaim = memory.claimed[notification.id]?.answerClaim
            return notification
        } catch {
            return nil
        }
    }

    private func deviceToken() -> PushBridgeCore.PushDeviceToken? {
        memory.token ?? storedToken()?.value
    }

    /// The device token that the storage holds.
    func storedToken() -> PushDeviceToken? {
        tokenRead = tokenRead ?? client.getPushDeviceToken()?.value
        return tokenRead.map(PushDeviceToken.init)
    }
}

// MARK: - What was read already

extension StorageClientView {
    /// That the storage has no account with a key, if so.
    func absence(of key: AccountKey) -> AbsentAccount? {
        account(key) == nil ? AbsentAccount(identifier: key.legacyIdentifier, version: version) : nil
    }

    /// Takes an object for what the storage holds, but for what this process changed of it meanwhile.
    func show(_ object: any KnownObject) {
        switch object {
        case let absent as AbsentAccount where absent.version == version:
            accounts[absent.identifier] = .some(nil)
        case let notification as PushNotification:
            let id = notification.identifier
            shown.insert(id)
            notifications[id] = .some(memory.answered[id] ?? notification)
        case let mechanism as HOTPMechanism:
            let id = mechanism.mechanismUUID
            // One that was decoded may be older than the one that is stored.
            let isUnknown = mechanism.origin == nil && memory.counters[id] == nil
            let stored = isUnknown ? self.mechanism(id: id)?.object as? HOTPMechanism : nil
            let shown = HOTPMechanism(mechanism.value)
            let next = max(memory.counters[id] ?? 0, stored?.counter ?? 0)
            if next > shown.counter { shown.move(to: next) }
            self.shown.insert(id)
            mechanisms[id] = Held(shown)
        case let mechanism as Mechanism:
            shown.insert(mechanism.mechanismUUID)
            mechanisms[mechanism.mechanismUUID] = Held(mechanism)
        default:
            break
        }
    }

    /// Whether an object with an id is the app's own.
    func isShown(_ id: String) -> Bool { shown.contains(id) }
    /// Whether the storage was asked for the mechanism.
    func knowsMechanism(id: String) -> Bool { mechanisms[id] != nil }
    /// Whether the storage was asked for the notification.
    func knowsNotification(identifier: String) -> Bool { notifications[identifier] != nil }
    /// The mechanism that a ledger entry stands for.
    func keptMechanism(_ record: RecordFingerprint) -> Mechanism? {
        mechanisms.values.compactMap(\.self).first { ($0.record as? LedgerEntry)?.record == record }?.object
    }
}

extension StorageClientView.Held {
    fileprivate init(_ object: Mechanism) {
        self.init(object: object, record: object.value.record)
    }
}

extension LegacyMechanism {
    /// The credential that the mechanism is or, if none can be made of it, a ledger entry that keeps it.
    fileprivate var record: any StoredRecord {
        do {
            guard case .push(let parameters) = factor else {
                return try OathCredential(mechanism: self, account: nil)
            }
            return try PushCredential(mechanism: self, parameters: parameters, account: nil)
        } catch {
            let name = [kind.rawValue, mechanismUUID]
            return LedgerEntry(
                record: RecordFingerprint(parts: name, payload: Data(), occurrence: 0),
                kind: kind,
                key: identifier,
                result: MigrationResult(.unsupported, reason: error.reason),
                recordedAt: timeAdded,
                verbatim: VerbatimRecord(format: .archive, payload: LegacyRecord.mechanism(self).archive)
            )
        }
    }
}
