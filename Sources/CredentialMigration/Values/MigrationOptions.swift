public import Foundation

/// How a migration is carried out.
public struct MigrationOptions: Sendable {
    /// What to do when the destination holds another secret under a record's id.
    public var conflictPolicy: ConflictPolicy
    /// How many records are committed together; progress that a kill cannot undo comes in such steps.
    public var batchSize: Int
    /// The time that the ledger records.
    public var clock: @Sendable () -> Date

    /// Creates options.
    public init(
        conflictPolicy: ConflictPolicy = .keep,
        batchSize: Int = 2000,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.conflictPolicy = conflictPolicy
        self.batchSize = max(1, batchSize)
        self.clock = clock
    }
}
