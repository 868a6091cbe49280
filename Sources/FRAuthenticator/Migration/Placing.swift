import CredentialMigration
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
        guard let keychain = source?.legacyKeychain, try !haveMoved(keychain, into: store()) else { return nil }
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
        for account in try fetch(AccountProfile.self).values where !identities.accounts.contains(account.key) {
            let query = RecordQuery(owner: account.key.recordID)
            guard try count(of: .push, where: query) + count(of: .oath, where: query) == 0 else { continue }
            try removeAll(of: account.key)
        }
    }

    /// Stores what was kept beside the legacy items: the servers that do not know the device token, and owed removals.
    fileprivate func take(_ kept: StorageClientCache.Kept) throws {
        if let token = kept.token { try put(token) }
        for (id, removal) in kept.owedRemovals {
            guard var credential = try first(PushCredential.self, where: RecordQuery(id: id)) else { continue }
            credential.owedRemoval = removal
            try put(credential)
        }
    }
}
