import LegacyStore
import PushBridgeCore

extension CredentialMigration {
    /// Proves every record again, from both sides; reads only.
    ///
    /// A record that was migrated to this destination before keeps the outcome of the ledger; another one has the
    /// outcome that a migration would give it, and is not verified.
    public func verify(progress: @escaping ProgressHandler = { _ in }) throws -> MigrationReceipt {
        let plan = try plan(progress: progress)
        let legacy = try source.open()
        return try store.read { view in
            let verifier = Verifier(view: view)
            var records: [MigrationRecord] = []
            records.reserveCapacity(plan.records.count)
            for (named, planned) in zip(try SourceReader(legacy), plan.records) {
                let record = SourceRecord(try named.get())
                guard record.fingerprint == planned.fingerprint else { throw MigrationError.sourceChanged }
                records.append(planned.with(try verifier.result(for: record, planned: planned.result)))
                if records.count.isMultiple(of: options.batchSize) {
                    progress(
                        MigrationProgress(
                            step: .verifying,
                            completed: records.count,
                            total: plan.records.count
                        )
                    )
                }
            }
            guard records.count == plan.records.count else { throw MigrationError.sourceChanged }
            return MigrationReceipt(container: plan.container, records: records)
        }
    }
}
