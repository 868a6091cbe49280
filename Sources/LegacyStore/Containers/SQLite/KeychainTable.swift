import Foundation
import GRDB

/// The table in which a keychain database holds generic passwords.
struct KeychainTable {
    /// Whether a row is of our services; its arguments are ``services``.
    ///
    /// Keychains hold names as text or as blobs. The unary plus keeps SQLite from sorting an index instead of
    /// walking the rows in their order.
    static let isOurs = "+svce IN (?, ?, ?, ?, ?, ?, ?, ?)"

    /// The names of our services, as text and as blobs.
    static let services: [DatabaseValue] = LegacyService.allCases.flatMap {
        [$0.rawValue.databaseValue, Data($0.rawValue.utf8).databaseValue]
    }

    /// Asks for rows of our services from a row on; its arguments are the row, ``services`` and how many.
    let query: String

    /// Finds the table, or answers `nil` if the database has none of this shape.
    init?(_ db: Database) throws {
        let hasTable = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'genp')"
        )
        guard hasTable == true else { return nil }
        let described = try db.columns(in: "genp")
        let columns = Set(described.map { $0.name.lowercased() })
        guard columns.isSuperset(of: ["svce", "acct", "data"]) else { return nil }
        guard described.allSatisfy(\.leavesRowNumbersAlone) else { return nil }
        let accessGroup = columns.contains("agrp") ? "agrp" : "NULL"
        query = """
            SELECT rowid, svce, acct, data, \(accessGroup) FROM genp
            WHERE rowid >= ? AND \(Self.isOurs) ORDER BY rowid LIMIT ?
            """
    }
}

extension ColumnInfo {
    /// Whether `rowid` still means the number of the row.
    fileprivate var leavesRowNumbersAlone: Bool {
        name.lowercased() != "rowid" || (primaryKeyIndex == 1 && type.uppercased() == "INTEGER")
    }
}
