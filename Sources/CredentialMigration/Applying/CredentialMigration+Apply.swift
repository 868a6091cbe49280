import LegacyStore
import PushBridgeCore

extension CredentialMigration {
    /// Carries out a plan: stores, reads back and proves every record, and enters it in the ledger.
    ///
    /// Batches commit one after the other, each with its outcomes, so stopping at any instant leaves whole records
    /// only, and applying again goes on from there. Throws `LegacyStoreError` if the source, `StoreError` if the
    /// destination fails, and ``MigrationError`` if the source is not the one that was planned.
    public func apply(
        _ plan: MigrationPlan,
        progress: @escaping ProgressHandler = { _ in }
    ) throws -> MigrationReceipt {
        let legacy = try source.open()
        var application = Application(plan: plan, store: store, options: options, progress: progress)
        // Credentials first: whether an account is carried or kept depends on them.
        try application.add([.mechanism, .notification, .deviceToken], of: legacy)
        try application.add([.account], of: legacy)
        try application.promoteKeptRecords()
        return try application.receipt()
    }
}
