import Foundation
import LegacyStore
import PushBridgeCore

/// A legacy item with its name in the ledger and what it says.
struct SourceRecord {
    let item: LegacyItem
    let fingerprint: RecordFingerprint
    let content: Result<DecodedItem, LegacyRecordError>

    init(_ named: NamedItem) {
        item = named.item
        fingerprint = named.fingerprint
        content = Result { () throws(LegacyRecordError) in try named.item.decoded() }
    }

    /// The kind, read from the record or, failing that, from where it lies.
    var kind: LegacyRecordKind {
        guard case .success(let decoded) = content else { return item.presumedKind }
        return decoded.record.kind
    }

    /// Whether the record is a push credential of the new SDK with a secret that was copied there without recoding.
    var hasRawSecret: Bool {
        guard case .success(let decoded) = content else { return false }
        return item.signingFault(decoded) == .rawSecret
    }

    /// The record in terms of the new model, or why there is none.
    func value(account find: (AccountKey) -> LegacyAccount?) -> Result<LegacyValue, Refusal> {
        content.mapError(Refusal.init).flatMap { decoded in
            Result { () throws(ConversionError) in try LegacyValue(decoded, account: find) }.mapError(
                Refusal.init
            )
        }
    }

    /// The record as the destination keeps it verbatim.
    func preserved(as outcome: MigrationOutcome) -> PreservedRecord {
        PreservedRecord(
            record: fingerprint,
            kind: kind,
            key: item.key,
            outcome: outcome,
            format: item.payload.format,
            payload: item.payload.bytes
        )
    }
}

extension LegacyItem.Payload {
    /// The bytes; none for what could not be opened.
    var bytes: Data {
        switch self {
        case .archive(let bytes), .json(let bytes), .exportedJSON(let bytes), .newSDK(let bytes): bytes
        case .unreadable: Data()
        }
    }

    /// How the bytes are encoded.
    var format: PreservedRecord.Format {
        switch self {
        case .json: .json
        case .exportedJSON: .exportedJSON
        case .newSDK: .newSDK
        case .archive, .unreadable: .archive
        }
    }
}
