import LegacyStore
import PushBridgeCore

// The steps that write nothing to the stores: the migration into memory, and the comparison after a migration.

extension CredentialMigration {
    /// Migrates into memory.
    ///
    /// A rehearsal reads, converts and proves every record that a migration would store now, and writes nothing.
    ///
    /// Each batch is stored in memory, on top of the destination. The destination's records are read on demand, so the
    /// outcomes are the same as those of a migration. The memory contains the secrets of at most one batch of a hundred
    /// records, and is released when the call returns. The call blocks, and may be made from any thread.
    /// - Parameter mayContinue: Called before every hundred records that are read, and before every hundred records
    ///   whose outcomes are determined at the end; if it returns `false`, the rehearsal stops.
    /// - Returns: The outcome of the records that were read; `nil` if there is nothing to migrate.
    /// - Throws: `LegacyStoreError` if the source cannot be read, `StoreError` if the destination cannot be read.
    public func rehearse(
        while mayContinue: @escaping @Sendable () -> Bool = { true }
    ) throws -> MigrationReceipt? {
        try rehearse(in: RehearsalStore(over: store), while: mayContinue)
    }

    func rehearse(
        in memory: RehearsalStore,
        while mayContinue: @escaping @Sendable () -> Bool
    ) throws -> MigrationReceipt? {
        var migration = inSmallBatches(to: memory, while: mayContinue)
        migration.storing = { batch, store in
            try memory.recallSecrets(for: batch)
            try store()
            try memory.forgetSecrets()
        }
        return try migration.migrateNew()
    }

    /// Compares the legacy records with the records in the store to which the legacy records moved.
    ///
    /// The comparison covers one-time passwords, signatures, addresses and contents. It writes and sends nothing.
    ///
    /// Each transaction of the store compares at most a hundred records. The call blocks, and may be made from any
    /// thread.
    /// - Parameter mayContinue: Called before every hundred records; if it returns `false`, the comparison
    ///   stops.
    /// - Returns: The comparison of the records that have been read.
    /// - Throws: `LegacyStoreError` if the source cannot be read, `StoreError` if the store cannot be read.
    public func compare(
        while mayContinue: @escaping @Sendable () -> Bool = { true }
    ) throws -> MigrationComparison {
        let comparison = inSmallBatches(to: store, while: mayContinue)
        let legacy = try openSource()
        var records: [MigrationRecord] = []
        var removed = 0
        try comparison.forEachBatch(of: legacy) { batch in
            try store.read { view in
                let prover = Prover(view: view)
                for record in batch {
                    if try prover.wasRemoved(record) {
                        removed += 1
                    } else {
                        records.append(MigrationRecord(record, try prover.result(for: record)))
                    }
                }
            }
        }
        return MigrationComparison(container: legacy.container, records: records, removed: removed)
    }

    private func inSmallBatches(
        to store: any CredentialStore,
        while mayContinue: @escaping @Sendable () -> Bool
    ) -> CredentialMigration {
        var options = options
        options.batchSize = min(options.batchSize, 100)
        var migration = CredentialMigration(from: source, to: store, options: options)
        migration.mayContinue = mayContinue
        return migration
    }

    /// Returns the state of the source, which changes when the source changes; `nil` if the source provides no state.
    func sourceState() throws -> SourceState? { try openSource().state() }
}

/// The comparison of two stores after a migration.
///
/// The comparison covers the records that the source still contains.
public struct MigrationComparison: Equatable, Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry for each compared record, in source order; the records that ``removed`` counts have no entry.
    ///
    /// An entry is verified if both stores give the same results. A record without a ledger entry has the outcome that
    /// a migration would give it.
    public let records: [MigrationRecord]
    /// The number of records that were migrated and are no longer in the store, usually because the user
    /// removed them.
    public let removed: Int

    /// Whether both stores give the same results for every compared record.
    public var isEqual: Bool { records.allSatisfy(\.isRetirable) }
}

extension Prover {
    /// Returns whether a record was migrated but is no longer in the destination.
    fileprivate func wasRemoved(_ record: SourceRecord) throws -> Bool {
        guard case .success(let value) = record.value,
            let entry = try view.readableEntry(for: record.fingerprint), entry.verbatim == nil,
            entry.result.outcome.isRetirable
        else { return false }
        switch value {
        case .account(let account): return try !view.has(.account, id: account.key.recordID)
        case .push(let credential, _): return try !view.has(.push, id: credential.id)
        case .oath(let credential, _): return try !view.has(.oath, id: credential.id)
        case .notification(let push):
            return try view.readable { try view.storedNotification(like: push) != nil } == false
        case .deviceToken: return false
        }
    }
}

extension CredentialReading {
    /// Returns whether a record with this id exists.
    ///
    /// An unreadable record with this id counts as well.
    fileprivate func has(_ kind: RecordKind, id: String) throws -> Bool {
        try count(of: kind, where: RecordQuery(id: id)) > 0
    }
}
