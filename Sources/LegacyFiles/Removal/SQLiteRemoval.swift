import Foundation
import GRDB
import LegacyStore
import PushBridgeFiles
import PushBridgeStore

/// Removes rows from a keychain database in one transaction, after a backup.
struct SQLiteRemoval {
    private let url: URL
    private let usesLog: Bool

    init(_ url: URL) throws(LegacyStoreError) {
        self.url = url
        usesLog = try reading(url) { try ReadOnlyDatabase.usesLog(url) }
    }

    /// Backs up the database and removes the rows; no other process can write in the meantime.
    ///
    /// The method returns warnings for the user.
    ///
    /// During the transaction, only SQLite may open the file: if another handle were closed, the system would release
    /// this process's locks on the file.
    func run(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        let rows = removals.keys.compactMap { if case .row(let row) = $0 { row } else { nil } }.sorted()
        try BackupPlace.check(backup, of: url)
        return try editing { db in
            try db.inTransaction(.immediate) {
                try requireNoTriggers(db)
                try requireUnchanged(db, rows, removals)
                try writeBackup(to: backup)
                try delete(db, rows)
                return .commit
            }
        }
    }

    /// Clears the database's log and unused parts; does nothing if the log is empty.
    ///
    /// A removal leaves data in the log if another process is reading the database.
    func cleanUp() throws(LegacyStoreError) -> [String] {
        guard try Self.hasLog(url) else { return [] }
        return try editing { _ in }
    }

    static func hasLog(_ url: URL) throws(LegacyStoreError) -> Bool {
        let log = CompanionFile.log.url(of: url.resolvingSymlinksInPath())
        let size = try reading(url) { try FileStatus(path: log.path)?.size }
        return size.map { $0 > 0 } ?? false
    }

    private func editing(_ body: (Database) throws -> Void) throws(LegacyStoreError) -> [String] {
        let warnings = try writingDatabase(url) {
            let queue = try DatabaseQueue(path: url.path, configuration: .erasing)
            let warnings = try queue.writeWithoutTransaction { db in
                try body(db)
                return clear(db)
            }
            try queue.close()
            return warnings
        }
        try writingDatabase(url) { try OpenFile(reading: url).sync() }
        return warnings
    }

    // A trigger of the table could remove unproven rows, keep rows, or copy secrets to another place.
    private func requireNoTriggers(_ db: Database) throws {
        let hasTriggers = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'genp' COLLATE NOCASE)
                """
        )
        guard hasTriggers != true else {
            let name = url.relativePath
            throw LegacyStoreError.notWritable(
                "The keychain table of \(name) has triggers; nothing is removed from it."
            )
        }
    }

    private func requireUnchanged(
        _ db: Database,
        _ rows: [Int64],
        _ removals: [LegacyItem.Position: LegacyItem.Digest]
    ) throws {
        var list = RemovalList(url.relativePath, removals)
        if let table = try KeychainTable(db) {
            for page in pages(rows) {
                for item in try table.items(db, in: page) { _ = try list.takes(item) }
            }
        }
        try list.finish()
    }

    // Writes a consistent copy of the database, which includes the changes in the log.
    private func writeBackup(to backup: URL) throws {
        let copy = try NewLegacyFile(backup, existing: .acceptedIfSame)
        let source = try reading(url) { try ReadOnlyDatabase(besideWriter: url.path) }
        try writingDatabase(backup) {
            let destination = try DatabaseQueue(path: copy.open.databasePath, configuration: .filling)
            try source.queue.backup(to: destination)
            try destination.close()
        }
        try source.queue.close()
        try copy.finish()
    }

    private func delete(_ db: Database, _ rows: [Int64]) throws {
        let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM genp") ?? 0
        let changes = db.totalChangesCount
        for page in pages(rows) {
            let places = page.map { _ in "?" }.joined(separator: ",")
            try db.execute(
                sql: "DELETE FROM genp WHERE rowid IN (\(places))",
                arguments: StatementArguments(page)
            )
        }
        let after = try Int.fetchOne(db, sql: "SELECT count(*) FROM genp") ?? 0
        guard before - after == rows.count, db.totalChangesCount - changes == rows.count else {
            throw LegacyStoreError.notWritable(
                "The removal from \(url.relativePath) changed more or fewer rows than requested, so it was undone."
            )
        }
    }

    // Clears the unused parts of the file and the log. The removal is already committed, so a failure is only a
    // warning.
    private func clear(_ db: Database) -> [String] {
        let name = url.relativePath
        var warnings: [String] = []
        do {
            // Unused pages, and unused parts of other pages, may contain rows that were deleted earlier.
            try db.execute(sql: "VACUUM")
        } catch {
            warnings.append(
                "Unused parts of \(name) could not be cleared; old copies of records may remain there."
            )
        }
        guard usesLog else { return warnings }
        do {
            try db.checkpoint(.truncate)
        } catch {
            warnings.append(
                """
                Another program is reading \(name), so its log still contains the removed records; repeat the removal when \
                no process uses the database.
                """
            )
        }
        return warnings
    }

    private func pages(_ rows: [Int64]) -> [ArraySlice<Int64>] {
        stride(from: 0, to: rows.count, by: 256).map { rows[$0..<min($0 + 256, rows.count)] }
    }
}

extension Configuration {
    /// A configuration with which SQLite overwrites deleted data, so that no secrets stay in free pages.
    fileprivate static var erasing: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON")
        }
        return configuration
    }
}
