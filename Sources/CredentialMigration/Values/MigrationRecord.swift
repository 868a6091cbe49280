public import PushBridgeCore

/// What a migration says of one source record.
public struct MigrationRecord: Equatable, Sendable {
    /// The source record.
    public let fingerprint: RecordFingerprint
    /// Its kind.
    public let kind: LegacyRecordKind
    /// The key under which the source keeps it.
    public let key: String
    /// What became, or would become, of it.
    public let result: MigrationResult
    /// Whether the source's secret is one that its owner cannot sign with.
    let hasRawSecret: Bool

    /// Whether the source, a store of the new SDK, has a secret that was copied there without recoding, so that it
    /// could not sign, and the stored credential can.
    public var isRepaired: Bool {
        hasRawSecret && (result.outcome == .migrated || result.outcome == .alreadyPresent)
    }
    /// Whether the record may be removed from the source.
    public var isRetirable: Bool { result.outcome.isRetirable && result.isVerified }
}

extension MigrationRecord {
    /// The same record with another result.
    func with(_ result: MigrationResult) -> MigrationRecord {
        MigrationRecord(
            fingerprint: fingerprint,
            kind: kind,
            key: key,
            result: result,
            hasRawSecret: hasRawSecret
        )
    }
}
