import Foundation
import GRDB

/// Removes rows from a keychain database in one transaction, after a backup.
struct SQLiteRemoval {
    private let url: URL
    private let rows: [Int64]
    private let backup: URL
    private let isWriteAhead: Bool

    /// Checks that the database and the backup can be written.
    init(
        from url: URL,
        _ positions: Set<LegacyItem.Position>,
        backup: URL
    ) throws(LegacyStoreError) {
        self.url = url
        self.backup = backup
        rows = positions.compactMap(\.row)
        guard rows.count == positions.count else { throw .goneRecords(url) }
        try BackupPlace.check(backup, of: url)
        isWriteAhead = try SQLiteJournal(of: url).isWriteAhead
    }

    /// Backs the database up and removes the rows, while nobody else can write.
    func run() throws(LegacyStoreError) {
        try changing(url) {
            let queue = try DatabaseQueue(path: url.path, configuration: .erasing)
            try queue.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try requireOurs(db)
                    try SQLiteBackup.write(url, to: backup)
                    try delete(db)
                    return .commit
                }
                if isWriteAhead { try db.checkpoint(.truncate) }
            }
            try queue.close()
            try OpenFile.synchronize(url)
        }
    }

    private func requireOurs(_ db: Database) throws {
        var found = 0
        for page in pages {
            let sql = "SELECT count(*) FROM genp WHERE \(rowIsIn(page)) AND \(KeychainTable.isOurs)"
            let arguments = StatementArguments(page) + StatementArguments(KeychainTable.services)
            found += try Int.fetchOne(db, sql: sql, arguments: arguments) ?? 0
        }
        guard found == rows.count else { throw LegacyStoreError.goneRecords(url) }
    }

    private func delete(_ db: Database) throws {
        for page in pages {
            try db.execute(
                sql: "DELETE FROM genp WHERE \(rowIsIn(page))",
                arguments: StatementArguments(page)
            )
        }
    }

    private var pages: [ArraySlice<Int64>] {
        stride(from: 0, to: rows.count, by: 500).map { rows[$0..<min($0 + 500, rows.count)] }
    }

    private func rowIsIn(_ page: ArraySlice<Int64>) -> String {
        "rowid IN (\(page.map { _ in "?" }.joined(separator: ",")))"
    }
}

extension Configuration {
    /// Overwrites what it deletes: secrets must not stay behind in free pages.
    fileprivate static var erasing: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON")
        }
        return configuration
    }
}

extension LegacyItem.Position {
    fileprivate var row: Int64? {
        guard case .row(let row) = self else { return nil }
        return row
    }
}
