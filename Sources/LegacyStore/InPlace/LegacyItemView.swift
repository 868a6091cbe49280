import Foundation
package import PushBridgeCore

/// A cache of decoded items across transactions; opening a sealed item takes milliseconds.
final class KnownItems: Sendable {
    // Only the store's turn reaches it.
    nonisolated(unsafe) private var records: [Place: (data: Data, record: LegacyRecord)] = [:]
    nonisolated(unsafe) private var mechanismKeys: [String: String] = [:]
    nonisolated(unsafe) private var keysOfAccounts: [AccountKey: Set<String>] = [:]
    /// Whether all mechanisms were listed once, so that those of an account are known by their keys.
    nonisolated(unsafe) var hasListedMechanisms = false
    /// Whether the process saw an item, so that none is hidden from it.
    nonisolated(unsafe) var hasSeenItems = false

    var isEmpty: Bool { records.isEmpty }

    private struct Place: Hashable {
        let service: LegacyService
        let key: String
    }

    func record(_ service: LegacyService, _ key: String, _ data: Data) -> LegacyRecord? {
        records[Place(service: service, key: key)].flatMap { $0.data == data ? $0.record : nil }
    }

    func note(_ held: LegacyKeychain.Held, _ service: LegacyService) {
        guard let data = held.data, let record = held.value else { return }
        let place = Place(service: service, key: held.key)
        if records[place]?.data == data { return }
        records[place] = (data, record)
        guard case .mechanism(let mechanism) = record else { return }
        mechanismKeys[mechanism.mechanismUUID] = held.key
        keysOfAccounts[mechanism.account, default: []].insert(held.key)
    }

    /// Where a mechanism was seen last.
    func key(ofMechanism id: String) -> String? { mechanismKeys[id] }

    /// Where mechanisms of an account were seen, and where the SDK puts them: the previous release may have added one since.
    func keys(of account: AccountKey) -> Set<String> {
        let usual = [LegacyRecordKind.push, .totp, .hotp].map { "\(account.legacyIdentifier)-\($0.rawValue)" }
        return keysOfAccounts[account, default: []].union(usual)
    }
}

/// One transaction's view of the legacy items; reads each of them once.
final class LegacyItemView: CredentialReading {
    let notes: LegacyItemNotes
    private let keychain: LegacyKeychain
    private let known: KnownItems
    private var lists: [LegacyService: [LegacyKeychain.Held]] = [:]
    private var single: [LegacyService: [String: LegacyKeychain.Held?]] = [:]

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

    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        let found = try found(kind, where: query)
        // A removal must not skip a record because its item is locked.
        if query.id != nil || query.owner != nil,
            let error = found.unreadable.first(where: { $0.code != .damaged })
        {
            throw error
        }
        let unreadable = query.looksInside || query.id != nil ? [] : found.unreadable.compactMap(\.record)
        return Array((found.records.map(\.recordIndex.id) + unreadable).prefix(query.limit ?? .max))
    }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        try ids(of: kind, where: query).count
    }

    /// Refuses an account whose key another one has: the SDK keeps one of the two.
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
        // These were selected by their account, which the index of a ledger entry does not have.
        if kind == .ledger { query.owner = nil }
        found.records = found.records.map { ($0, $0.recordIndex) }
            .filter { query.selects($0.1) }
            .sorted { $0.1.precedes($1.1) }
            .map(\.0)
        if let limit = query.limit { found.records = Array(found.records.prefix(limit)) }
        return found
    }

    /// The accounts, including those that only their mechanisms contain, because their own item is missing or damaged.
    private func accounts(_ query: RecordQuery) throws -> Found {
        if let id = query.id {
            guard let key = AccountKey(recordID: id) else { return ([], []) }
            return try account(key)
        }
        var accounts: [AccountKey: AccountProfile] = [:]
        let items = try list(.account)
        for case .account(let account)? in items.map(\.value) {
            accounts[account.profile.key] = account.profile
        }
        let unreadable = Set(items.filter { $0.error != nil }.map(\.key))
        let mechanisms = try mechanisms()
        for mechanism in mechanisms.values where accounts[mechanism.account] == nil {
            let isUnreadable = unreadable.contains(mechanism.account.legacyIdentifier)
            accounts[mechanism.account] = .bare(mechanism, isUnreadable: isUnreadable)
        }
        return (Array(accounts.values), items.compactMap(\.failure))
    }

    private func account(_ key: AccountKey) throws -> Found {
        let held = try item(key.legacyIdentifier, .account)
        if case .account(let account)? = held?.value, account.profile.key == key {
            return ([account.profile], [])
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

    /// The record of a mechanism, with the removal that its archive has no field for.
    private func record(_ mechanism: LegacyMechanism) -> any StoredRecord {
        let record = mechanism.record
        guard var credential = record as? PushCredential, let owed = notes.owedRemovals[credential.id]
        else { return record }
        credential.owedRemoval = owed
        return credential
    }

    private typealias Mechanisms = (
        values: [LegacyMechanism], unreadable: [(key: String, error: StoreError)]
    )

    private func mechanisms() throws -> Mechanisms {
        let held = try list(.mechanism)
        known.hasListedMechanisms = true
        return sorted(held)
    }

    /// The mechanisms of one account; lists all items, and opens only those of the account.
    private func mechanisms(of account: AccountKey) throws -> Mechanisms {
        if !known.hasListedMechanisms { _ = try mechanisms() }
        var found = sorted(try known.keys(of: account).sorted().compactMap { try item($0, .mechanism) })
        found.values.removeAll { $0.account != account }
        return found
    }

    private func mechanism(id: String) throws -> Mechanisms {
        if let key = known.key(ofMechanism: id), let held = try item(key, .mechanism) {
            let found = sorted([held])
            if found.values.first?.mechanismUUID == id { return found }
        }
        let all = try mechanisms()
        if let found = all.values.first(where: { $0.mechanismUUID == id }) { return ([found], []) }
        // The credential may be in a locked item. Refused items do not count, or no lookup would ever succeed.
        return ([], all.unreadable.filter { $0.error.code == .locked })
    }

    private func sorted(_ held: [LegacyKeychain.Held]) -> Mechanisms {
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
        let held: [LegacyKeychain.Held]
        if let id = query.id {
            held = [try item(id, .notification)].compactMap(\.self)
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

    /// The notification with the answer that is on its way; `nil` if its time to live is not a number.
    private func read(_ value: PushNotification) -> PushNotification? {
        do {
            var notification = try value.checked()
            notification.answerClaim = notes.claims[notification.id]
            return notification
        } catch {
            return nil
        }
    }

    /// The noted token, unless the previous release has stored another one since.
    ///
    /// Does not compare dates: the phone's clock may have been set back between them.
    private func deviceToken() throws -> PushDeviceToken? {
        let stored = try itemToken()
        guard let noted = notes.token, stored.map(LegacyItemNotes.ItemToken.init) == notes.itemToken else {
            return stored
        }
        return noted
    }

    private func itemToken() throws -> PushDeviceToken? {
        let held = try item("deviceToken", .deviceToken)
        if let error = held?.error, error.isLock { throw StoreError("deviceToken", error) }
        if case .deviceToken(let token)? = held?.value { return token }
        return nil
    }

    // MARK: - Items

    private func list(_ service: LegacyService) throws -> [LegacyKeychain.Held] {
        if let list = lists[service] { return list }
        var new: Set<String> = []
        let held = try keychain.items(of: service) { key, data in
            let record = known.record(service, key, data)
            if record == nil { new.insert(key) }
            return record
        }
        lists[service] = held
        for held in held where new.contains(held.key) { known.note(held, service) }
        return held
    }

    private func item(_ key: String, _ service: LegacyService) throws -> LegacyKeychain.Held? {
        if let read = single[service]?[key] { return read }
        if let list = lists[service] { return list.first { $0.key == key } }
        let held = keychain.item(key, of: service) { known.record(service, $0, $1) }
        single[service, default: [:]][key] = .some(held)
        if let held { known.note(held, service) }
        return held
    }
}

// MARK: - Changing

extension LegacyItemView {
    /// Computes the changes of items and notes for a transaction.
    ///
    /// The order is accounts, mechanisms, pushes; then removals in the reverse order.
    func outcome(of changes: RecordChanges) throws -> ([LegacyItemStep], LegacyItemNotes) {
        var notes = notes
        try notes.take(changes, itemToken: changes.touches(.deviceToken) ? itemToken() : nil)
        let tokens = notes.token == nil ? changes.stored(PushDeviceToken.self) : []
        let records =
            changes.stored(AccountProfile.self).map { account in
                LegacyRecord.account(
                    LegacyAccount(profile: account, timeAdded: account.addedAt ?? .distantPast)
                )
            }
            + changes.stored(OathCredential.self).map { .mechanism($0.legacyMechanism) }
            + changes.stored(PushCredential.self).map { .mechanism($0.legacyMechanism) }
            + changes.stored(PushNotification.self).map { .notification($0.legacyNotification) }
            + tokens.map(LegacyRecord.deviceToken)
        var steps = try records.compactMap(step)
        if !changes.removed(.deviceToken).isEmpty {
            steps += try removal("deviceToken", .deviceToken) { _ in true }
        }
        for id in changes.removed(.notification) { steps += try removal(id, .notification) { _ in true } }
        for id in changes.removed(.push) + changes.removed(.oath) {
            for mechanism in try mechanism(id: id).values {
                steps += try removal(of: mechanism)
                try notes.buryCopies(of: mechanism) { () throws(StoreError) in
                    try keychain.copies(of: key(of: mechanism), of: .mechanism)
                }
            }
        }
        for entry in changes.stored(LedgerEntry.self) {
            guard entry.verbatim == nil else {
                throw StoreError(.notWritable, reason: "The legacy SDK's items have no place for a ledger.")
            }
            for mechanism in try mechanisms().values
            where (mechanism.record as? LedgerEntry)?.record == entry.record {
                steps += try removal(of: mechanism)
            }
        }
        for key in changes.removed(.account).compactMap(AccountKey.init) {
            steps += try removal(key.legacyIdentifier, .account) { record in
                if case .account(let account) = record { account.profile.key == key } else { false }
            }
        }
        return (steps, notes)
    }

    /// The step that stores a record; `nil` if its item holds it already.
    private func step(_ record: LegacyRecord) throws -> LegacyItemStep? {
        let (key, service) = (record.identifier, record.service)
        let held = try item(key, service)
        if let error = held?.error, error.code == .locked { throw StoreError(key, error) }
        if let value = held?.value {
            if value == record { return nil }
            guard value.isSame(as: record) || notes.hasBuried(value) else { throw StoreError.taken(key) }
        }
        let data = try keychain.sealed(record.archive, over: held?.data)
        return LegacyItemStep(service: service.rawValue, key: key, before: held?.data, after: data)
    }

    private func removal(of mechanism: LegacyMechanism) throws -> [LegacyItemStep] {
        let id = mechanism.mechanismUUID
        return try removal(key(of: mechanism), .mechanism) { record in
            if case .mechanism(let held) = record { held.mechanismUUID == id } else { false }
        }
    }

    private func key(of mechanism: LegacyMechanism) -> String {
        known.key(ofMechanism: mechanism.mechanismUUID) ?? mechanism.identifier
    }

    private func removal(
        _ key: String,
        _ service: LegacyService,
        if isSame: (LegacyRecord) -> Bool
    ) throws -> [LegacyItemStep] {
        guard let held = try item(key, service) else { return [] }
        if let error = held.error, error.code == .locked { throw StoreError(key, error) }
        guard let value = held.value, isSame(value) else { return [] }
        return [LegacyItemStep(service: service.rawValue, key: key, before: held.data, after: nil)]
    }
}

extension RecordChanges {
    /// Whether records of a kind are stored or removed.
    fileprivate func touches(_ kind: RecordKind) -> Bool { !stored(kind).isEmpty || !removed(kind).isEmpty }
}

extension LegacyItemNotes {
    /// Takes over the data without a field in the items.
    fileprivate mutating func take(_ changes: RecordChanges, itemToken: PushDeviceToken?) {
        for token in changes.stored(PushDeviceToken.self) {
            note(token, besideItem: itemToken)
        }
        if !changes.removed(.deviceToken).isEmpty { (token, self.itemToken) = (nil, nil) }
        for credential in changes.stored(PushCredential.self) {
            owedRemovals[credential.id] = credential.owedRemoval
        }
        for id in changes.removed(.push) { owedRemovals[id] = nil }
        for push in changes.stored(PushNotification.self) { claims[push.id] = push.answerClaim }
        for id in changes.removed(.notification) { claims[id] = nil }
        for move in changes.stored(LegacyMove.self) { self.move = move }
        if !changes.removed(.move).isEmpty { move = nil }
        // Adding an account again cancels its removal.
        let added = changes.stored(AccountProfile.self).map { Tombstone.id(.account, $0.key.recordID) }
        let removed = Set(changes.removed(.tombstone) + added)
        tombstones.removeAll { removed.contains($0.recordIndex.id) }
        for tombstone in changes.stored(Tombstone.self) where !tombstones.contains(tombstone) {
            tombstones.append(tombstone)
        }
    }

    /// Extends the tombstone of a mechanism to the mechanisms that other groups have under its key, because removing an item
    /// removes it from every group.
    fileprivate mutating func buryCopies(
        of mechanism: LegacyMechanism,
        _ copies: () throws(StoreError) -> [LegacyRecord]
    ) throws {
        let kind: RecordKind = mechanism.kind == .push ? .push : .oath
        let id = Tombstone.id(kind, mechanism.mechanismUUID)
        guard let known = tombstones.first(where: { $0.recordIndex.id == id }) else { return }
        for case .mechanism(let copy) in try copies() {
            let tombstone = Tombstone(kind, id: copy.mechanismUUID, since: known.moveBeganAt)
            if !tombstones.contains(tombstone) { tombstones.append(tombstone) }
        }
    }
}

extension LegacyKeychain.Held {
    /// Why the item cannot be read, as a store's error; `nil` if it can.
    fileprivate var failure: StoreError? { error.map { StoreError(key, $0) } }
}

extension StoreError {
    /// Why an item cannot be read, as a store's error.
    package init(_ key: String, _ error: LegacyRecordError) {
        let code: Code = error.isLock ? .locked : error.code == .locked ? .failed : .damaged
        self.init(code, record: key, reason: error.reason)
    }

    /// That the legacy SDK's store has another record under a key.
    package static func taken(_ key: String) -> StoreError {
        let reason = "Another record has this key in the legacy SDK's store, which can keep only one of them."
        return StoreError(.notWritable, record: key, reason: reason)
    }
}

extension LegacyRecord {
    /// Whether both are states of one record.
    fileprivate func isSame(as other: LegacyRecord) -> Bool {
        switch (self, other) {
        case (.account(let one), .account(let other)): one.profile.key == other.profile.key
        case (.mechanism(let one), .mechanism(let other)): one.mechanismUUID == other.mechanismUUID
        case (.notification(let one), .notification(let other)): one.messageId == other.messageId
        case (.deviceToken, .deviceToken): true
        default: false
        }
    }
}

extension AccountProfile {
    /// The part of an account that a mechanism contains; locked if the account's own item exists and cannot be read, because
    /// it may be locked there.
    fileprivate static func bare(_ mechanism: LegacyMechanism, isUnreadable: Bool) -> AccountProfile {
        var profile = AccountProfile(mechanism.account)
        profile.addedAt = mechanism.timeAdded
        if isUnreadable {
            profile.isLocked = true
            profile.lockingPolicy = AccountProfile.unreadableRecord
        }
        return profile
    }
}

extension String {
    /// The kind of credential of a mechanism with this key.
    fileprivate var kindOfMechanism: RecordKind { hasSuffix("-push") ? .push : .oath }
}

extension StoreError {
    /// The item that contains the state of a move exists and cannot be read.
    fileprivate static let unreadableNotes = StoreError(
        .damaged,
        record: LegacyMove.id,
        reason: "The state of the legacy items cannot be read."
    )
}
