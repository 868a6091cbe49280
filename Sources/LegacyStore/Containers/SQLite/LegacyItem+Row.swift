import Foundation
import GRDB

extension LegacyItem {
    /// Takes a row: its number, service, account key, data and access group.
    init(keychainRow row: Row) {
        let service = (row[1] as DatabaseValue).text.flatMap(RecordService.init) ?? .legacy(.mechanism)
        self.init(
            position: .row(row[0]),
            service: service.kind,
            key: (row[2] as DatabaseValue).text ?? "",
            accessGroup: (row[4] as DatabaseValue).text.flatMap { $0.isEmpty ? nil : $0 },
            payload: service.payload((row[3] as DatabaseValue).bytes)
        )
    }
}

extension DatabaseValue {
    fileprivate var text: String? {
        switch storage {
        case .string(let text): text
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .null: nil
        }
    }

    // No number is an archive; an empty one is reported as damaged.
    fileprivate var bytes: Data {
        switch storage {
        case .blob(let bytes): bytes
        case .string(let text): Data(text.utf8)
        case .int64, .double, .null: Data()
        }
    }
}
