import PushBridgeCore

/// What a migration would do; made by reading only.
public struct MigrationPlan: Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry per source record, in source order; nothing is verified yet.
    public let records: [MigrationRecord]
    /// What the records know of each other.
    let survey: Survey

    /// How many records will have each outcome.
    public var totals: MigrationTotals { MigrationTotals(records) }
    /// Whether every record will arrive or be kept.
    public var isComplete: Bool { records.allSatisfy { $0.result.outcome.isRetirable } }
}
