import Foundation
import PushBridgeCore

/// A line of the migration ledger.
struct LedgerEntryForm: KeychainForm {
    static let noun = "ledger entry"

    private let fingerprint: Data
    private let kind: LegacyRecordKind
    private let key: String
    private let outcome: MigrationOutcome
    private let credentialId: String?
    private let reason: String?
    private let isVerified: Bool
    private let recordedAt: ExactDate

    static func service(in services: KeychainServices) -> String { services.ledger }

    init(_ entry: LedgerEntry) {
        fingerprint = entry.record.bytes
        kind = entry.kind
        key = entry.key
        outcome = entry.result.outcome
        credentialId = entry.result.credentialId
        reason = entry.result.reason
        isVerified = entry.result.isVerified
        recordedAt = ExactDate(entry.recordedAt)
    }

    func value(under account: String) -> LedgerEntry? {
        guard let record = RecordFingerprint(bytes: fingerprint), record == RecordAccount(account)?.record
        else {
            return nil
        }
        let result = MigrationResult(
            outcome,
            credentialId: credentialId,
            reason: reason,
            isVerified: isVerified
        )
        return LedgerEntry(record: record, kind: kind, key: key, result: result, recordedAt: recordedAt.date)
    }
}
