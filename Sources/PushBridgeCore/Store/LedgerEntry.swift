public import Foundation

/// One line of the migration ledger: what became of one source record.
public struct LedgerEntry: Equatable, Sendable {
    /// The source record.
    public let record: RecordFingerprint
    /// Its kind.
    public let kind: LegacyRecordKind
    /// The key under which the source kept it.
    public let key: String
    /// What became of it.
    public let result: MigrationResult
    /// When that was decided.
    public let recordedAt: Date

    /// Creates an entry.
    public init(
        record: RecordFingerprint,
        kind: LegacyRecordKind,
        key: String,
        result: MigrationResult,
        recordedAt: Date
    ) {
        self.record = record
        self.kind = kind
        self.key = key
        self.result = result
        self.recordedAt = recordedAt
    }
}

/// The outcome of one record, with its grounds.
public struct MigrationResult: Equatable, Sendable {
    /// What became of the record.
    public let outcome: MigrationOutcome
    /// The credential it became or belongs to.
    public let credentialId: String?
    /// One sentence why, for outcomes that need attention; never holds a secret.
    public let reason: String?
    /// Whether the stored side was read back and proven equivalent.
    public let isVerified: Bool

    /// Creates a result.
    public init(
        _ outcome: MigrationOutcome,
        credentialId: String? = nil,
        reason: String? = nil,
        isVerified: Bool = false
    ) {
        self.outcome = outcome
        self.credentialId = credentialId
        self.reason = reason
        self.isVerified = isVerified
    }
}
