public import PushBridgeCore

/// What a migration did with every record of its source, in source order.
public struct MigrationReceipt: Equatable, Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry per source record.
    public let records: [MigrationRecord]

    /// How many records had each outcome.
    public var totals: MigrationTotals { MigrationTotals(records) }
    /// Whether every record arrived or is kept, and was proven.
    public var isComplete: Bool { records.allSatisfy(\.isRetirable) }
    /// The records that may be removed from the source.
    public var retirable: Set<RecordFingerprint> {
        Set(records.lazy.filter(\.isRetirable).map(\.fingerprint))
    }
}
