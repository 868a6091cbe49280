import LegacyStore
public import PushBridgeCore

/// The results of a migration for every record of its source, in source order.
public struct MigrationReceipt: Equatable, Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry per source record.
    public let records: [MigrationRecord]
    /// The number of accounts of the destination that an encrypted backup restores on a new phone: all with a
    /// credential, or zero if the destination keeps its items on this device.
    public let restorableAccounts: Int

    /// The number of records for each outcome.
    public var totals: MigrationTotals { MigrationTotals(records) }
    /// Whether every record was imported or kept, and proven.
    public var isComplete: Bool { records.allSatisfy(\.isRetirable) }
    /// The records that may be removed from the source.
    public var retirable: Set<RecordFingerprint> {
        Set(records.lazy.filter(\.isRetirable).map(\.fingerprint))
    }

    /// A receipt for some of the records, so that they alone are retired.
    /// - Parameter isIncluded: Whether a record is one of them.
    /// - Returns: The receipt, which is complete if each of those records is retirable.
    /// - Throws: What `isIncluded` throws.
    public func filter(_ isIncluded: (MigrationRecord) throws -> Bool) rethrows -> MigrationReceipt {
        MigrationReceipt(
            container: container,
            records: try records.filter(isIncluded),
            restorableAccounts: restorableAccounts
        )
    }
}

/// The expected results of a migration; made by reading only.
public struct MigrationPlan: Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry per source record, in source order; nothing is verified yet.
    public let records: [MigrationRecord]

    /// How many records will have each outcome.
    public var totals: MigrationTotals { MigrationTotals(records) }
    /// Whether every record will arrive or be kept.
    public var isComplete: Bool { records.allSatisfy { $0.result.outcome.isRetirable } }
}

/// The result of a migration for one source record.
public struct MigrationRecord: Equatable, Sendable {
    /// The source record.
    public let fingerprint: RecordFingerprint
    /// Its kind.
    public let kind: LegacyRecordKind
    /// The key under which the source keeps it.
    public let key: String
    /// What became, or would become, of it.
    public internal(set) var result: MigrationResult
    /// Whether the source's secret is one that its owner cannot sign with.
    let hasRawSecret: Bool

    init(_ record: SourceRecord, _ result: MigrationResult) {
        fingerprint = record.fingerprint
        kind = record.kind
        key = record.item.key
        hasRawSecret = record.hasRawSecret
        self.result = result
    }

    /// A record that only the ledger contains.
    init(_ entry: LedgerEntry, _ result: MigrationResult) {
        fingerprint = entry.record
        kind = entry.kind
        key = entry.key
        hasRawSecret = false
        self.result = result
    }

    /// Whether the source, a store of the successor SDK, has a secret that was copied there without recoding, so that
    /// it could not sign, and the stored credential can.
    public var isRepaired: Bool {
        hasRawSecret && (result.outcome == .migrated || result.outcome == .alreadyPresent)
    }
    /// Whether the record may be removed from the source.
    public var isRetirable: Bool { result.outcome.isRetirable && result.isVerified }
}

/// How many records had each outcome; the counts add up to the number of records.
public struct MigrationTotals: Equatable, Sendable {
    private var counts: [MigrationOutcome: Int] = [:]
    private var unprovenCounts: [MigrationOutcome: Int] = [:]

    /// Counts outcomes.
    /// - Parameter records: The records of a plan or a receipt.
    public init(_ records: some Sequence<MigrationRecord>) {
        for record in records {
            counts[record.result.outcome, default: 0] += 1
            guard record.result.outcome.isRetirable, !record.result.isVerified else { continue }
            unprovenCounts[record.result.outcome, default: 0] += 1
        }
    }

    /// How many of the records with an outcome could be removed from the source, but were not proven.
    ///
    /// Of a plan these are all; of a verification, those that the destination does not have, or has otherwise.
    /// - Parameter outcome: The outcome.
    /// - Returns: How many.
    public func unproven(_ outcome: MigrationOutcome) -> Int { unprovenCounts[outcome] ?? 0 }

    /// How many records could be removed from the source if they were proven.
    public var unproven: Int { unprovenCounts.values.reduce(0, +) }

    /// How many records had an outcome.
    /// - Parameter outcome: The outcome.
    /// - Returns: How many.
    public subscript(outcome: MigrationOutcome) -> Int { counts[outcome] ?? 0 }

    /// How many records there were.
    public var records: Int { counts.values.reduce(0, +) }
}
