import Foundation
package import PushBridgeCore
import PushBridgeStore

/// Data for which the legacy SDK's items have no field; the data is stored in a separate keychain item.
package struct LegacyItemNotes: Codable, Equatable {
    /// The device token, if some servers do not have it yet or if an environment is set for it; otherwise
    /// `nil`.
    package var token: PushDeviceToken?
    /// The token that the SDK's own item contained when `token` was stored; `nil` if it contained none.
    ///
    /// If the item has changed since then, `token` is ignored.
    var itemToken: ItemToken?
    /// Removals that the server has not confirmed; the keys are the ids of the push credentials.
    package var owedRemovals: [String: UnconfirmedRemoval] = [:]
    /// The claims of answers in progress; the keys are the ids of the pushes.
    package var claims: [String: AnswerClaim] = [:]
    /// The state of a move; `nil` if there is no move.
    package var move: LegacyMove?
    /// The tombstones of records that the user removed after the move began.
    package var tombstones: [Tombstone] = []
    /// The changes that belong to an unfinished transaction of several items.
    var unfinished: [LegacyItemStep] = []
    /// The changes of interrupted transactions that are still due, because the keychain refused their items; `nil` if
    /// there are none.
    var postponed: [LegacyItemStep]?

    package init() {}

    /// A device token in the form in which the SDK stores it.
    struct ItemToken: Codable, Equatable {
        let token: String
        let createdAt: Date

        init(_ token: PushDeviceToken) {
            (self.token, createdAt) = (token.token, token.createdAt)
        }
    }

    package static func == (one: LegacyItemNotes, other: LegacyItemNotes) -> Bool {
        one.encoded == other.encoded
    }

    /// Stores a token in the notes if it has data for which the SDK's own item has no field; otherwise removes the
    /// token from the notes.
    package mutating func keep(_ token: PushDeviceToken, besideItem stored: PushDeviceToken?) {
        let isWhole = token.unconfirmedCredentialIds.isEmpty && token.environment == nil
        self.token = isWhole ? nil : token
        itemToken = isWhole ? nil : stored.map(ItemToken.init)
    }

    /// Whether the move is finished, and the store in charge has imported all notes.
    package var isFullyMoved: Bool {
        move?.state == .moved && token == nil && owedRemovals.isEmpty && claims.isEmpty && tombstones.isEmpty
    }

    /// Returns whether the user removed a mechanism.
    ///
    /// The item of a removed mechanism may still exist, because a move back does not remove an item that it cannot
    /// open.
    func hasBuried(_ mechanism: LegacyMechanism) -> Bool {
        hasBuried(mechanism.kind == .push ? .push : .oath, mechanism.mechanismUUID)
    }

    /// Returns whether the user removed an account.
    ///
    /// The item of a removed account may still exist: it is kept as long as an item that cannot be opened may contain
    /// one of the account's mechanisms.
    func hasBuried(_ account: AccountKey) -> Bool {
        hasBuried(.account, account.recordID)
    }

    private func hasBuried(_ kind: RecordKind, _ id: String) -> Bool {
        tombstones.contains { $0.removedKind == kind && $0.removedId == id }
    }

    /// Returns whether a record is a mechanism that the user removed.
    func hasBuried(_ record: LegacyRecord) -> Bool {
        if case .mechanism(let mechanism) = record { hasBuried(mechanism) } else { false }
    }

    /// Sets the state of the move to `move`, and deletes the notes in `taken`, which the shared store has imported.
    ///
    /// Notes that another process added later stay.
    package mutating func forget(_ taken: LegacyItemNotes, after move: LegacyMove) {
        self.move = move
        if token == taken.token { (token, itemToken) = (nil, nil) }
        owedRemovals = owedRemovals.filter { taken.owedRemovals[$0.key] != $0.value }
        claims = claims.filter { taken.claims[$0.key] != $0.value }
        tombstones.removeAll(where: taken.tombstones.contains)
    }

    /// The data of the keychain item; `nil` if there are no notes.
    var encoded: Data? {
        let isEmpty =
            token == nil && owedRemovals.isEmpty && claims.isEmpty && move == nil && tombstones.isEmpty
            && unfinished.isEmpty && postponed == nil
        guard !isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return try encoder.encode(self)
        } catch {
            // The encoding fails only for a date that is not finite, and no input contains such a date.
            return nil
        }
    }

    /// Whether the item of the notes exists but cannot be read, so that the state of a move is unknown.
    package private(set) var isUnreadable = false
    /// Whether the item was found when the notes were read.
    private(set) var wasFound = false

    private enum CodingKeys: CodingKey {
        case token, itemToken, owedRemovals, claims, move, tombstones, unfinished, postponed
    }

    /// Reads the notes.
    ///
    /// If the item is damaged, the notes count as empty, and ``isUnreadable`` is `true`. No account is lost, because
    /// the item contains no accounts.
    static func read(from keychain: LegacyKeychain) throws(StoreError) -> LegacyItemNotes {
        // The notes count as unreadable only after a second attempt, because a failure may be temporary.
        for _ in 0..<2 {
            do throws(StoreError) {
                guard let data = try keychain.beside(.notes) else { return LegacyItemNotes() }
                do {
                    var notes = try JSONDecoder().decode(LegacyItemNotes.self, from: data)
                    notes.wasFound = true
                    return notes
                } catch {
                    // If the second attempt fails as well, the result states that the item cannot be read.
                    continue
                }
            } catch  where error.code == .damaged {
                continue
            }
        }
        var notes = LegacyItemNotes()
        (notes.isUnreadable, notes.wasFound) = (true, true)
        return notes
    }
}

/// A change of one item, with the item's data before and after the change.
struct LegacyItemStep: Codable, Equatable {
    let service: String
    let key: String
    /// The data before the change; `nil` if there was no item or its data could not be read.
    let before: Data?
    /// The data after the change; `nil` deletes the item.
    let after: Data?
    /// The look-up key of the item, if it has one.
    var lookUpKey: Data?

    /// Changes the item in the keychain as this step describes.
    /// - Throws: ``StoreError`` if the keychain fails.
    func perform(in keychain: LegacyKeychain) throws(StoreError) {
        try set(after, over: before, in: keychain)
    }

    /// Reverts the change.
    /// - Parameters:
    ///   - removed: The items that the change removed, from ``itemsToRemove(in:)``.
    ///   - keychain: The keychain.
    /// - Throws: ``StoreError`` if the keychain fails.
    func takeBack(_ removed: [KeychainItem], in keychain: LegacyKeychain) throws(StoreError) {
        guard removed.isEmpty else { return try keychain.restore(removed) }
        guard let before else {
            // If the change removed an item that the keychain could not decrypt, the item cannot be restored.
            guard let after, let service = LegacyService(rawValue: service) else { return }
            // The keychain may have hidden an item with this key in another group. That item stays.
            return try keychain.remove(key, of: service, containing: after)
        }
        try set(before, over: after, in: keychain)
    }

    /// Returns the items that a removal deletes and that can be restored; empty for other changes.
    /// - Throws: ``StoreError`` if the keychain fails.
    func itemsToRemove(in keychain: LegacyKeychain) throws(StoreError) -> [KeychainItem] {
        guard after == nil, let service = LegacyService(rawValue: service) else { return [] }
        return try keychain.copies(of: key, of: service, first: before).map { copy in
            var copy = copy
            // The look-up key belongs to the record of this change; a copy in another group may contain a different
            // record.
            if copy.data == before { copy.lookUpKey = lookUpKey }
            return copy
        }
    }

    /// Whether the change adds an item.
    var isAddition: Bool { before == nil && after != nil }

    /// Whether the change removes an item that the keychain could not decrypt.
    private var removesUndecryptableItem: Bool { before == nil && after == nil }

    /// Returns whether the item already has the data that the change stores.
    func isPerformed(in keychain: LegacyKeychain) -> Bool {
        guard let after, let service = LegacyService(rawValue: service) else { return false }
        return keychain.item(key, of: service)?.data == after
    }

    /// Applies the change if the item still has the data that it had before the transaction.
    ///
    /// An item whose data cannot be read stays unchanged, unless the change is the removal of an item that the
    /// keychain could not decrypt. The item of an account to which a mechanism belongs is not removed.
    func performIfDue(in keychain: LegacyKeychain) throws(StoreError) {
        guard let service = LegacyService(rawValue: service) else { return }
        let held = keychain.item(key, of: service)
        if let error = held?.error, error.isLock {
            throw StoreError(.locked, record: key, reason: error.reason)
        }
        let isStillUndecryptable = removesUndecryptableItem && held?.error?.code == .undecryptable
        // In the meantime, another release may have replaced the item, so it is removed only if it still
        // cannot be decrypted.
        if let held, held.data == nil, !isStillUndecryptable { return }
        guard held?.data == before else { return }
        if let held, try removesAccountInUse(held, in: keychain) { return }
        try perform(in: keychain)
    }

    /// Returns whether the change removes the item of an account to which a mechanism belongs.
    ///
    /// In the meantime, the previous release may have added or changed this mechanism. Without the account's
    /// item, the mechanism would lose the lock and the policies of its account, and the previous release would
    /// not show it.
    private func removesAccountInUse(
        _ held: LegacyKeychain.Entry,
        in keychain: LegacyKeychain
    ) throws(StoreError) -> Bool {
        guard after == nil, service == LegacyService.account.rawValue else { return false }
        return try keychain.items(of: .mechanism).contains { other in
            guard case .mechanism(let mechanism)? = other.value else {
                // The mechanism may become readable, unless the item is damaged.
                return other.error?.code != .damaged && other.key.isMechanismKey(ofAccount: key)
            }
            // If the account's item cannot be read, only its key is known.
            guard case .account(let account)? = held.value else {
                return mechanism.account.legacyIdentifier == key
            }
            return mechanism.account == account.profile.key
        }
    }

    /// Returns whether the change is still due after an attempt to apply it, because the keychain refused the item.
    ///
    /// The addition of an item is never due again, because the previous release may have removed the item in the
    /// meantime.
    func isLeft(in keychain: LegacyKeychain) -> Bool {
        guard !isAddition, let service = LegacyService(rawValue: service),
            let held = keychain.item(key, of: service)
        else { return false }
        return held.data == nil || held.data == before
    }

    private func set(_ data: Data?, over old: Data?, in keychain: LegacyKeychain) throws(StoreError) {
        guard let service = LegacyService(rawValue: service) else { return }
        if let data {
            do {
                try keychain.put(data, key, of: service, over: old, lookUpKey: lookUpKey)
            } catch {
                // Another process may have completed this change; the error is then ignored.
                guard keychain.item(key, of: service)?.data == data else { throw error }
            }
        } else {
            try keychain.remove(key, of: service)
        }
    }
}

extension String {
    /// Returns whether the key of a mechanism belongs to the account with the given key.
    ///
    /// In the key of a mechanism, a hyphen and the type follow the account's key. If a further hyphen follows, the key
    /// belongs to another account, whose name begins with the name of this account.
    package func isMechanismKey(ofAccount key: String) -> Bool {
        hasPrefix("\(key)-") && !dropFirst(key.count + 1).contains("-")
    }
}
