public import CredentialMigration
import FRCore
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

// Whether the records are still where the legacy SDK keeps them is written in the store they go to: a mark says that a move
// began, and goes when it is complete. Until then the legacy items count, however far a killed move came.

extension FRAMigration {
    /// The store on the legacy SDK's own items; `nil` if they are not worked on, because they moved or there are none to
    /// work on.
    func storeInPlace(before store: () throws -> any CredentialStore) throws -> (any CredentialStore)? {
        guard let keychain = source?.legacyKeychain, try !haveMoved(keychain, into: store()) else {
            return nil
        }
        return StorageClientStore(inPlace: keychain)
    }

    /// Migrates the records of the legacy items, and what is kept beside them, while nobody changes them.
    /// - Returns: What became of them, and whether the API works on the store from now on: not while some are locked.
    func move(
        from source: MigrationSource,
        to store: any CredentialStore,
        with kept: StorageClientCache.Kept
    ) throws -> (Outcome, isMoved: Bool) {
        try store.write { try $0.put(ImportMark.move) }
        let receipt = try CredentialMigration(from: source, to: store).migrateNew()
        if let receipt, receipt.totals[.locked] > 0 { return (.later(receipt), false) }
        let identities = try source.legacyKeychain?.identities()
        try store.write { view in
            // An earlier move that was killed may have brought what the user removed since.
            if let identities { try view.dismissMigrated(except: identities) }
            try view.take(kept)
            try view.remove(.importMark, where: RecordQuery(id: ImportMark.move.source))
        }
        return (receipt.map(Outcome.done) ?? .nothingToDo, true)
    }

    /// Writes all that the store holds into the legacy SDK's own items, reads it back, and works on these from then on; for a
    /// release that has to go back to the legacy SDK.
    ///
    /// The store is empty afterwards: its records are in the legacy items, with what was done since they moved. Nothing
    /// changes in the store unless every record arrived; a call that failed, or was killed, can be repeated. Blocks; call it
    /// from any thread, before the app hands out objects of the client or makes a client of the async API.
    /// - Returns: How many records were written.
    /// - Throws: `StoreError`: with the code `missing` where there is no legacy keychain, `notWritable` where records have
    ///   no place there, because two of them have one key or cannot be read, and the keychain's own.
    @discardableResult
    public func moveBack() throws -> ExportSummary { try moveBack(on: .shared) }

    package func moveBack(on authenticator: Authenticator) throws -> ExportSummary {
        guard let keychain = source?.legacyKeychain else {
            throw StoreError(.missing, reason: "There is no keychain of the legacy SDK to move back into.")
        }
        guard try !authenticator.opensInPlace() else { return ExportSummary() }
        let summary = try authenticator.store().write { view in
            let summary = try view.moveBack(into: keychain)
            let token = try view.first(PushBridgeCore.PushDeviceToken.self, where: .all)
            let owed = try view.fetch(PushCredential.self).values.compactMap { credential in
                credential.owedRemoval.map { (credential.id, $0) }
            }
            BesideRecords(keychain).keep(
                StorageClientCache.Kept(token: token, owedRemovals: Dictionary(uniqueKeysWithValues: owed))
            )
            for kind in RecordKind.allCases { try view.remove(kind, where: .all) }
            return summary
        }
        authenticator.close()
        state.withValue { $0.outcome = .inPlace }
        return summary
    }

    private func haveMoved(_ keychain: LegacyKeychain, into store: any CredentialStore) throws -> Bool {
        try store.read { view in
            if try view.first(ImportMark.self, where: RecordQuery(id: ImportMark.move.source)) != nil {
                return false
            }
            if try view.count(of: .ledger, where: .all) > 0 { return true }
            let credentials = try view.count(of: .push, where: .all) + view.count(of: .oath, where: .all)
            return try credentials > 0 && keychain.isEmpty
        }
    }
}

extension Authenticator {
    /// Whether the store that is open is the one on the legacy SDK's own items.
    package var isInPlace: Bool { attempt("Opening the storage", or: false) { try opensInPlace() } }

    /// Opens the store, and tells whether it is the one on the legacy SDK's own items.
    func opensInPlace() throws -> Bool { (try store() as? StorageClientStore)?.isInPlace ?? false }
}

extension ImportMark {
    /// Says that a move out of the legacy items began and is not complete.
    fileprivate static let move = ImportMark(
        source: "move of legacy items",
        digest: RecordFingerprint(parts: [], payload: Data(), occurrence: 0),
        recordedAt: Date(timeIntervalSinceReferenceDate: 0)
    )
}

extension CredentialWriting {
    /// Removes what a migration brought and the legacy items do not have.
    fileprivate func dismissMigrated(
        except identities: (mechanisms: Set<String>, accounts: Set<AccountKey>)
    ) throws {
        for entry in try fetch(LedgerEntry.self).values {
            guard let id = entry.result.credentialId, !identities.mechanisms.contains(id) else { continue }
            if let credential = try first(PushCredential.self, where: RecordQuery(id: id)) {
                _ = try dismissCredential(.push, id: id, of: credential.account.key)
            } else if let credential = try first(OathCredential.self, where: RecordQuery(id: id)) {
                _ = try dismissCredential(.totp, id: id, of: credential.account.key)
            }
        }
        for account in try fetch(AccountProfile.self).values where !identities.accounts.contains(account.key)
        {
            let query = RecordQuery(owner: account.key.recordID)
            guard try count(of: .push, where: query) + count(of: .oath, where: query) == 0 else { continue }
            _ = try removeAll(of: account.key)
        }
    }

    /// Stores what was kept beside the legacy items: the servers that do not know the device token, and owed removals.
    fileprivate func take(_ kept: StorageClientCache.Kept) throws {
        if let token = kept.token { try put(token) }
        for (id, removal) in kept.owedRemovals {
            guard var credential = try first(PushCredential.self, where: RecordQuery(id: id)) else {
                continue
            }
            credential.owedRemoval = removal
            try put(credential)
        }
    }
}

extension CredentialReading {
    /// Writes every record into the legacy SDK's items and reads it back; removes what is not in the store any more.
    fileprivate func moveBack(into keychain: LegacyKeychain) throws -> ExportSummary {
        var items: [LegacyItemName: (archive: Data, record: LegacyRecord?)] = [:]
        var doubled: [String] = []
        let summary = try export { record in
            guard let item = record.item else { return false }
            let name = LegacyItemName(service: item.service, key: item.key)
            if items.updateValue((item.archive, record.value), forKey: name) != nil {
                doubled.append(item.key)
            }
            return true
        }
        let homeless = doubled + summary.leftOutMechanisms + summary.unreadable
        guard homeless.isEmpty, summary.leftOut.isEmpty else {
            let names = homeless.sorted().joined(separator: ", ")
            throw StoreError(
                .notWritable,
                reason:
                    "The legacy SDK's store has no place for all records, so nothing was moved back: \(names)."
            )
        }
        for (name, item) in items {
            let before = try keychain.item(name.key, of: name.service)
            if case .success(let record) = before?.record, record == item.record { continue }
            try keychain.put(item.archive, name.key, of: name.service, over: before)
            let after = try keychain.item(name.key, of: name.service)
            guard Self.says(after, item.archive, name.service) else {
                throw StoreError(
                    .failed,
                    record: name.key,
                    reason: "A record was not read back as it was written."
                )
            }
        }
        try removeDismissed(from: keychain, except: Set(items.keys))
        return summary
    }

    /// Whether an item says what an archive does; of one that nobody can read, whether it is there.
    private static func says(_ held: LegacyKeychain.Held?, _ archive: Data, _ service: LegacyService) -> Bool
    {
        do {
            // Of the archive, not of the value before: a date may lose its last bit in either.
            let record = try LegacyRecord(archive: archive, service: service)
            if case .success(record) = held?.record { return true }
            return false
        } catch {
            return held?.data != nil
        }
    }

    /// Removes the legacy items that moved and that the store does not hold any more; what never moved stays.
    private func removeDismissed(from keychain: LegacyKeychain, except names: Set<LegacyItemName>) throws {
        var (moved, movedKeys) = (Set<String>(), Set<String>())
        for entry in try fetch(LedgerEntry.self).values where entry.result.outcome.isRetirable {
            movedKeys.insert(entry.key)
            if let id = entry.result.credentialId { moved.insert(id) }
        }
        for service in LegacyService.allCases {
            for held in try keychain.items(of: service, known: { _, _ in nil })
            where !names.contains(LegacyItemName(service: service, key: held.key)) {
                let hasMoved =
                    switch held.record {
                    case .success(.mechanism(let mechanism)): moved.contains(mechanism.mechanismUUID)
                    case .success(.notification(let push)): moved.contains(push.credentialId)
                    case .success: movedKeys.contains(held.key)
                    case .failure: false
                    }
                if hasMoved { try keychain.remove(held.key, of: service) }
            }
        }
    }
}

/// What an item of the legacy SDK is called.
private struct LegacyItemName: Hashable {
    let service: LegacyService
    let key: String
}
