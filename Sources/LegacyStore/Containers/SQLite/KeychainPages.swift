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
        let items = try connection.read { db in try table.items(db, from: row, limit: size) }
        page = items[...]
        guard items.count == size, case .row(let last)? = items.last?.position, last < .max else {
            return start = nil
        }
        start = last + 1
    }
}
