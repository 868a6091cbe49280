import Foundation
import GRDB

/// Removes rows from a keychain database in one transaction, after a backup.
struct SQLiteRemoval {
    private let url: URL
    private let doomed: [Int64: LegacyItem.Digest]
    private let backup: URL
    private let isWriteAhead: Bool

    /// Checks that the database and the backup can be written.
    init(
        from url: URL,
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        self.url = url
        self.backup = backup
        var rows: [Int64: LegacyItem.Digest] = [:]
        for (position, digest) in doomed {
            guard case .row(let row) = position else { throw .goneRecords(url) }
            rows[row] = digest
        }
        self.doomed = rows
        try BackupPlace.check(backup, of: url)
        isWriteAhead = try SQLiteJournal(of: url).isWriteAhead
    }

    /// Backs the database up and removes the rows, while nobody else can write.
    ///
    /// Until the transaction ends, nothing but SQLite may open the file: closing it again would give the
    /// process's locks away.
    func run() throws(LegacyStoreError) {
        try changing(url) {
            let queue = try DatabaseQueue(path: url.path, configuration: .erasing)
            try queue.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try requireUnchanged(db)
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

    private func requireUnchanged(_ db: Database) throws {
        guard let table = try KeychainTable(db) else { throw LegacyStoreError.goneRecords(url) }
        for page in pages {
            let items = try table.items(db, in: page)
            guard items.count == page.count else { throw LegacyStoreError.goneRecords(url) }
            for item in items {
                guard case .row(let row) = item.position, item.digest == doomed[row] else {
                    throw LegacyStoreError.changedRecord(url)
                }
            }
        }
    }

    private func delete(_ db: Database) throws {
        for page in pages {
            let places = page.map { _ in "?" }.joined(separator: ",")
            try db.execute(
                sql: "DELETE FROM genp WHERE rowid IN (\(places))",
                arguments: StatementArguments(page)
            )
        }
    }

    private var pages: [ArraySlice<Int64>] {
        let rows = doomed.keys.sorted()
        return stride(from: 0, to: rows.count, by: 256).map { rows[$0..<min($0 + 256, rows.count)] }
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
