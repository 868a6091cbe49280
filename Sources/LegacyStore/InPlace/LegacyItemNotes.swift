import Foundation
package import PushBridgeCore

/// What the legacy SDK's items have no fields for, kept in one item of ours beside them.
package struct LegacyItemNotes: Codable, Equatable {
    /// The device token, while some servers do not know it or it has an environment.
    package var token: PushDeviceToken?
    /// The token that the SDK's own item had when `token` was noted; another one is later, and counts.
    var itemToken: ItemToken?
    /// The removals that servers owe, by the id of the push credential.
    package var owedRemovals: [String: OwedRemoval] = [:]
    /// The answers that are on their way, by the id of the push.
    package var claims: [String: AnswerClaim] = [:]
    /// How far a move out of the items has come.
    package var move: LegacyMove?
    /// What the user removed since that move began.
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

    /// Notes a token if the SDK's own item has no place for all of it.
    package mutating func note(_ token: PushDeviceToken, besideItem stored: PushDeviceToken?) {
        let isWhole = token.unconfirmedCredentialIds.isEmpty && token.environment == nil
        self.token = isWhole ? nil : token
        itemToken = isWhole ? nil : stored.map(ItemToken.init)
    }

    /// Whether nothing is left to take to the store that is in charge.
    package var isLeft: Bool {
        move?.state == .moved && token == nil && owedRemovals.isEmpty && claims.isEmpty && tombstones.isEmpty
    }

    /// Drops what the store took of these notes; what another process noted since stays.
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
            // Only a date that is no number cannot be written, and none of these comes from outside.
            return nil
        }
    }

    /// Reads the item; one that cannot be read is reported and counts as none: no account is in it.
    static func read(from keychain: LegacyKeychain) throws(StoreError) -> LegacyItemNotes {
        let data: Data?
        do {
            data = try keychain.beside(.notes)
        } catch  where error.code == .damaged {
            return LegacyItemNotes()
        }
        guard let data else { return LegacyItemNotes() }
        do {
            return try JSONDecoder().decode(LegacyItemNotes.self, from: data)
        } catch {
            return LegacyItemNotes()
        }
    }
}

/// One item as a transaction found it and as it is to be.
struct LegacyItemStep: Codable, Equatable {
    let service: String
    let key: String
    /// What the item was; `nil` if there was none, or if its bytes could not be read.
    let before: Data?
    /// What the item is to be; `nil` is that there be none.
    let after: Data?

    /// Carries the step out, unless somebody else changed the item since.
    /// - Throws: ``StoreError`` if the keychain refuses.
    func carryOut(in keychain: LegacyKeychain) throws(StoreError) {
        try set(after, over: before, in: keychain)
    }

    /// Takes the step back.
    /// - Throws: ``StoreError`` if the keychain refuses.
    func takeBack(in keychain: LegacyKeychain) throws(StoreError) {
        try set(before, over: after, in: keychain)
    }

    /// Carries the step out if the item is as the transaction found it.
    func carryOutIfDue(in keychain: LegacyKeychain) throws(StoreError) {
        guard let service = LegacyService(rawValue: service) else { return }
        let held = keychain.item(key, of: service)
        if let error = held?.error, error.isLock {
            throw StoreError(.locked, record: key, reason: error.reason)
        }
        if held?.data == before { try carryOut(in: keychain) }
    }

    private func set(_ data: Data?, over old: Data?, in keychain: LegacyKeychain) throws(StoreError) {
        guard let service = LegacyService(rawValue: service) else { return }
        if let data {
            try keychain.put(data, key, of: service, over: old)
        } else {
            try keychain.remove(key, of: service)
        }
    }
}
