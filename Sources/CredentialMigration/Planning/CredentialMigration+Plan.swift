import LegacyStore
import PushBridgeCore

extension CredentialMigration {
    /// Finds out what ``apply(_:progress:)`` would do; reads both sides and writes nothing.
    ///
    /// Throws `LegacyStoreError` if the source, and `StoreError` if the destination cannot be read.
    public func plan(progress: @escaping ProgressHandler = { _ in }) throws -> MigrationPlan {
        let legacy = try source.open()
        return try store.read { view in
            var planner = try Planner(view: view, policy: options.conflictPolicy)
            let batches = ReadAhead { [options] in try NamedItems(legacy, size: options.batchSize) }
            while let items = try batches.next() {
                for item in items { try planner.add(SourceRecord(item)) }
                progress(MigrationProgress(step: .planning, completed: planner.count, total: nil))
            }
            return try planner.plan(container: legacy.container)
        }
    }
}
