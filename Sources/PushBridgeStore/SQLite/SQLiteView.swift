import Foundation
import GRDB
import PushBridgeCore

/// One transaction on a database.
final class SQLiteView {
    private let db: Database
    private let sealer: Sealer
    private let isWriting: Bool
    /// The statements whose rows are being read.
    private var inUse: Set<RecordStatement> = []

    init(_ db: Database, sealer: Sealer, isWriting: Bool) {
        self.db = db
        self.sealer = sealer
        self.isWriting = isWriting
    }

    private func arguments(_ kind: RecordKind, _ query: RecordQuery) -> StatementArguments {
        var arguments: [DatabaseValue?] = []
        if let id = query.id { arguments.append(RowID(id, kind, sealer).databaseValue) }
        if let owner = query.owner {
            arguments.append(sealer.searchHash(of: owner, as: "owner").databaseValue)
        }
        if let alias = query.alias {
            arguments.append(sealer.searchHash(of: alias, as: "alias").databaseValue)
        }
        if let dates = query.dates {
            arguments += [dates.lowerBound, dates.upperBound].map {
                $0.timeIntervalSinceReferenceDate.databaseValue
            }
        }
        if let limit = query.limit { arguments.append(limit.databaseValue) }
        return StatementArguments(arguments)
    }

    private func forEachRow(
        _ statement: RecordStatement,
        _ query: RecordQuery,
        _ body: (Row) throws -> Void
    ) throws {
        let rows = try storing(statement.operation) {
            // `body` may run the same query, and a statement cannot be executed twice at the same time. So
            // the second run has its own statement.
            let isFree = inUse.insert(statement).inserted
            let prepared =
                try isFree ? db.cachedStatement(sql: statement.sql) : db.makeStatement(sql: statement.sql)
            return (
                cursor: try Row.fetchCursor(prepared, arguments: arguments(statement.kind, query)),
                isFree: isFree
            )
        }
        defer { if rows.isFree { inUse.remove(statement) } }
        while let row = try storing(statement.operation, { try rows.cursor.next() }) { try body(row) }
    }

    private func execute(_ statement: RecordStatement, _ arguments: StatementArguments) throws(StoreError) {
        try storing(statement.operation) {
            try db.cachedStatement(sql: statement.sql).execute(arguments: arguments)
        }
    }

    private func read(_ kind: RecordKind, from row: Row) -> Result<any StoredRecord, StoreError> {
        guard let row = SealedRow(row, kind), let bytes = row.opened(by: sealer) else {
            let id = RowID(row[0], kind)?.text
            let reason = "The \(kind.noun) cannot be decrypted: it was moved, truncated or changed."
            return .failure(StoreError(.damaged, record: id, reason: reason))
        }
        do {
            return .success(try CompactCoder.decode(kind.type, from: bytes))
        } catch is NewerForm {
            return .failure(.newerForm(kind, row.id.text))
        } catch {
            let reason = "The \(kind.noun) has an invalid form."
            return .failure(StoreError(.damaged, record: row.id.text, reason: reason))
        }
    }
}

extension SQLiteView: CredentialWriting {
    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        var unreadable: [StoreError] = []
        // In a write transaction, all rows are read before the first call, because `body` may change them.
        var waiting: [any StoredRecord] = []
        try forEachRow(RecordStatement(.read, kind, query), query) { row in
            switch read(kind, from: row) {
            case .success(let record) where isWriting: waiting.append(record)
            case .success(let record): try body(record)
            case .failure(let error): unreadable.append(error)
            }
        }
        try waiting.forEach(body)
        return unreadable
    }

    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        var ids: [String] = []
        guard !kind.idIsPersonal else {
            let unreadable = try forEach(kind, where: query) { ids.append($0.recordIndex.id) }
            return ids + unreadable.compactMap(\.record)
        }
        try forEachRow(RecordStatement(.readIDs, kind, query), query) { row in
            if let id = RowID(row[0], kind) { ids.append(id.text) }
        }
        return ids
    }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        var count = 0
        try forEachRow(RecordStatement(.count, kind, query), query) { count = $0[0] }
        return count
    }

    func put(_ record: any StoredRecord) throws {
        try execute(.put, try SealedRow(record, sealer).arguments)
    }

    func remove(_ kind: RecordKind, where query: RecordQuery) throws -> Int {
        try execute(RecordStatement(.remove, kind, query), arguments(kind, query))
        return db.changesCount
    }
}

/// An SQL statement for records of one kind.
///
/// The purpose, the kind and the conditions identify the statement and determine its SQL.
struct RecordStatement: Hashable {
    enum Purpose: Hashable {
        case read, readIDs, count, remove, put
    }

    /// The statement that stores a record.
    ///
    /// If there is a record with the same id, the statement replaces it at its position.
    static let put = RecordStatement(.put, .account, .all)

    let kind: RecordKind
    private let purpose: Purpose
    private let conditions: [String]
    private let isLimited: Bool

    init(_ purpose: Purpose, _ kind: RecordKind, _ query: RecordQuery) {
        self.purpose = purpose
        self.kind = kind
        isLimited = query.limit != nil
        conditions = [
            query.id.map { _ in "id = ?" }, query.owner.map { _ in "owner = ?" },
            query.alias.map { _ in "alias = ?" }, query.dates.map { _ in "date BETWEEN ? AND ?" },
            query.openOnly ? "is_open = 1" : nil,
        ].compactMap(\.self)
    }

    var operation: String {
        switch purpose {
        case .read, .readIDs: "Reading records of the kind “\(kind.noun)”"
        case .count: "Counting the records of the kind “\(kind.noun)”"
        case .remove: "Removing records of the kind “\(kind.noun)”"
        case .put: "Saving a record"
        }
    }

    var sql: String {
        switch purpose {
        case .read: "SELECT id, owner, alias, date, is_open, form FROM record \(selection)"
        case .readIDs: "SELECT id FROM record \(selection)"
        case .count: "SELECT COUNT(*) FROM (SELECT 1 FROM record \(isLimited ? selection : condition))"
        case .remove:
            isLimited
                ? "DELETE FROM record WHERE sequence IN (SELECT sequence FROM record \(selection))"
                : "DELETE FROM record \(condition)"
        case .put:
            """
            INSERT INTO record (kind, id, owner, alias, date, is_open, form) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, alias = excluded.alias,
            date = excluded.date, is_open = excluded.is_open, form = excluded.form
            """
        }
    }

    private var condition: String {
        // The SQL contains the kind, so that SQLite can use an index for one kind. When all records are read
        // in the order of the table, the unary plus prevents SQLite from using an index; with an index,
        // SQLite would have to sort the records afterwards.
        let isScan = kind.isListedAsStored && conditions.isEmpty
        return "WHERE "
            + (["\(isScan ? "+" : "")kind = \(kind.rawValue)"] + conditions).joined(separator: " AND ")
    }

    private var selection: String {
        let order = kind.isListedAsStored ? "sequence" : "date, id"
        return "\(condition) ORDER BY \(order)\(isLimited ? " LIMIT ?" : "")"
    }
}
