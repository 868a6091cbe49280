public import PushBridgeCore

/// How many records had each outcome; the counts add up to the number of records.
public struct MigrationTotals: Equatable, Sendable {
    private var counts: [MigrationOutcome: Int] = [:]

    /// Counts outcomes.
    public init(_ records: some Sequence<MigrationRecord>) {
        for record in records { counts[record.result.outcome, default: 0] += 1 }
    }

    /// How many records had an outcome.
    public subscript(outcome: MigrationOutcome) -> Int { counts[outcome] ?? 0 }

    /// How many records there were.
    public var records: Int { counts.values.reduce(0, +) }
}
