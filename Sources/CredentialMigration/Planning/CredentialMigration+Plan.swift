import AuthenticatorCore
import LegacyStore

extension CredentialMigration {
    /// Finds out what ``apply(_:progress:)`` would do; reads both sides and writes nothing.
    ///
    /// Throws `LegacyStoreError` if the source, and `StoreError` if the destination cannot be read.
    public func plan(progress: @escaping ProgressHandler = { _ in }) throws -> MigrationPlan {
        let legacy = try source.open()
        return try store.read { view in
            var planner = try Planner(view: view, policy: options.conflictPolicy)
            for record in try SourceReader(legacy) {
                try planner.add(SourceRecord(record.get()))
                if planner.count.isMultiple(of: options.batchSize) {
                    progress(MigrationProgress(step: .planning, completed: planner.count, total: nil))
                }
            }
            return try planner.plan(container: legacy.container)
        }
    }
}
