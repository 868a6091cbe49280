import Foundation
import LegacyStore
import PushBridgeCore

/// One transaction's view of an app's storage: the objects that were loaded from the storage, and the store's
/// cache.
///
/// The records are in the order in which the storage returns them. If a mechanism cannot be converted to a credential,
/// the view contains a ledger entry with the mechanism's archive. These entries are sorted by key.
struct StorageClientView: LoadedReading {
    let loaded: LoadedObjects
    let memory: StorageClientCache
    /// The version of the store's state when the transaction began.
    let version: Int
    /// Whether no change was being written to the storage when the transaction began.
    ///
    /// While a change is being written, the loaded objects may be older or newer than the content of the storage.
    let isCurrent: Bool

    /// `true`, because the id of a push is its legacy key, and both APIs can find a push by this key.
    var keepsLegacyKeys: Bool { true }

    func records(_ kind: RecordKind, where query: RecordQuery) throws -> [any StoredRecord] {
        let found: [any StoredRecord] =
            switch kind {
            case .account: try accounts(query).map(\.profile)
            case .push, .oath: try mechanisms(query).map(record).filter { $0.recordKind == kind }
            case .notification: try notifications(query)
            case .deviceToken: try deviceToken().map { [$0] } ?? []
            case .ledger: try keptMechanisms()
            case .importMark, .move, .tombstone: []
            }
        let selected = found.filter { query.selects($0.recordIndex) }
        return query.limit.map { Array(selected.prefix($0)) } ?? selected
    }

    /// Returns an ``AbsentAccount`` if the storage contains no account with a key; otherwise, returns `nil`.
    func absence(of key: AccountKey) throws -> AbsentAccount? {
        try loaded.account(key) == nil
            ? AbsentAccount(identifier: key.legacyIdentifier, version: version) : nil
    }

    /// Returns the record of a mechanism.
    ///
    /// The record includes the pending removal of the mechanism, for which the archive has no field.
    private func record(_ held: LoadedMechanism) -> any StoredRecord {
        guard var credential = held.record as? PushCredential,
            let removal = memory.owedRemovals[credential.id]
        else {
            return held.record
        }
        credential.owedRemoval = removal
        return credential
    }

    private func accounts(_ query: RecordQuery) throws -> [Account] {
        guard let id = query.id else { return try loaded.everyAccount() }
        return try AccountKey(recordID: id).flatMap(loaded.account).map { [$0] } ?? []
    }

    private func mechanisms(_ query: RecordQuery) throws -> [LoadedMechanism] {
        if let id = query.id { return try loaded.mechanism(id: id).map { [$0] } ?? [] }
        guard let owner = query.owner else { return try loaded.everyMechanism() }
        return try AccountKey(recordID: owner).flatMap(loaded.account).map(loaded.mechanisms) ?? []
    }

    /// Returns the ledger entries of the mechanisms that cannot be converted to credentials.
    ///
    /// If the transaction has already searched for mechanisms or loaded all accounts, only loaded mechanisms are
    /// searched.
    private func keptMechanisms() throws -> [LedgerEntry] {
        let held = loaded.hasMechanisms ? loaded.knownMechanisms : try loaded.everyMechanism()
        return held.compactMap { $0.record as? LedgerEntry }.sorted { $0.key < $1.key }
    }

    private func notifications(_ query: RecordQuery) throws -> [PushBridgeCore.PushNotification] {
        if let id = query.id {
            if let claimed = memory.claimed[id] { return [claimed] }
            return try loaded.notification(identifier: id).flatMap(read).map { [$0] } ?? []
        }
        if query.alias == nil, let owner = query.owner, try loaded.mechanism(id: owner) == nil { return [] }
        return try loaded.notifications(query).compactMap(read)
    }

    /// Returns the notification as a record, with the claim of its answer.
    ///
    /// The result is `nil` if the notification's time to live cannot be rounded up to an `Int`.
    private func read(_ object: PushNotification) -> PushBridgeCore.PushNotification? {
        do {
            var notification = try object.value.checked()
            notification.answerClaim = memory.claimed[notification.id]?.answerClaim
            return notification
        } catch {
            return nil
        }
    }

    private func deviceToken() throws -> PushBridgeCore.PushDeviceToken? {
        try memory.token ?? storedToken()
    }

    /// Returns the device token in the app's storage; `nil` if there is none.
    func storedToken() throws -> PushBridgeCore.PushDeviceToken? {
        try tokenRead ?? loaded.deviceToken()?.value
    }

    /// The device token in the app's storage; `nil` if it has not been read yet, or if there is none.
    var tokenRead: PushBridgeCore.PushDeviceToken? {
        memory.token.flatMap { $0.unconfirmedCredentialIds.isEmpty ? $0 : nil } ?? loaded.token??.value
    }
}
