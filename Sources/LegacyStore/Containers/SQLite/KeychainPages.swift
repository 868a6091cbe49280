import Foundation
import GRDB

/// The items of a keychain table in the order of their rows, fetched a page at a time.
final class KeychainPages: ItemPuller {
    private let connection: SQLiteConnection
    private let table: KeychainTable
    private var page: ArraySlice<LegacyItem> = []
    // `nil` once the last page was fetched.
    private var start: Int64? = .min

    init(_ connection: SQLiteConnection, _ table: KeychainTable) {
        self.connection = connection
        self.table = table
    }

    func next() throws(LegacyStoreError) -> LegacyItem? {
        if page.isEmpty, let start { try turn(to: start) }
        return page.popFirst()
    }

    private func turn(to row: Int64) throws(LegacyStoreError) {
        let size = 256
        var last = row
        page = try connection.read { db in
            let statement = try db.cachedStatement(sql: table.query)
            let arguments = [row.databaseValue] + KeychainTable.services + [size.databaseValue]
            let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
            var items: [LegacyItem] = []
            items.reserveCapacity(size)
            while let row = try rows.next() {
                last = row[0]
                items.append(LegacyItem(keychainRow: row, number: last))
            }
            return items[...]
        }
        start = page.count < size || last == .max ? nil : last + 1
    }
}

extension LegacyItem {
    /// Takes the columns of ``KeychainTable/query``.
    fileprivate init(keychainRow row: Row, number: Int64) {
        let service = (row[1] as DatabaseValue).text.flatMap(LegacyService.init(rawValue:))
        self.init(
            position: .row(number),
            service: service ?? .mechanism,
            key: (row[2] as DatabaseValue).text ?? "",
            accessGroup: (row[4] as DatabaseValue).text.flatMap { $0.isEmpty ? nil : $0 },
            payload: .archive((row[3] as DatabaseValue).bytes)
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
