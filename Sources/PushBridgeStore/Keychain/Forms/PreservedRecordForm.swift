import Foundation
import PushBridgeCore

/// A legacy record kept verbatim.
struct PreservedRecordForm: KeychainForm {
    static let noun = "preserved record"

    private let fingerprint: Data
    private let kind: LegacyRecordKind
    private let key: String
    private let outcome: MigrationOutcome
    private let format: String
    private let payload: Data

    static func service(in services: KeychainServices) -> String { services.preservedRecords }

    init(_ record: PreservedRecord) {
        fingerprint = record.record.bytes
        kind = record.kind
        key = record.key
        outcome = record.outcome
        format = record.format.rawValue
        payload = record.payload
    }

    func value(under account: String) -> PreservedRecord? {
        guard let record = RecordFingerprint(bytes: fingerprint), record == RecordAccount(account)?.record,
            let format = PreservedRecord.Format(rawValue: format)
        else { return nil }
        return PreservedRecord(
            record: record,
            kind: kind,
            key: key,
            outcome: outcome,
            format: format,
            payload: payload
        )
    }
}
