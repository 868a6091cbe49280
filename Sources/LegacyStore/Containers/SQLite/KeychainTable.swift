import Foundation
import GRDB

/// The table in which a keychain database holds generic passwords.
struct KeychainTable {
    // Keychains hold names as text or as blobs.
    private static let services: [DatabaseValue] = RecordService.all.flatMap {
        [$0.name.databaseValue, Data($0.name.utf8).databaseValue]
    }

    private let selection: String

    /// Finds the table, or answers `nil` if the database has none of this shape; refuses one whose rows have no
    /// numbers.
    init?(_ db: Database) throws {
        let hasTable = try Bool.fetchOne(
            db,
            sql:
                "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'genp' COLLATE NOCASE)"
        )
        guard hasTable == true else { return nil }
        let hasNoRowNumbers = try Row.fetchAll(db, sql: "PRAGMA table_list(genp)").contains { $0["wr"] == 1 }
        guard !hasNoRowNumbers else {
            throw LegacyStoreError.notALegacyStore("The keychain table is one without row numbers.")
        }
        let described = try db.columns(in: "genp")
        let columns = Set(described.map { $0.name.lowercased() })
        guard columns.isSuperset(of: ["svce", "acct", "data"]) else { return nil }
        guard described.allSatisfy(\.leavesRowNumbersAlone) else { return nil }
        let accessGroup = columns.contains("agrp") ? "agrp" : "NULL"
        // The unary plus keeps SQLite from sorting an index instead of walking the rows in their order.
        let places = Self.services.map { _ in "?" }.joined(separator: ",")
        selection = """
            SELECT rowid, svce, acct, data, \(accessGroup) FROM genp WHERE +svce IN (\(places))
            """
    }

    /// The items of our services from a row on, at most `limit` of them.
    func items(_ db: Database, from row: Int64, limit: Int) throws -> [LegacyItem] {
        let arguments = [row.databaseValue, limit.databaseValue]
        return try items(db, "rowid >= ? ORDER BY rowid LIMIT ?", arguments)
    }

    /// The items of our services that lie in these rows.
    func items(_ db: Database, in rows: some Collection<Int64>) throws -> [LegacyItem] {
        let places = rows.map { _ in "?" }.joined(separator: ",")
        return try items(db, "rowid IN (\(places))", rows.map(\.databaseValue))
    }

    private func items(_ db: Database, _ clause: String, _ arguments: [DatabaseValue]) throws -> [LegacyItem]
    {
        let statement = try db.cachedStatement(sql: "\(selection) AND \(clause)")
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(Self.services + arguments))
        return try Array(rows.map(LegacyItem.init(keychainRow:)))
    }
}

extension ColumnInfo {
    /// Whether `rowid` still means the number of the row.
    fileprivate var leavesRowNumbersAlone: Bool {
        name.lowercased() != "rowid" || (primaryKeyIndex == 1 && type.uppercased() == "INTEGER")
    }
}
