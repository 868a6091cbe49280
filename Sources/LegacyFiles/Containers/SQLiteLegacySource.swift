import Foundation
import GRDB
import LegacyStore
import PushBridgeFiles
import PushBridgeStore

/// A keychain database, which has a table of generic passwords.
///
/// Some of the passwords may belong to services that the SDKs do not use.
struct SQLiteLegacySource: LegacySource {
    let url: URL
    let container = "sqlite"

    /// Opens a database whose table of generic passwords contains items of either SDK.
    ///
    /// This initialiser also opens a database from which all items of the SDKs were removed, if that removal
    /// has not been cleaned up yet.
    ///
    /// With `mayBeEmpty`, this initialiser also opens a database whose table contains no items of the SDKs.
    init(_ url: URL, mayBeEmpty: Bool) throws(LegacyStoreError) {
        self.url = url
        // While items are counted, no item is read here, because the item would be counted again later.
        guard !FurtherServices.isCounting else { return }
        var items = try items()
        if let first = items.next() {
            _ = try first.get()
            return
        }
        let hashedItems = try reading(url) {
            try ReadOnlyDatabase(foreign: url, longestValue: LegacyItem.largestValue)
                .read { try KeychainTable($0)?.hashedItems($0) }
        }
        if let sentence = hashedItems?.sentence { throw .notALegacyStore("\(url.relativePath) \(sentence)") }
        if !mayBeEmpty {
            guard try SQLiteRemoval.hasLog(url) else { throw .holdsNothing(url) }
        }
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        let database = try reading(url) {
            try ReadOnlyDatabase(foreign: url, longestValue: LegacyItem.largestValue)
        }
        guard let table = try reading(url, { try database.read(KeychainTable.init) }) else {
            let rest = try reading(url) {
                try database.read { db in
                    if try ReadOnlyDatabase.isCredentialStore(db) {
                        return "is a credential store; see `pushbridge credentials`."
                    }
                    let isCoreData = try db.tableExists("Z_METADATA")
                    return isCoreData
                        ? "is a Core Data store. Export the accounts with the app that wrote the store."
                        : "is a database without a keychain table."
                }
            }
            throw .notALegacyStore("\(url.relativePath) \(rest)")
        }
        var page: ArraySlice<LegacyItem> = []
        // The row at which the next page starts; `nil` after the last page.
        var start: Int64? = .min
        return LegacyItems { () throws(LegacyStoreError) in
            while page.isEmpty, let row = start {
                let fetched = try reading(url) {
                    try database.read { try table.page($0, from: row, limit: 256) }
                }
                (page, start) = (fetched.items[...], fetched.next)
            }
            return page.popFirst()
        }
    }

    func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        let sentences = try LeftOver.settle(beside: url, backup: backup)
        return try sentences + SQLiteRemoval(url).run(removals, backup: backup)
    }

    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] {
        try LeftOver.settle(beside: url, backup: backup) + SQLiteRemoval(url).cleanUp()
    }
}

extension SQLiteLegacySource {
    private static func header(of url: URL) throws -> [UInt8]? {
        let header = try ByteReader(url).prefix(20)
        return header.count == 20 && header.starts(with: Array("SQLite format 3\0".utf8)) ? header : nil
    }

    /// Returns the URL of a database's log if the database is in WAL mode but its log is missing.
    ///
    /// Returns `nil` for a credential store, because a credential store has no log after it has been closed.
    private static func missingLog(of url: URL, header: [UInt8]) throws -> URL? {
        let log = CompanionFile.log.url(of: url.resolvingSymlinksInPath())
        guard header[18] == 2, header[19] == 2, try FileStatus(path: log.path) == nil else { return nil }
        let isOurs = try ReadOnlyDatabase(foreign: url, longestValue: LegacyItem.largestValue)
            .read { try ReadOnlyDatabase.isCredentialStore($0) }
        return isOurs ? nil : log
    }

    /// Returns whether a database in WAL mode lacks its log, which contains the latest changes.
    ///
    /// The result is `false` for a credential store, and if the file cannot be read.
    static func lacksLog(_ url: URL) -> Bool {
        do {
            return try header(of: url).flatMap { try missingLog(of: url, header: $0) } != nil
        } catch {
            // The same error is reported when the store is read.
            return false
        }
    }

    /// Counts the deleted items of the SDKs, which ``items()`` leaves out.
    func deletedItems() throws(LegacyStoreError) -> Int {
        try reading(url) {
            try ReadOnlyDatabase(foreign: url, longestValue: LegacyItem.largestValue)
                .read { try KeychainTable($0)?.deletedItems($0) ?? 0 }
        }
    }

    /// While the items of all services are counted, adds the deleted items of other services to the findings.
    func countOtherDeletedItems() throws(LegacyStoreError) {
        _ = try reading(url) {
            try ReadOnlyDatabase(foreign: url, longestValue: LegacyItem.largestValue)
                .read { try KeychainTable($0)?.countOtherDeletedItems($0) }
        }
    }

    /// Returns warnings about records that may be missing from a database.
    static func warnings(about url: URL) -> [String] {
        do {
            guard let header = try header(of: url) else { return [] }
            var warnings: [String] = []
            if let log = try missingLog(of: url, header: header) {
                warnings.append(
                    "\(url.relativePath) stores its latest changes in \(log.lastPathComponent), which is missing: if the"
                        + " database was copied, copy that file too."
                )
            }
            return warnings
        } catch {
            // The same error is reported when the store is read.
            return []
        }
    }
}

/// The table of generic passwords in a keychain database.
struct KeychainTable {
    // The names of the services, as text and as blobs, because keychain databases may store them in either form.
    private let services: [DatabaseValue]
    private let accessGroup: String
    private let selection: String
    private let isOurs: String
    /// Whether the table marks deleted items.
    private let hasTombstones: Bool

    /// Finds the table `genp`.
    ///
    /// Returns `nil` if the database has no such table, if the table lacks a required column, or if a column hides
    /// the row numbers. Throws an error if the table has no row numbers.
    init?(_ db: Database) throws {
        let described = try Row.fetchAll(db, sql: "PRAGMA table_list(genp)")
        guard described.contains(where: { $0["type"] == "table" }) else { return nil }
        guard !described.contains(where: { $0["wr"] == 1 }) else {
            throw LegacyStoreError.notALegacyStore("The keychain table has no row numbers.")
        }
        let columns = try db.columns(in: "genp")
        let names = Set(columns.map { $0.name.lowercased() })
        guard names.isSuperset(of: ["svce", "acct", "data"]) else { return nil }
        guard columns.allSatisfy(\.leavesRowNumbersAlone) else { return nil }
        accessGroup = names.contains("agrp") ? "agrp" : "NULL"
        services = RecordService.all.flatMap(\.names)
            .flatMap { [$0.databaseValue, Data($0.utf8).databaseValue] }
        let places = services.map { _ in "?" }.joined(separator: ",")
        let isSelected = FurtherServices.isCounting ? "NOT IN" : "IN"
        // The keychain keeps a deleted item for iCloud, and marks it in the column `tomb`.
        hasTombstones = names.contains("tomb")
        // The unary plus prevents SQLite from using an index. With an index, SQLite would have to sort the rows;
        // without an index, SQLite reads the rows in the order of their numbers.
        isOurs = "+svce \(isSelected) (\(places))\(hasTombstones ? " AND (tomb IS NULL OR tomb = 0)" : "")"
        selection = "SELECT rowid, svce, acct, data, \(accessGroup) FROM genp WHERE \(isOurs)"
    }

    /// Counts the items of the SDKs' services.
    func items(_ db: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM genp WHERE \(isOurs)"
        return try Int.fetchOne(db, sql: sql, arguments: StatementArguments(services)) ?? 0
    }

    /// Counts the deleted items of the SDKs' services.
    func deletedItems(_ db: Database) throws -> Int {
        guard hasTombstones else { return 0 }
        let places = services.map { _ in "?" }.joined(separator: ",")
        let sql = "SELECT COUNT(*) FROM genp WHERE svce IN (\(places)) AND tomb = 1"
        return try Int.fetchOne(db, sql: sql, arguments: StatementArguments(services)) ?? 0
    }

    /// While the items of all services are counted, adds the deleted items of other services to the findings.
    func countOtherDeletedItems(_ db: Database) throws {
        guard hasTombstones else { return }
        func short(_ column: String, _ size: Int) -> String {
            "CASE WHEN length(\(column)) <= \(size) THEN \(column) END"
        }
        let columns = [short("svce", 1024), short("acct", 4096), short("data", LegacyItem.largestValue)]
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM genp WHERE tomb = 1"
        do {
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                let name = (row[0] as DatabaseValue).text
                guard let service = name.flatMap(RecordService.init) else { continue }
                let payload = service.payload((row[2] as DatabaseValue).bytes)
                service.countDeleted(payload, under: (row[1] as DatabaseValue).text ?? "")
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
            // The table has a column with computed values, and one of these values is too large to measure. The
            // items before this value are counted.
        }
    }

    /// Counts the items with hashed names, like those in the system's own keychain database.
    func hashedItems(_ db: Database) throws -> HashedItems {
        var hashedItems = HashedItems()
        let sql = """
            SELECT svce, typeof(acct) = 'blob' AND length(acct) = 20,
            \(hasTombstones ? "coalesce(tomb = 1, 0)" : "0"), COUNT(*)
            FROM genp WHERE typeof(svce) = 'blob' AND length(svce) = 20 GROUP BY 1, 2, 3
            """
        do {
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                guard let hash = DumpedValue.data((row[0] as DatabaseValue).bytes).hash else { continue }
                let hasHashedKey: Bool = row[1]
                guard hasHashedKey || hashedItems.contains(hash) else { continue }
                hashedItems.add(hash, count: row[3], isDeleted: row[2])
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
            // The table has a column with computed values, and one of these values is too large to measure. The
            // system's own keychain has no such column.
        }
        return hashedItems
    }

    /// Returns one page of the items in the SDKs' services: at most `limit` items, starting at a row.
    ///
    /// Also returns the row at which the next page starts; `nil` if this is the last page.
    func page(_ db: Database, from row: Int64, limit: Int) throws -> (items: [LegacyItem], next: Int64?) {
        let range = [row.databaseValue, limit.databaseValue]
        do {
            let (items, isCut) = try items(db, "rowid >= ? ORDER BY rowid LIMIT ?", range)
            let mayGoOn = isCut || items.count == limit
            guard mayGoOn, case .row(let last)? = items.last?.position, last < .max else {
                return (items, nil)
            }
            return (items, last + 1)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
            // The page contains a value that is too large to read, so each row is read separately.
            let rows = try Int64.fetchAll(
                db,
                sql: "SELECT rowid FROM genp WHERE rowid >= ? ORDER BY rowid LIMIT ?",
                arguments: StatementArguments(range)
            )
            let next = rows.count == limit ? rows.last.flatMap { $0 < .max ? $0 + 1 : nil } : nil
            return (try rows.compactMap { try item(db, in: $0) }, next)
        }
    }

    func items(_ db: Database, in rows: some Collection<Int64>) throws -> [LegacyItem] {
        let places = rows.map { _ in "?" }.joined(separator: ",")
        return try items(db, "rowid IN (\(places))", rows.map(\.databaseValue), mayBeCut: false).items
    }

    /// Returns the items that match a clause.
    ///
    /// If `mayBeCut` is `true`, reading stops when the total size of the items exceeds `LegacyItem.largestValue`.
    /// `isCut` is then `true`, because there may be more items.
    private func items(
        _ db: Database,
        _ clause: String,
        _ arguments: [DatabaseValue],
        mayBeCut: Bool = true
    ) throws -> (items: [LegacyItem], isCut: Bool) {
        let statement = try db.cachedStatement(sql: "\(selection) AND \(clause)")
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(services + arguments))
        var (items, size): ([LegacyItem], Int) = ([], 0)
        while let row = try rows.next() {
            let item = LegacyItem(keychainRow: row)
            size += item.size
            items.append(item)
            if mayBeCut, size > LegacyItem.largestValue { return (items, true) }
        }
        return (items, false)
    }

    private func item(_ db: Database, in row: Int64) throws -> LegacyItem? {
        do {
            return try items(db, in: [row]).first
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
            return try emptyItem(db, in: row)
        }
    }

    /// Returns an item for a row whose value is too large to read; `nil` if the row is not an item of the SDKs, or
    /// if no column can be read.
    private func emptyItem(_ db: Database, in row: Int64) throws -> LegacyItem? {
        // The key is read first, because the key of an account is necessary to find the account's
        // credentials. If the key is too large as well, it is left out.
        for key in ["CASE WHEN length(acct) <= 4096 THEN acct END", "NULL"] {
            do {
                let name = try Row.fetchOne(
                    db,
                    sql:
                        "SELECT rowid, svce, \(key), NULL, \(accessGroup) FROM genp WHERE \(isOurs) AND rowid = ?",
                    arguments: StatementArguments(services + [row.databaseValue])
                )
                guard let item = name.map(LegacyItem.init(keychainRow:)) else { return nil }
                return LegacyItem(
                    position: .row(row),
                    service: item.service,
                    key: item.key.isEmpty ? "row \(row)" : item.key,
                    accessGroup: item.accessGroup,
                    payload: .tooLarge
                )
            } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
                continue
            }
        }
        return nil
    }
}

extension ColumnInfo {
    /// Whether `rowid` means the row number in a table with this column.
    fileprivate var leavesRowNumbersAlone: Bool {
        name.lowercased() != "rowid" || (primaryKeyIndex == 1 && type.uppercased() == "INTEGER")
    }
}

extension LegacyItem {
    /// Reads a row that has these columns: the row number, the service, the account key, the data and the
    /// access group.
    fileprivate init(keychainRow row: Row) {
        let service = (row[1] as DatabaseValue).text.flatMap(RecordService.init) ?? .legacy(.mechanism)
        let key = (row[2] as DatabaseValue).text ?? ""
        let payload = service.payload((row[3] as DatabaseValue).bytes)
        self.init(
            position: .row(row[0]),
            service: service.kind(of: payload, under: key),
            key: key,
            accessGroup: (row[4] as DatabaseValue).text.flatMap { $0.isEmpty ? nil : $0 },
            payload: payload
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

    // A number or `NULL` cannot be an archive. It is replaced with empty data, which is then reported as damaged.
    fileprivate var bytes: Data {
        switch storage {
        case .blob(let bytes): bytes
        case .string(let text): Data(text.utf8)
        case .int64, .double, .null: Data()
        }
    }
}
