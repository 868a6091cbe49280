import Foundation
package import PushBridgeCore

/// Data without a field in the legacy SDK's items; stored in a separate keychain item.
package struct LegacyItemNotes: Codable, Equatable {
    /// The device token, while some servers do not know it or it has an environment.
    package var token: PushDeviceToken?
    /// The token that the SDK's own item had when `token` was noted; another one is later, and counts.
    var itemToken: ItemToken?
    /// Removals that the server has not confirmed, by the id of the push credential.
    package var owedRemovals: [String: UnconfirmedRemoval] = [:]
    /// Answers in progress, by the id of the push.
    package var claims: [String: AnswerClaim] = [:]
    /// The state of a move.
    package var move: LegacyMove?
    /// Records that the user removed since the move began.
    package var tombstones: [Tombstone] = []
    /// A transaction of several items that is being carried out.
    var unfinished: [LegacyItemStep] = []

    package init() {}

    /// A device token as the SDK keeps it.
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

    /// Keeps a token if the SDK's own item cannot store all of it.
    package mutating func keep(_ token: PushDeviceToken, besideItem stored: PushDeviceToken?) {
        let isWhole = token.unconfirmedCredentialIds.isEmpty && token.environment == nil
        self.token = isWhole ? nil : token
        itemToken = isWhole ? nil : stored.map(ItemToken.init)
    }

    /// Whether the store in charge has imported everything.
    package var isLeft: Bool {
        move?.state == .moved && token == nil && owedRemovals.isEmpty && claims.isEmpty && tombstones.isEmpty
    }

    /// Returns whether the user removed a mechanism; its item may remain because it could not be opened.
    func hasBuried(_ mechanism: LegacyMechanism) -> Bool {
        let kind: RecordKind = mechanism.kind == .push ? .push : .oath
        return tombstones.contains { $0.removedKind == kind && $0.removedId == mechanism.mechanismUUID }
    }

    /// Returns whether a record is a mechanism that the user removed.
    func hasBuried(_ record: LegacyRecord) -> Bool {
        if case .mechanism(let mechanism) = record { hasBuried(mechanism) } else { false }
    }

    /// Deletes the notes that the store imported; keeps later notes of another process.
    package mutating func forget(_ taken: LegacyItemNotes, after move: LegacyMove) {
        self.move = move
        if token == taken.token { (token, itemToken) = (nil, nil) }
        owedRemovals = owedRemovals.filter { taken.owedRemovals[$0.key] != $0.value }
        claims = claims.filter { taken.claims[$0.key] != $0.value }
        tombstones.removeAll(where: taken.tombstones.contains)
    }

    /// The bytes of the item; `nil` if there is nothing to keep.
    var encoded: Data? {
        let isEmpty =
            token == nil && owedRemovals.isEmpty && claims.isEmpty && move == nil && tombstones.isEmpty
            && unfinished.isEmpty
        guard !isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return try encoder.encode(self)
        } catch {
            // Only a date that is not a number cannot be written, and no input contains one.
            return nil
        }
    }

    /// Whether there is an item that cannot be read, so that the state of a move is not known from it.
    package private(set) var isUnreadable = false

    private enum CodingKeys: CodingKey {
        case token, itemToken, owedRemovals, claims, move, tombstones, unfinished
    }

    /// Reads the item; an unreadable one counts as empty, because no account is in it.
    static func read(from keychain: LegacyKeychain) throws(StoreError) -> LegacyItemNotes {
        // A keychain may fail to decode an item once.
        for _ in 0..<2 {
            do {
                guard let data = try keychain.beside(.notes) else { return LegacyItemNotes() }
                if let notes = try? JSONDecoder().decode(LegacyItemNotes.self, from: data) { return notes }
            } catch  where error.code == .damaged {
                continue
            }
        }
        var notes = LegacyItemNotes()
        notes.isUnreadable = true
        return notes
    }
}

/// One change of an item, with its data before and after.
struct LegacyItemStep: Codable, Equatable {
    let service: String
    let key: String
    /// The data before; `nil` if there was no item or its data could not be read.
    let before: Data?
    /// The data after; `nil` deletes the item.
    let after: Data?
    /// The look-up key of the item, if it has one.
    var lookUpKey: Data?

    /// Applies the change.
    /// - Throws: ``StoreError`` if the keychain refuses.
    func carryOut(in keychain: LegacyKeychain) throws(StoreError) {
        try set(after, over: before, in: keychain)
    }

    /// Reverts the change.
    /// - Throws: ``StoreError`` if the keychain refuses.
    func takeBack(in keychain: LegacyKeychain) throws(StoreError) {
        try set(before, over: after, in: keychain)
    }

    /// Whether the change is an item that did not exist before.
    var isAddition: Bool { before == nil && after != nil }

    /// Whether the item has the data that the change gives it.
    func isCarriedOut(in keychain: LegacyKeychain) -> Bool {
        guard let after, let service = LegacyService(rawValue: service) else { return false }
        return keychain.item(key, of: service)?.data == after
    }

    /// Applies the change if the item still has the data from before; an item whose data cannot be read stays.
    func carryOutIfDue(in keychain: LegacyKeychain) throws(StoreError) {
        guard let service = LegacyService(rawValue: service) else { return }
        let held = keychain.item(key, of: service)
        if let error = held?.error, error.isLock {
            throw StoreError(.locked, record: key, reason: error.reason)
        }
        // It may have been replaced since by another release.
        if let held, held.data == nil { return }
        if held?.data == before { try carryOut(in: keychain) }
    }

    private func set(_ data: Data?, over old: Data?, in keychain: LegacyKeychain) throws(StoreError) {
        guard let service = LegacyService(rawValue: service) else { return }
        if let data {
            do {
                try keychain.put(data, key, of: service, over: old, lookUpKey: lookUpKey)
            } catch {
                // Another process may have completed the recorded change.
                guard keychain.item(key, of: service)?.data == data else { throw error }
            }
        } else {
            try keychain.remove(key, of: service)
        }
    }
}
