import Foundation
import PushBridgeCore

extension LedgerEntry: StoredRow {
    static let table = Table(
        "ledger",
        noun: "ledger entry",
        columns: [
            "fingerprint", "kind", "key", "outcome", "credential_id", "reason", "is_verified", "recorded_at",
        ]
    )

    var rowID: String { key }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(record.bytes)
        try row.write(kind.rawValue)
        try row.write(key)
        try row.write(result.outcome.rawValue)
        try row.write(result.credentialId)
        try row.write(result.reason)
        try row.write(result.isVerified)
        try row.write(recordedAt)
    }

    init(from row: inout RowReader) throws(StoreError) {
        let record = try row.fingerprint()
        let kind: LegacyRecordKind = try row.name()
        let key = try row.text()
        row.record = key
        let outcome: MigrationOutcome = try row.name()
        let result = MigrationResult(
            outcome,
            credentialId: try row.optionalText(),
            reason: try row.optionalText(),
            isVerified: try row.bool()
        )
        self.init(record: record, kind: kind, key: key, result: result, recordedAt: try row.date())
    }
}

extension RowReader {
    /// Reads the 16 bytes that name a source record.
    mutating func fingerprint() throws(StoreError) -> RecordFingerprint {
        try present(RecordFingerprint(bytes: data()))
    }
}
