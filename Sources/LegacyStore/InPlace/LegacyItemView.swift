import Foundation
import PushBridgeCore
import PushBridgeStore

/// A cache of decoded items that lives longer than a transaction, because opening a sealed item takes milliseconds.
final class KnownItems: Sendable {
    // The variables of this class are accessed only inside the store's lock `turn`.
    nonisolated(unsafe) private var records: [Place: (data: Data, record: LegacyRecord)] = [:]
    nonisolated(unsafe) private var mechanismKeys: [String: String] = [:]
    nonisolated(unsafe) private var keysOfAccounts: [AccountKey: Set<String>] = [:]
    /// Whether all mechanisms have been listed once, so that the keys of each account's mechanisms are known.
    nonisolated(unsafe) var hasListedMechanisms = false
    /// Whether the process has seen an item, which shows that the keychain no longer hides the items.
    nonisolated(unsafe) var hasSeenItems = false
    /// The tombstones whose items this process has tried to delete.
    nonisolated(unsafe) var checkedTombstones: [Tombstone] = []

    var isEmpty: Bool { records.isEmpty }

    private struct Place: Hashable {
        let service: LegacyService
        let key: String
    }

    func record(_ service: LegacyService, _ key: String, _ data: Data) -> LegacyRecord? {
        records[Place(service: service, key: key)].flatMap { $0.data == data ? $0.record : nil }
    }

    func cache(_ held: LegacyKeychain.Entry, _ service: LegacyService) {
        guard let data = held.data, let record = held.value else { return }
        let place = Place(service: service, key: held.key)
        if records[place]?.data == data { return }
        records[place] = (data, record)
        guard case .mechanism(let mechanism) = record else { return }
        mechanismKeys[mechanism.mechanismUUID] = held.key
        keysOfAccounts[mechanism.account, default: []].insert(held.key)
    }

    /// Returns the key of the item in which a mechanism was last seen; `nil` if it has not been seen.
    func key(ofMechanism id: String) -> String? { mechanismKeys[id] }

    /// Returns the keys under which an account's mechanisms may be stored: the keys where mechanisms were
    /// seen, and the keys that the SDK uses for mechanisms of this account.
    ///
    /// The SDK's keys are included, because the previous release may have added a mechanism in the meantime.
    func keys(of account: AccountKey) -> Set<String> {
        let usual = [LegacyRecordKind.push, .totp, .hotp].map { "\(account.legacyIdentifier)-\($0.rawValue)" }
        return keysOfAccounts[account, default: []].union(usual)
    }
}

/// One transaction's view of the legacy items.
///
/// The view keeps the items that it has read until the transaction ends.
final class LegacyItemView: CredentialReading {
    let notes: LegacyItemNotes
    let keychain: LegacyKeychain
    let known: KnownItems
    private var lists: [LegacyService: [LegacyKeychain.Entry]] = [:]
    private var single: [LegacyService: [String: LegacyKeychain.Entry?]] = [:]

    init(_ keychain: LegacyKeychain, _ known: KnownItems, _ notes: LegacyItemNotes) {
        self.keychain = keychain
        self.known = known
        self.notes = notes
    }

    var keepsLegacyKeys: Bool { true }

    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        let found = try found(kind, where: query)
        try found.records.forEach(body)
        return found.unreadable
    }

    /// Returns the ids of records.
    ///
    /// For a credential whose item cannot be opened, the result may contain the item's key instead of the credential's
    /// id. So a removal of an account also removes such items, whose keys contain the names of the account.
    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        try ids(kind, where: query, includesUnopened: true)
    }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        // An item that cannot be opened does not count as a credential of an account.
        try ids(kind, where: query, includesUnopened: false).count
    }

    private func ids(
        _ kind: RecordKind,
        where query: RecordQuery,
        includesUnopened: Bool
    ) throws -> [String] {
        let found = try found(kind, where: query)
        // A query with an id or an owner may be for a removal. A removal must not leave out a locked record, so the
        // call throws.
        if query.id != nil || query.owner != nil,
            let error = found.unreadable.first(where: { $0.code != .damaged })
        {
            throw error
        }
        var ids = found.records.map(\.recordIndex.id)
        let unreadable = found.unreadable.compactMap(\.record)
        if !query.looksInside, query.id == nil {
            ids += unreadable
        } else if includesUnopened, !unreadable.isEmpty, try isSelectedByKey(kind, query) {
            ids += unreadable
        }
        return Array(ids.prefix(query.limit ?? .max))
    }

    /// Returns whether the unreadable items that a query found count as results of the query, although only their
    /// keys are known.
    private func isSelectedByKey(_ kind: RecordKind, _ query: RecordQuery) throws -> Bool {
        guard kind == .push || kind == .oath, query.alias == nil, query.dates == nil, !query.openOnly else {
            return false
        }
        guard let owner = query.owner else { return true }
        guard let account = AccountKey(recordID: owner) else { return false }
        return try !sharesKey(account)
    }

    /// Returns whether another account has the same legacy key.
    ///
    /// The key of an item then does not show to which account the item belongs.
    func sharesKey(_ account: AccountKey) throws -> Bool {
        let key = account.legacyIdentifier
        if case .account(let held)? = try item(key, .account)?.value, held.profile.key != account {
            return true
        }
        return try mechanisms().values.contains { mechanism in
            mechanism.account != account && mechanism.account.legacyIdentifier == key
        }
    }

    /// Throws if the item with the account's legacy key belongs to another account, or is locked: the SDK can store
    /// only one account under a key.
    func checkPlace(for account: AccountKey) throws {
        guard let held = try item(account.legacyIdentifier, .account) else { return }
        if let error = held.error, error.code == .locked { throw StoreError(held.key, error) }
        if case .account(let other)? = held.value, other.profile.key != account {
            throw StoreError.taken(held.key)
        }
    }

    // MARK: - Records

    private typealias Found = (records: [any StoredRecord], unreadable: [StoreError])

    private func found(_ kind: RecordKind, where query: RecordQuery) throws -> Found {
        var found: Found =
            switch kind {
            case .account: try accounts(query)
            case .push, .oath, .ledger: try credentials(kind, query)
            case .notification: try notifications(query)
            case .deviceToken: (try deviceToken().map { [$0] } ?? [], [])
            case .move: (notes.move.map { [$0] } ?? [], notes.isUnreadable ? [.unreadableNotes] : [])
            case .tombstone: (notes.tombstones, [])
            case .importMark: ([], [])
            }
        var query = query
        // The ledger entries have already been selected by account, because their index contains no account.
        if kind == .ledger { query.owner = nil }
        found.records = found.records.map { ($0, $0.recordIndex) }
            .filter { query.selects($0.1) }
            .sorted { $0.1.precedes($1.1) }
            .map(\.0)
        if let limit = query.limit { found.records = Array(found.records.prefix(limit)) }
        return found
    }

    /// Returns the accounts.
    ///
    /// If an account's own item is missing or damaged, the account is created from its mechanisms. An account that
    /// the user removed is returned only if it has a mechanism again.
    private func accounts(_ query: RecordQuery) throws -> Found {
        if let id = query.id {
            guard let key = AccountKey(recordID: id) else { return ([], []) }
            return try account(key)
        }
        var accounts: [AccountKey: AccountProfile] = [:]
        let items = try list(.account)
        let mechanisms = try mechanisms()
        let inUse = Set(mechanisms.values.map(\.account))
        for case .account(let account)? in items.map(\.value) {
            let key = account.profile.key
            if inUse.contains(key) || !notes.hasBuried(key) { accounts[key] = account.profile }
        }
        let unreadable = Set(items.filter { $0.error != nil }.map(\.key))
        for mechanism in mechanisms.values where accounts[mechanism.account] == nil {
            let isUnreadable = unreadable.contains(mechanism.account.legacyIdentifier)
            accounts[mechanism.account] = .bare(mechanism, isUnreadable: isUnreadable)
        }
        return (Array(accounts.values), items.compactMap(\.failure))
    }

    private func account(_ key: AccountKey) throws -> Found {
        let held = try item(key.legacyIdentifier, .account)
        if case .account(let account)? = held?.value, account.profile.key == key {
            let isHidden = try notes.hasBuried(key) && mechanisms(of: key).values.isEmpty
            return (isHidden ? [] : [account.profile], [])
        }
        if let error = held?.error, error.code == .locked {
            return ([], [StoreError(key.legacyIdentifier, error)])
        }
        let oldest = try mechanisms(of: key).values.first
        return (oldest.map { [AccountProfile.bare($0, isUnreadable: held?.error != nil)] } ?? [], [])
    }

    private func credentials(_ kind: RecordKind, _ query: RecordQuery) throws -> Found {
        let found: (values: [LegacyMechanism], unreadable: [(key: String, error: StoreError)]) =
            if let id = query.id, kind != .ledger {
                try mechanism(id: id)
            } else if let owner = query.owner, let key = AccountKey(recordID: owner) {
                try mechanisms(of: key)
            } else {
                try mechanisms()
            }
        let records = found.values.map(record).filter { $0.recordKind == kind }
        let unreadable = found.unreadable.filter { $0.key.kindOfMechanism == kind }
        return (records, unreadable.map(\.error))
    }

    /// Returns the record of a mechanism, with its pending removal, for which the archive has no field.
    private func record(_ mechanism: LegacyMechanism) -> any StoredRecord {
        let record = mechanism.record
        guard var credential = record as? PushCredential, let removal = notes.owedRemovals[credential.id]
        else { return record }
        credential.owedRemoval = removal
        return credential
    }

    typealias Mechanisms = (
        values: [LegacyMechanism], unreadable: [(key: String, error: StoreError)]
    )

    func mechanisms() throws -> Mechanisms {
        let held = try list(.mechanism)
        known.hasListedMechanisms = true
        return sorted(held)
    }

    /// Returns the mechanisms of one account.
    ///
    /// The first call lists the mechanisms of all accounts; later calls read only the items of this account.
    func mechanisms(of account: AccountKey) throws -> Mechanisms {
        if !known.hasListedMechanisms { _ = try mechanisms() }
        var found = sorted(try known.keys(of: account).sorted().compactMap { try item($0, .mechanism) })
        found.values.removeAll { $0.account != account }
        return found
    }

    func mechanism(id: String) throws -> Mechanisms {
        if let key = known.key(ofMechanism: id), let held = try item(key, .mechanism) {
            let found = sorted([held])
            if found.values.first?.mechanismUUID == id { return found }
        }
        let all = try mechanisms()
        if let found = all.values.first(where: { $0.mechanismUUID == id }) { return ([found], []) }
        if let unopened = all.unreadable.first(where: { $0.key == id && $0.error.code == .damaged }) {
            return ([], [unopened])
        }
        // The credential may be in a locked item. Other errors of items are ignored, because they would make
        // every look-up fail.
        return ([], all.unreadable.filter { $0.error.code == .locked })
    }

    private func sorted(_ held: [LegacyKeychain.Entry]) -> Mechanisms {
        var mechanisms: Mechanisms = ([], [])
        for held in held {
            if case .mechanism(let mechanism)? = held.value, !notes.hasBuried(mechanism) {
                mechanisms.values.append(mechanism)
            }
            if let error = held.failure { mechanisms.unreadable.append((held.key, error)) }
        }
        mechanisms.values.sort { ($0.timeAdded, $0.mechanismUUID) < ($1.timeAdded, $1.mechanismUUID) }
        return mechanisms
    }

    private func notifications(_ query: RecordQuery) throws -> Found {
        let held: [LegacyKeychain.Entry]
        if let id = query.id {
            held = [try item(id, .notification)].compactMap(\.self)
        } else if let messageId = query.alias {
            held = try notifications(messageId: messageId, usualId: query.usualId)
        } else {
            held = try list(.notification)
        }
        let values = held.compactMap { held -> PushNotification? in
            guard case .notification(let value)? = held.value,
                query.owner == nil || query.owner == value.credentialId
            else { return nil }
            return read(value)
        }
        let isAbsent = query.id != nil && held.first?.error?.isLock != true
        return (values, isAbsent ? [] : held.compactMap(\.failure))
    }

    /// Returns the items that may contain the push with a message id.
    ///
    /// An item that PushBridge stored is found with its look-up key. The SDK's items have no look-up key; they are
    /// found under the key `usualId`. All items are read if `usualId` is `nil` and the push was not found, or if the
    /// keychain stores no look-up keys.
    private func notifications(
        messageId: String,
        usualId: String?
    ) throws -> [LegacyKeychain.Entry] {
        guard lists[.notification] == nil,
            let lookUpKey = LookUpHashes(owner: nil, alias: messageId).data,
            let keys = try keychain.keys(of: .notification, lookUpKey: lookUpKey)
        else { return try list(.notification) }
        let wanted = Set(keys + [usualId].compactMap(\.self)).sorted()
        let found = try wanted.compactMap { try item($0, .notification) }
        let isFound = found.contains { held in
            if case .notification(let value)? = held.value { value.messageId == messageId } else { false }
        }
        let refused = found.first { keys.contains($0.key) && $0.error?.code == .locked }
        // The look-up key shows that the refused item contains this push. If a second item were added, the app
        // would show the push again after the user has answered it.
        if !isFound, let error = refused?.failure { throw error }
        return isFound || usualId != nil ? found : try list(.notification)
    }

    /// Returns the notification with the claim of its answer; `nil` if its time to live cannot be rounded up to an
    /// `Int`.
    private func read(_ value: PushNotification) -> PushNotification? {
        do {
            var notification = try value.checked()
            notification.answerClaim = notes.claims[notification.id]
            return notification
        } catch {
            return nil
        }
    }

    /// Returns the token from the notes; returns the token of the SDK's own item if the notes contain none, or if that
    /// item has changed since the token in the notes was stored.
    ///
    /// The dates of the two tokens are not compared, because the phone's clock may have been set back in between.
    private func deviceToken() throws -> PushDeviceToken? {
        let stored = try itemToken()
        guard let noted = notes.token, stored.map(LegacyItemNotes.ItemToken.init) == notes.itemToken else {
            return stored
        }
        return noted
    }

    func itemToken() throws -> PushDeviceToken? {
        let held = try item("deviceToken", .deviceToken)
        if let error = held?.error, error.isLock { throw StoreError("deviceToken", error) }
        if case .deviceToken(let token)? = held?.value { return token }
        return nil
    }

    // MARK: - Items

    private func list(_ service: LegacyService) throws -> [LegacyKeychain.Entry] {
        if let list = lists[service] { return list }
        var new: Set<String> = []
        let held = try keychain.items(of: service) { key, data in
            let record = known.record(service, key, data)
            if record == nil { new.insert(key) }
            return record
        }
        lists[service] = held
        for held in held where new.contains(held.key) { known.cache(held, service) }
        return held
    }

    /// Returns the item that has exactly this key or, if there is none, an item whose key is canonically equivalent.
    ///
    /// The keychain itself compares keys byte by byte.
    func item(_ key: String, _ service: LegacyService) throws -> LegacyKeychain.Entry? {
        if let held = try exactItem(key, service) { return held }
        guard !key.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return try list(service).first { $0.key == key }
    }

    private func exactItem(_ key: String, _ service: LegacyService) throws -> LegacyKeychain.Entry? {
        if let read = single[service]?[key] { return read }
        if let list = lists[service] { return list.first { $0.key == key } }
        let held = keychain.item(key, of: service) { known.record(service, $0, $1) }
        single[service, default: [:]][key] = .some(held)
        if let held { known.cache(held, service) }
        return held
    }
}

extension LegacyKeychain.Entry {
    /// The reason why the item cannot be read, as an error of a store; `nil` if the item is readable.
    fileprivate var failure: StoreError? { error.map { StoreError(key, $0) } }
}

extension AccountProfile {
    /// Returns an account with the data that a mechanism contains about it.
    ///
    /// If the account's own item is unreadable, the returned account is locked, because that item may contain
    /// a lock.
    fileprivate static func bare(_ mechanism: LegacyMechanism, isUnreadable: Bool) -> AccountProfile {
        var profile = AccountProfile(mechanism.account)
        profile.addedAt = mechanism.timeAdded
        if isUnreadable { profile.lockAsUnreadable() }
        return profile
    }
}

extension String {
    /// The kind of credential that is stored as a mechanism with this key.
    fileprivate var kindOfMechanism: RecordKind { hasSuffix("-push") ? .push : .oath }
}

extension StoreError {
    /// The error that is reported if the item that contains the state of a move cannot be read.
    fileprivate static let unreadableNotes = StoreError(
        .damaged,
        record: LegacyMove.id,
        reason: "The item that contains the state of the move from the legacy items cannot be read."
    )
}
