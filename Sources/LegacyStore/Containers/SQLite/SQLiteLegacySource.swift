import Foundation

/// A keychain database: the generic passwords of a device, with items of other services mixed in.
struct SQLiteLegacySource: LegacySource {
    let url: URL
    let container = "sqlite"

    /// Opens a database that has a table of generic passwords with items of our services in it.
    init(_ url: URL) throws(LegacyStoreError) {
        self.url = url
        var items = try items()
        guard let first = items.next() else {
            throw .holdsNothing(url)
        }
        _ = try first.get()
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        let connection = try SQLiteConnection(reading: url)
        guard let table = try connection.read(KeychainTable.init) else {
            throw .notALegacyStore("\(url.lastPathComponent) is a database without a keychain table.")
        }
        return LegacyItems(KeychainPages(connection, table))
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        try SQLiteRemoval(from: url, doomed, backup: backup).run()
    }
}
