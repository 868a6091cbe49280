package import Foundation
package import PushBridgeCore
import PushBridgeStore

extension LegacyItemView {
    /// Computes the changes that a transaction makes to items and notes.
    ///
    /// The first changes store accounts, mechanisms, pushes and the device token; the next changes remove records, in
    /// the reverse order. Items that cannot be opened are removed last, because an undecryptable item cannot be
    /// restored.
    func outcome(of changes: RecordChanges) throws -> ([LegacyItemStep], LegacyItemNotes) {
        var notes = notes
        try notes.take(changes, itemToken: changes.touches(.deviceToken) ? itemToken() : nil)
        let tokens = notes.token == nil ? changes.stored(PushDeviceToken.self) : []
        let accounts = try changes.stored(AccountProfile.self) + missingAccounts(of: changes)
        let records =
            accounts.map { account in
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
        var lastSteps: [LegacyItemStep] = []
        for id in changes.removed(.push) + changes.removed(.oath) {
            let found = try mechanism(id: id)
            for mechanism in found.values {
                steps += try removal(of: mechanism)
                try notes.buryCopies(of: mechanism) { () throws(StoreError) in
                    try keychain.records(of: key(of: mechanism), of: .mechanism)
                }
            }
            for item in found.unreadable where item.key == id {
                lastSteps += try removalOfUnopened(item.key, .mechanism)
                // The caller passed the item's key instead of a credential's id. No credential has this key
                // as its id, so no tombstone is necessary.
                notes.tombstones.removeAll { $0.removedId == id }
            }
        }
        for entry in changes.stored(LedgerEntry.self) {
            guard entry.verbatim == nil else {
                throw StoreError(.notWritable, reason: "The legacy SDK's items cannot contain a ledger.")
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
            let unopened = try removalOfUnopened(key.legacyIdentifier, .account)
            if try !unopened.isEmpty && !sharesKey(key) { lastSteps += unopened }
        }
        return (steps + lastSteps, notes)
    }

    /// Returns the accounts of new credentials, if these accounts have no item yet.
    ///
    /// The SDK shows a mechanism only if its account has an item. The accounts of credentials that were
    /// stored earlier are not returned.
    private func missingAccounts(of changes: RecordChanges) throws -> [AccountProfile] {
        var stored = Set(changes.stored(AccountProfile.self).map(\.key))
        let credentials: [any CredentialRecord] =
            changes.stored(OathCredential.self) + changes.stored(PushCredential.self)
        return try credentials.filter { credential in
            let key = credential.account.key
            guard !stored.contains(key), try item(key.legacyIdentifier, .account) == nil,
                try mechanism(id: credential.recordIndex.id).values.isEmpty
            else { return false }
            // Two new credentials can belong to the same account, which is returned only once.
            return stored.insert(key).inserted
        }.map(\.account)
    }

    /// Returns the step that stores a record; `nil` if the item already contains the record.
    private func step(_ record: LegacyRecord) throws -> LegacyItemStep? {
        let (key, service) = (record.identifier, record.service)
        let held = try item(key, service)
        // If the keychain does not return an item now, the item may be readable later, so it is not replaced.
        if let held, let error = held.error,
            try error.code == .locked || held.data == nil || mayBeDecryptedLater(held, record)
        {
            throw StoreError(key, error)
        }
        if let value = held?.value {
            if value == record { return nil }
            guard value.isSame(as: record) || notes.hasBuried(value) else { throw StoreError.taken(key) }
        }
        let data = try keychain.sealed(record.archive, over: held?.data)
        return LegacyItemStep(
            service: service.rawValue,
            key: held?.key ?? key,
            before: held?.data,
            after: data,
            lookUpKey: record.lookUpKey
        )
    }

    /// Returns whether the device's key may later decrypt an item that it cannot decrypt now.
    ///
    /// If the Secure Enclave fails only for a short time, the item must stay; if a different phone sealed the item, a
    /// new enrolment has to replace it.
    ///
    /// While the device has its key, the item of an account that has a readable mechanism is never replaced,
    /// because the item may contain a lock and policies.
    private func mayBeDecryptedLater(_ held: LegacyKeychain.Entry, _ record: LegacyRecord) throws -> Bool {
        guard held.error?.code == .undecryptable, keychain.key?.isPresent == true else { return false }
        if case .account(let account) = record, try !mechanisms(of: account.profile.key).values.isEmpty {
            return true
        }
        return keychain.mayBeDecryptedLater(held, of: record.service)
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
        return [
            LegacyItemStep(
                service: service.rawValue,
                key: held.key,
                before: held.data,
                after: nil,
                lookUpKey: value.lookUpKey
            )
        ]
    }

    /// Returns the step that removes an item that cannot be opened.
    ///
    /// The result is empty if there is no item, if the item can be opened, or if the keychain refuses it for now.
    private func removalOfUnopened(_ key: String, _ service: LegacyService) throws -> [LegacyItemStep] {
        guard let held = try item(key, service), let error = held.error, error.code != .locked else {
            return []
        }
        return [LegacyItemStep(service: service.rawValue, key: held.key, before: held.data, after: nil)]
    }
}

extension RecordChanges {
    /// Returns whether the changes store or remove records of a kind.
    fileprivate func touches(_ kind: RecordKind) -> Bool { !stored(kind).isEmpty || !removed(kind).isEmpty }
}

extension LegacyItemNotes {
    /// Copies into these notes the data of `changes` for which the legacy SDK's items have no field, and deletes
    /// the notes about removed records.
    fileprivate mutating func take(_ changes: RecordChanges, itemToken: PushDeviceToken?) {
        for token in changes.stored(PushDeviceToken.self) {
            keep(token, besideItem: itemToken)
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
        // If a record is added again, the earlier removal of the record is cancelled.
        let added =
            changes.stored(AccountProfile.self).map { Tombstone.id(.account, $0.key.recordID) }
            + changes.stored(PushCredential.self).map { Tombstone.id(.push, $0.id) }
            + changes.stored(OathCredential.self).map { Tombstone.id(.oath, $0.id) }
        let removed = Set(changes.removed(.tombstone) + added)
        tombstones.removeAll { removed.contains($0.recordIndex.id) }
        for tombstone in changes.stored(Tombstone.self) where !tombstones.contains(tombstone) {
            tombstones.append(tombstone)
        }
    }

    /// If the mechanism has a tombstone, adds tombstones for the mechanisms that other groups contain under the same
    /// key, because a removal removes the items with this key from all groups.
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

extension StoreError {
    /// Creates an error of a store from the reason why an item cannot be read.
    package init(_ key: String, _ error: LegacyRecordError) {
        let code: Code = error.isLock ? .locked : error.code == .locked ? .failed : .damaged
        self.init(code, record: key, reason: error.reason)
    }

    /// Returns the error for a key that another record already uses in the legacy SDK's store.
    package static func taken(_ key: String) -> StoreError {
        let reason =
            "Another record has this key in the legacy SDK's store, and the store can keep only one of the two records."
        return StoreError(.notWritable, record: key, reason: reason)
    }
}

extension LegacyRecord {
    /// The look-up key of the item: for a notification, a hash of its message id; for other records, `nil`.
    package var lookUpKey: Data? {
        if case .notification(let value) = self {
            LookUpHashes(owner: nil, alias: value.messageId).data
        } else {
            nil
        }
    }

    /// Returns whether both records are versions of the same record.
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
