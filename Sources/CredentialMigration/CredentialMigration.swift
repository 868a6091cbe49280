public import PushBridgeCore

/// Turns a legacy store into credentials and proves every one.
///
/// Plan, apply, and much later, if at all, retire:
///
/// ```swift
/// let migration = CredentialMigration(from: .file(url), to: store)
/// let plan = try migration.plan()
/// let receipt = try migration.apply(plan)
/// try migration.retire(receipt, backup: backup)
/// ```
///
/// All calls block and may be made from any thread. The source is only read, except by `retire`.
public struct CredentialMigration: Sendable {
    let source: MigrationSource
    let store: any CredentialStore
    let options: MigrationOptions

    /// Called with how far a step is.
    public typealias ProgressHandler = (MigrationProgress) -> Void

    /// Creates a migration; nothing is opened yet.
    public init(
        from source: MigrationSource,
        to store: any CredentialStore,
        options: MigrationOptions = MigrationOptions()
    ) {
        self.source = source
        self.store = store
        self.options = options
    }
}
