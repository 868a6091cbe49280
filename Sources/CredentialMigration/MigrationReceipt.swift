import LegacyStore
public import PushBridgeCore

/// The results of a migration for the records of its source, in the order in which they were processed.
public struct MigrationReceipt: Equatable, Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry for each source record that the migration processed.
    public let records: [MigrationRecord]
    /// The number of the destination's accounts that an encrypted backup restores on a new phone.
    ///
    /// An account counts if the backup restores at least one of its credentials. If the destination stores its items
    /// only on this device, the number is zero.
    public let restorableAccounts: Int

    /// The number of records for each outcome.
    public var totals: MigrationTotals { MigrationTotals(records) }
    /// Whether the destination has every record: migrated, already present or kept, and proven.
    public var isComplete: Bool { records.allSatisfy(\.isRetirable) }
    /// The records that may be removed from the source.
    public var retirable: Set<RecordFingerprint> {
        Set(records.lazy.filter(\.isRetirable).map(\.fingerprint))
    }

    /// Returns a receipt that contains only some of the records.
    ///
    /// If the returned receipt is used to retire, only its records are retired.
    /// - Parameter isIncluded: Returns whether to include a record.
    /// - Returns: The receipt, which is complete if each included record is retirable.
    /// - Throws: The error of `isIncluded`.
    public func filter(_ isIncluded: (MigrationRecord) throws -> Bool) rethrows -> MigrationReceipt {
        MigrationReceipt(
            container: container,
            records: try records.filter(isIncluded),
            restorableAccounts: restorableAccounts
        )
    }
}

/// The results that a migration would have, determined without writing.
public struct MigrationPlan: Sendable {
    /// The name of the source's container.
    public let container: String
    /// One entry for each source record, in the order of the source; no entry is verified yet.
    public let records: [MigrationRecord]

    /// The number of records for each expected outcome.
    public var totals: MigrationTotals { MigrationTotals(records) }
    /// Whether the outcome of every record is expected to be `migrated`, `alreadyPresent` or `kept`.
    public var isComplete: Bool { records.allSatisfy { $0.result.outcome.isRetirable } }
}

/// The result of a migration for one source record.
public struct MigrationRecord: Equatable, Sendable {
    /// The fingerprint of the source record.
    public let fingerprint: RecordFingerprint
    /// The kind of the record.
    public let kind: LegacyRecordKind
    /// The key of the record in the source.
    public let key: String
    /// The actual or expected result.
    public internal(set) var result: MigrationResult
    /// Whether the record's secret was copied as URL-safe or unpadded base64, with which the successor SDK cannot sign.
    let hasRawSecret: Bool

    init(_ record: SourceRecord, _ result: MigrationResult) {
        fingerprint = record.fingerprint
        kind = record.kind
        key = record.item.key
        hasRawSecret = record.hasRawSecret
        self.result = result
    }

    /// Creates the result for a record that is in the ledger but no longer in the source.
    init(_ entry: LedgerEntry, _ result: MigrationResult) {
        fingerprint = entry.record
        kind = entry.kind
        key = entry.key
        hasRawSecret = false
        self.result = result
    }

    /// Whether the migration repaired a push secret with which the successor SDK could not sign.
    ///
    /// The secret had been copied into the SDK's store as URL-safe or unpadded base64. The stored credential can sign.
    public var isRepaired: Bool {
        hasRawSecret && (result.outcome == .migrated || result.outcome == .alreadyPresent)
    }
    /// Whether the record may be removed from the source.
    public var isRetirable: Bool { result.outcome.isRetirable && result.isVerified }
}

/// The number of records for each outcome.
///
/// The sum of the numbers is the number of records.
public struct MigrationTotals: Equatable, Sendable {
    private var counts: [MigrationOutcome: Int] = [:]
    private var unprovenCounts: [MigrationOutcome: Int] = [:]

    /// Counts the outcomes of records.
    /// - Parameter records: The records of a plan or a receipt.
    public init(_ records: some Sequence<MigrationRecord>) {
        for record in records {
            counts[record.result.outcome, default: 0] += 1
            guard record.result.outcome.isRetirable, !record.result.isVerified else { continue }
            unprovenCounts[record.result.outcome, default: 0] += 1
        }
    }

    /// Returns how many records have an outcome that permits their removal from the source, but are not proven yet.
    ///
    /// In a plan, no record is proven. In a verification, a record that is not proven is missing from the destination,
    /// or differs or cannot be read there.
    /// - Parameter outcome: The outcome.
    /// - Returns: The number of records.
    public func unproven(_ outcome: MigrationOutcome) -> Int { unprovenCounts[outcome] ?? 0 }

    /// The number of records that are not proven yet, and that can be removed from the source once they are
    /// proven.
    public var unproven: Int { unprovenCounts.values.reduce(0, +) }

    /// The number of records with an outcome.
    /// - Parameter outcome: The outcome.
    /// - Returns: The number of records.
    public subscript(outcome: MigrationOutcome) -> Int { counts[outcome] ?? 0 }

    /// The number of all records.
    public var records: Int { counts.values.reduce(0, +) }
}
