import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

// The import that an app repeats at every start.

extension CredentialMigration {
    /// Migrates like ``migrate(progress:)``, but only those records that have no final outcome in the ledger yet, or
    /// whose data the store lacks.
    ///
    /// A record that the user removed after its import is not restored, except for an account with a new mechanism. If
    /// the last import gave each record a final outcome and the source has not changed since then, neither a record
    /// nor the ledger is read. Otherwise, the source is read once.
    /// - Parameter willRead: Called before the first record is read; if it throws, no record is read.
    /// - Returns: The outcome of the new records; `nil` if there are no new records.
    /// - Throws: `LegacyStoreError` if the source fails, `StoreError` if the destination fails.
    package func migrateNew(willRead: () throws -> Void = {}) throws -> MigrationReceipt? {
        let legacy = try openSource()
        // The state of the source is read before the records. The mark that this import stores contains this state. So
        // if the source changes while the records are read, the mark is outdated, and the next start reads the source
        // again.
        let state = try legacy.state()
        let mark = state.map(mark)
        if let mark, try store.read({ try $0.hasMark(like: mark) }) { return nil }
        try willRead()
        var pass: MigrationPass?
        var (isEmpty, seals) = (true, Set<MigrationOutcome>())
        var (missingAccounts, unreadableAccounts): ([SourceRecord], [SourceRecord]) = ([], [])
        var imported: ImportedRecords?
        func wasRemoved(_ record: SourceRecord, from view: any CredentialReading) throws -> Bool {
            if try view.wasRemoved(record) { return true }
            // While the source is in charge, the user removes records from the source itself. So a record that is
            // in the source was not removed.
            guard options.accounts != .source else { return false }
            let earlier = try imported ?? ImportedRecords(in: view)
            imported = earlier
            return try earlier.contains(record) && view.lacks(record)
        }
        func add(_ records: [SourceRecord]) throws {
            guard !records.isEmpty else { return }
            let current = try pass ?? newPass()
            pass = current
            unreadableAccounts.forEach(current.addUnreadableAccount)
            unreadableAccounts = []
            try storing(records) { try current.add(records) { try $0.stillWanted($1) } }
        }
        try forEachBatch(of: legacy) { batch in
            isEmpty = false
            unreadableAccounts += batch.filter(\.isUnreadableAccount)
            seals.formUnion(batch.compactMap(\.seal))
            let new = try store.read { view in
                try batch.filter { record in
                    if try isNew(record, in: view) || lacksChanges(view, of: record),
                        try !wasRemoved(record, from: view)
                    {
                        return true
                    }
                    if try view.lacksAccount(of: record) { missingAccounts.append(record) }
                    return false
                }
            }
            try add(new)
        }
        // A new mechanism restores its account, even if the account was removed. The mechanism may be read
        // after the account, so the accounts are added last.
        if mayContinue() {
            try add(try store.read { view in try missingAccounts.filter(view.hasCredentials(of:)) })
        }
        let receipt = try pass?.finish(legacy.container)
        // A process may have been killed before it determined the outcomes of notifications that depended on
        // later records.
        if pass == nil, !isEmpty { try newPass().settle() }
        // With a mark, the next start does not read the source. So the mark is stored only if all records could be
        // opened, if the store could read all of its records, and if the state is unchanged. If the state changed, the
        // device may have been locked in between, and some items may not have been read.
        let isComplete = receipt?.records.contains(where: \.result.isTemporary) != true
        if let mark, seals.isEmpty, isComplete, !isEmpty, try legacy.state() == state { keep(mark) }
        return receipt
    }

    /// Returns whether a record's outcome is missing in the ledger or is temporary.
    private func isNew(_ record: SourceRecord, in view: any CredentialReading) throws -> Bool {
        guard let result = try view.ledgerEntry(for: record.fingerprint)?.result else { return true }
        // All unreadable items with the same key share one ledger entry, even if they are unreadable for different
        // reasons. So the reason of this record is checked as well.
        if result.isTemporary || record.seal?.isTemporary == true { return true }
        // Each attempt to move has to report undecryptable items, because the device's key may fail only for some time.
        return options.accounts == .source && record.seal != nil
    }

    /// Returns whether a record in the source has data that the store lacks, although an earlier attempt may have
    /// imported the record.
    ///
    /// An account lacks data if it differs from the source's record, and either it was locked because its record could
    /// not be read, or the source has precedence. If the source has precedence, a missing credential also counts: the
    /// user has added it to the source again.
    private func lacksChanges(_ view: any CredentialReading, of record: SourceRecord) throws -> Bool {
        guard case .success(let value) = record.value else { return false }
        switch value {
        case .account(let account):
            guard let stored = try view.account(account.key) else { return false }
            guard options.accounts == .source || stored.isLockedAsUnreadable else { return false }
            var other = stored
            other.addedAt = account.addedAt
            return other != account
        case .push(let credential, _):
            return try options.accounts == .source && !view.hasPush(credential.id)
        case .oath(let credential, _):
            let query = RecordQuery(id: credential.id)
            return try options.accounts == .source && view.count(of: .oath, where: query) == 0
        case .notification, .deviceToken:
            return false
        }
    }

    /// Returns whether the ledger contains the outcome of at least one record of the source.
    func wasImported() throws -> Bool {
        var wasImported = false
        try forEachBatch(of: try openSource()) { batch in
            guard !wasImported else { return }
            wasImported = try store.read { view in
                try batch.contains { try view.readableEntry(for: $0.fingerprint) != nil }
            }
        }
        return wasImported
    }

    /// Returns whether a plan contains records whose outcome in the ledger is missing or temporary.
    func hasNew(_ plan: MigrationPlan) throws -> Bool {
        try store.read { view in
            try plan.records.contains { record in
                try view.readableEntry(for: record.fingerprint)?.result.isTemporary ?? true
            }
        }
    }

    /// The version of the importer.
    ///
    /// After an update that changes this version, the next start reads the source again. But only
    /// ``migrate(progress:)`` tries again to import records that the earlier version found damaged or unsupported.
    private static var version: Int { 1 }

    private func mark(_ state: SourceState) -> ImportMark {
        let state = state.combined(with: ["\(Self.version)", options.conflictPolicy.rawValue])
        return ImportMark(source: state.name, digest: state.digest, recordedAt: options.clock())
    }

    private func keep(_ mark: ImportMark) {
        do {
            try store.write { try $0.put(mark) }
        } catch {
            // All records already have a final outcome. If the mark is missing, the next start reads the source again.
        }
    }
}

/// The accounts and credentials that earlier imports stored.
///
/// If the store no longer contains one of these records, the user has removed it. This list is necessary because a
/// store without a ``LegacyMove`` contains no tombstones.
private struct ImportedRecords {
    private let credentialIds: Set<String>
    private let accountKeys: Set<String>

    init(in view: any CredentialReading) throws {
        let entries = try view.fetch(LedgerEntry.self).values
        let credentials = entries.filter { entry in
            [.push, .totp, .hotp].contains(entry.kind) && entry.result.outcome.isRetirable
        }
        credentialIds = Set(credentials.compactMap(\.result.credentialId))
        accountKeys = Set(entries.filter { $0.kind == .account && $0.result.outcome.isRetirable }.map(\.key))
    }

    func contains(_ record: SourceRecord) -> Bool {
        guard case .success(let value) = record.value else { return false }
        switch value {
        case .account: return accountKeys.contains(record.item.key)
        case .push(let credential, _): return credentialIds.contains(credential.id)
        case .oath(let credential, _): return credentialIds.contains(credential.id)
        case .notification, .deviceToken: return false
        }
    }
}

extension MigrationResult {
    /// Whether the next start tries again to import the record.
    ///
    /// A conflict with an unreadable record of the destination is temporary too, because the keychain may have reported
    /// that record as damaged only once.
    fileprivate var isTemporary: Bool {
        outcome.isTemporary || outcome == .conflict && code == .unreadableDestination
    }
}

extension CredentialReading {
    fileprivate func hasMark(like mark: ImportMark) throws -> Bool {
        let known = try readable { try first(ImportMark.self, where: RecordQuery(id: mark.source)) }
        return known?.digest == mark.digest
    }

    /// Returns whether the record is a credential or an account that the store does not contain.
    ///
    /// An account with credentials counts as contained.
    fileprivate func lacks(_ record: SourceRecord) throws -> Bool {
        guard case .success(let value) = record.value else { return false }
        switch value {
        case .account(let account):
            return try self.account(account.key) == nil && !hasCredentials(account.key)
        case .push(let credential, _): return try !hasPush(credential.id)
        case .oath(let credential, _):
            return try count(of: .oath, where: RecordQuery(id: credential.id)) == 0
        case .notification, .deviceToken: return false
        }
    }

    /// Returns whether the record is an account that the store does not contain.
    fileprivate func lacksAccount(of record: SourceRecord) throws -> Bool {
        guard case .success(.account(let account)) = record.value else { return false }
        return try self.account(account.key) == nil
    }

    /// Returns whether the record is an account that has credentials in the store.
    fileprivate func hasCredentials(of record: SourceRecord) throws -> Bool {
        guard case .success(.account(let account)) = record.value else { return false }
        return try hasCredentials(account.key)
    }

    /// Returns the records without those that the user has removed since they were selected, in any process.
    /// - Throws: ``StoreError`` with the code `locked` if the store's records, including the tombstones, moved to
    ///   another store in the meantime.
    fileprivate func stillWanted(_ records: [SourceRecord]) throws -> [SourceRecord] {
        guard try !hasMovedAway else {
            let reason = "The store's records moved to another store during the import; try again."
            throw StoreError(.locked, reason: reason)
        }
        guard try count(of: .tombstone, where: RecordQuery(limit: 1)) > 0 else { return records }
        return try records.filter { try !wasRemoved($0) }
    }

    /// Returns whether the user removed the record after the move began.
    ///
    /// A credential that the store contains again does not count as removed, because the user undid the removal, and
    /// the previous release may have changed the credential later.
    fileprivate func wasRemoved(_ record: SourceRecord) throws -> Bool {
        guard case .success(let value) = record.value else { return false }
        switch value {
        case .account(let account):
            return try isBuried(.account, id: account.key.recordID) && !hasCredentials(account.key)
        case .push(let credential, _): return try isBuried(.push, id: credential.id) && lacks(record)
        case .oath(let credential, _): return try isBuried(.oath, id: credential.id) && lacks(record)
        case .notification(let push):
            return try isBuried(.notification, id: push.id)
                || isBuried(.push, id: push.credentialId) && !hasPush(push.credentialId)
        case .deviceToken: return false
        }
    }
}
