import Foundation
import PushBridgeCore

extension PreservedRecord: StoredRow {
    static let table = Table(
        "preserved_record",
        noun: "preserved record",
        columns: ["fingerprint", "kind", "key", "outcome", "format", "payload"]
    )

    var rowID: String { record.rowID }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(record.bytes)
        try row.write(kind.rawValue)
        try row.write(key)
        try row.write(outcome.rawValue)
        try row.write(format.rawValue)
        try row.write(sealing: payload, as: "payload")
    }

    init(from row: inout RowReader) throws(StoreError) {
        let record = try row.fingerprint()
        row.record = record.rowID
        self.init(
            record: record,
            kind: try row.name(),
            key: try row.text(),
            outcome: try row.name(),
            format: try row.name(),
            payload: try row.opened("payload")
        )
    }
}

extension RecordFingerprint {
    fileprivate var rowID: String { bytes.base64EncodedString() }
}
