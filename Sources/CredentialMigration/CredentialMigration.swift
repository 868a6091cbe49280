public import Foundation
import LegacyStore
public import PushBridgeCore
import PushBridgePlatform

/// Converts a legacy store into credentials and proves each credential.
///
/// First plan and apply the migration. You can also retire the legacy records, even much later:
///
/// ```swift
/// let migration = CredentialMigration(from: .file(url), to: store)
/// let plan = try migration.plan()
/// let receipt = try migration.apply(plan)
/// try migration.retire(receipt, backup: backup)
/// ```
///
/// To migrate without a plan, call ``migrate(progress:)``, which reads the source once. All calls block and may be
/// made from any thread. Only `retire` changes the source.
public struct CredentialMigration: Sendable {
    let source: MigrationSource
    let store: any CredentialStore
    let options: MigrationOptions
    /// Called before each batch; if it returns `false`, no further batch is read.
    var mayContinue: @Sendable () -> Bool = { true }
    /// Called by ``migrateNew(willRead:)`` for each batch; calls its second argument to store and prove the batch.
    var storing: @Sendable ([SourceRecord], () throws -> Void) throws -> Void = { _, store in try store() }

    /// Called with the progress of a step.
    public typealias ProgressHandler = (Progress) -> Void

    /// Creates a migration without opening the source or the destination.
    /// - Parameters:
    ///   - source: The legacy records.
    ///   - store: The destination.
    ///   - options: The options of the migration.
    public init(
        from source: MigrationSource,
        to store: any CredentialStore,
        options: MigrationOptions = MigrationOptions()
    ) {
        self.source = source
        self.store = store
        self.options = options
    }

    /// Determines what ``apply(_:progress:)`` would do; reads both stores and writes nothing.
    /// - Parameter progress: Called with the number of records that have been read.
    /// - Returns: The expected outcome of every record; nothing is verified yet.
    /// - Throws: `LegacyStoreError` if the source cannot be read, `StoreError` if the destination cannot be read.
    public func plan(progress: ProgressHandler = { _ in }) throws -> MigrationPlan {
        let legacy = try openSource()
        return try store.read { view in
            let importer = try Importer(options: options, destination: view)
            let planned = RecordOverlay(over: view) { verb in
                // Of the ledger entries, only those with a kept record are stored in memory, because planning reads no
                // other entry again.
                if case .put(let entry as LedgerEntry) = verb { entry.verbatim != nil } else { true }
            }
            var records: [MigrationRecord] = []
            try forEachBatch(of: legacy) { batch in
                let results = try importer.add(batch, from: records.count, to: planned)
                records += zip(batch, results).map(MigrationRecord.init)
                progress(Progress(step: .planning, completed: records.count, total: nil))
            }
            for settled in try importer.settle(importer.unsettled(in: view), in: planned) {
                if let number = settled.number { records[number].result = settled.result }
            }
            return MigrationPlan(container: legacy.container, records: records)
        }
    }

    /// Executes a plan.
    ///
    /// `apply` stores each record together with its outcome in the ledger, reads the record back and proves it. If a
    /// proof fails, the outcome in the ledger is changed at the end.
    ///
    /// Each batch is committed together with the outcomes of its records. So an interrupted migration leaves
    /// only complete records, and applying the plan again resumes the migration.
    /// - Parameters:
    ///   - plan: The result of ``plan(progress:)`` for the same source.
    ///   - progress: Called after each batch.
    /// - Returns: The outcome of every record.
    /// - Throws: `LegacyStoreError` if the source fails, `StoreError` if the destination fails, or
    ///   ``MigrationError`` if the source has changed since the migration was planned.
    public func apply(
        _ plan: MigrationPlan,
        progress: ProgressHandler = { _ in }
    ) throws -> MigrationReceipt {
        try migrate(as: plan, progress)
    }

    /// Migrates like ``apply(_:progress:)``, but without a plan; reads the source once.
    /// - Parameter progress: Called after each batch.
    /// - Returns: The outcome of every record.
    /// - Throws: `LegacyStoreError` if the source fails, `StoreError` if the destination fails.
    public func migrate(progress: ProgressHandler = { _ in }) throws -> MigrationReceipt {
        try migrate(as: nil, progress)
    }

    /// Proves every record again: compares the source with the destination, and writes nothing.
    ///
    /// A record that is in the ledger keeps its recorded outcome. A record that is not in the ledger, but is
    /// proven, has the outcome `alreadyPresent`. Any other record has the outcome that a migration would give
    /// it, and its result is not verified.
    /// - Parameter progress: Called after each batch.
    /// - Returns: The current outcome of every record.
    /// - Throws: `LegacyStoreError` if the source cannot be read, `StoreError` if the destination cannot be read.
    public func verify(progress: ProgressHandler = { _ in }) throws -> MigrationReceipt {
        let legacy = try openSource()
        return try store.read { view in
            let prover = Prover(view: view)
            var records: [MigrationRecord] = []
            try forEachBatch(of: legacy) { batch in
                records += try batch.map { MigrationRecord($0, try prover.result(for: $0)) }
                progress(Progress(step: .verifying, completed: records.count, total: nil))
            }
            return MigrationReceipt(
                container: legacy.container,
                records: records,
                restorableAccounts: try view.restorableAccounts(in: store)
            )
        }
    }

    /// Removes records from the source.
    ///
    /// A record is removed if the receipt lists it as retirable and the record can be proven again now.
    ///
    /// The method first writes a copy of the source to `backup`, with mode 0600; for a keychain, the copy contains
    /// every readable item. The method then removes the records. If a removal fails, the method restores the records
    /// that it has already removed; if this fails too, the error names the backup. A call that failed after it had
    /// written the backup can be repeated with the same file. If there are no records to remove, the method writes no
    /// backup, and completes the cleanup of an earlier call.
    ///
    /// A document (a property list, JSON, or JSON lines) is never rewritten. The file is removed if every
    /// record in it is retirable and proven, and it contains no other data; otherwise the file stays unchanged.
    /// - Parameters:
    ///   - receipt: The result of ``apply(_:progress:)`` or ``verify(progress:)``.
    ///   - backup: A new file, or a file that already contains the same backup.
    ///   - warn: Receives a message about each place where a copy of removed records may remain, and a
    ///     message if a document was not removed.
    /// - Returns: The records that were removed.
    /// - Throws: `LegacyStoreError` if the source cannot be read or changed; `StoreError` if the destination
    ///   cannot be read; ``MigrationError`` if the source and the destination may use the same items, or if a
    ///   move between the legacy items and the store has not ended.
    @discardableResult
    public func retire(
        _ receipt: MigrationReceipt,
        backup: URL,
        warn: (String) -> Void = { _ in }
    ) throws -> Set<RecordFingerprint> {
        let legacy = try openSource()
        guard let live = legacy.live else { return try retire(receipt, from: legacy, backup, warn) }
        // If the source and the destination used the same items, each item would be compared with itself and proven,
        // and the only copy would be removed.
        if try live.sharesItems(with: store) { throw MigrationError.sourceIsDestination }
        // Without the exclusive access, another process could move the records back into the items after the proof.
        // The items would then be the only copies.
        return try live.exclusively { try retire(receipt, from: legacy, backup, warn) }
    }

    private func retire(
        _ receipt: MigrationReceipt,
        from legacy: any LegacySource,
        _ backup: URL,
        _ warn: (String) -> Void
    ) throws -> Set<RecordFingerprint> {
        let retirable = receipt.retirable
        var removals: [LegacyItem.Position: LegacyItem.Digest] = [:]
        var removed: Set<RecordFingerprint> = []
        var count = 0
        try store.read { view in
            // If items were removed now, the next attempt of the move would assume that the previous release
            // had removed them.
            if legacy.live != nil, let move = try view.move(), move.state != .moved {
                throw MigrationError.moveIsUnfinished
            }
            let prover = Prover(view: view)
            try forEachBatch(of: legacy) { batch in
                count += batch.count
                for record in batch where retirable.contains(record.fingerprint) {
                    let result = try prover.result(for: record)
                    guard result.outcome.isRetirable, result.isVerified else { continue }
                    removals[record.item.position] = record.item.digest
                    removed.insert(record.fingerprint)
                }
            }
        }
        if legacy.isRemovedWhole, removals.count < count {
            warn(
                """
                The store is a document, which is removed only as a whole; it stays, because \
                \(count - removals.count) of its records cannot be removed.
                """
            )
            (removals, removed) = ([:], [])
        }
        let warnings =
            try removals.isEmpty ? legacy.cleanUp(backup: backup) : legacy.remove(removals, backup: backup)
        warnings.forEach(warn)
        return removed
    }

    /// Opens the legacy store.
    ///
    /// A file without records is accepted only if the destination has a ledger: ``retire(_:backup:warn:)`` may have
    /// removed the records.
    func openSource() throws -> any LegacySource {
        do {
            return try source.opened()
        } catch let refusal where refusal.code == .notALegacyStore {
            let migrated = try store.read { try $0.count(of: .ledger, where: .all) }
            guard migrated > 0 else { throw refusal }
            return try source.openedEvenIfEmpty()
        }
    }

    func forEachBatch(
        of legacy: any LegacySource,
        _ body: ([SourceRecord]) throws -> Void
    ) throws {
        var reading = try SourceReading(legacy, batchSize: options.batchSize)
        while mayContinue(), let batch = try reading.next() { try body(batch) }
    }

    func newPass() throws -> MigrationPass {
        try MigrationPass(store: store, options: options, while: mayContinue)
    }

    private func migrate(as plan: MigrationPlan?, _ progress: ProgressHandler) throws -> MigrationReceipt {
        let legacy = try openSource()
        let pass = try newPass()
        var count = 0
        try forEachBatch(of: legacy) { batch in
            if let plan {
                let planned = plan.records.dropFirst(count).prefix(batch.count)
                guard planned.map(\.fingerprint) == batch.map(\.fingerprint) else {
                    throw MigrationError.sourceChanged
                }
            }
            try pass.add(batch)
            count += batch.count
            progress(Progress(step: .applying, completed: count, total: plan?.records.count))
        }
        guard plan == nil || plan?.records.count == count else { throw MigrationError.sourceChanged }
        return try pass.finish(legacy.container)
    }
}
