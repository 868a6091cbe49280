import Foundation
import GRDB
import GRDBSQLite
import PushBridgeCore

/// One transaction on a database.
///
/// Statements are bound and stepped through without GRDB, which checks arguments, looks for observers and makes a
/// dictionary of column names at each execution; that costs as much as finding the row. With GRDB's, receiving a push
/// takes 1.3 to 1.5 times as long, and listing 20 accounts 1.2 times.
final class SQLiteView {
    private let db: Database
    private let sealer: Sealer
    private let isWriting: Bool
    private var statements: [RecordStatement: PreparedStatement] = [:]
    /// Records that were put and not yet inserted, in order: groups that another thread seals, and the rest.
    private var groups: [RowGroup] = []
    private var rest: [any StoredRecord] = []

    init(_ db: Database, sealer: Sealer, isWriting: Bool) {
        self.db = db
        self.sealer = sealer
        self.isWriting = isWriting
    }

    /// Inserts what was put; to be called before the transaction ends.
    ///
    /// What cannot be inserted stays, so that it fails again: a transaction that ignores the error does not commit.
    func insertPutRecords() throws {
        while !groups.isEmpty { try insertFirstGroup() }
        for record in rest { try insert(try SealedRow(record, sealer)) }
        rest.removeAll()
    }

    private func insertFirstGroup() throws {
        for row in try groups[0].rows() { try insert(row) }
        groups.removeFirst()
    }

    private func insert(_ row: SealedRow) throws {
        let statement = try prepared(.put)
        defer { statement.reset() }
        var binder = Binder(statement: statement)
        try binder.bind(row.id.kind.rawValue)
        try binder.bind(row.id)
        try binder.bind(row.owner)
        try binder.bind(row.alias)
        try binder.bind(row.date)
        try binder.bind(row.isOpen ? 1 : 0)
        try binder.bind(row.form)
        while try statement.step() {}
    }

    private func walk(
        _ purpose: RecordStatement.Purpose,
        _ kind: RecordKind,
        _ query: RecordQuery,
        _ body: (borrowing Row) throws -> Void
    ) throws {
        let statement = try bound(purpose, kind, query)
        defer { statement.reset() }
        while try statement.step() { try body(Row(statement: statement)) }
    }

    private func bound(
        _ purpose: RecordStatement.Purpose,
        _ kind: RecordKind,
        _ query: RecordQuery
    ) throws -> PreparedStatement {
        try insertPutRecords()
        let statement = try prepared(RecordStatement(purpose, kind, query))
        var binder = Binder(statement: statement)
        if let id = query.id { try binder.bind(RowID(id, kind, sealer)) }
        if let owner = query.owner { try binder.bind(sealer.searchHash(of: owner, as: "owner")) }
        if let alias = query.alias { try binder.bind(sealer.searchHash(of: alias, as: "alias")) }
        if let dates = query.dates {
            try binder.bind(dates.lowerBound.timeIntervalSinceReferenceDate)
            try binder.bind(dates.upperBound.timeIntervalSinceReferenceDate)
        }
        if let limit = query.limit { try binder.bind(limit) }
        return statement
    }

    // The text of a statement is longer than hashing it for each row would be worth.
    private func prepared(_ key: RecordStatement) throws(StoreError) -> PreparedStatement {
        if let known = statements[key], !known.isBusy { return known }
        let sql = key.sql
        return try storing(key.operation) {
            let statement = PreparedStatement(key.operation, try db.cachedStatement(sql: sql))
            // A walk that is under way further up the stack keeps its statement.
            guard !statement.isBusy else {
                return PreparedStatement(key.operation, try db.makeStatement(sql: sql))
            }
            statement.reset()
            statements[key] = statement
            return statement
        }
    }

    private func read(_ kind: RecordKind, from row: borrowing Row) -> Result<any StoredRecord, StoreError> {
        let id = RowID(stored: row.array(0), kind)
        let columns = RowColumns(
            owner: row.optionalArray(2),
            alias: row.optionalArray(3),
            date: row.double(4),
            isOpen: row.int(5)
        )
        guard let bytes = sealer.open(row.array(1), from: columns.place(of: id, in: sealer.store)) else {
            let reason = "A \(kind.noun) does not open: it was moved, cut or changed."
            return .failure(StoreError(.damaged, record: id.text, reason: reason))
        }
        do {
            return .success(try CompactCoder.decode(kind.type, from: bytes))
        } catch {
            let reason = "A \(kind.noun) has an invalid form."
            return .failure(StoreError(.damaged, record: id.text, reason: reason))
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
        // While writing, all rows are read before the first call, because `body` may change the rows it walks along.
        var waiting: [any StoredRecord] = []
        try walk(.read, kind, query) { row in
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
        try walk(.readIDs, kind, query) { ids.append($0.text(0)) }
        return ids
    }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        var count = 0
        try walk(.count, kind, query) { count = $0.int(0) }
        return count
    }

    func put(_ record: any StoredRecord) throws {
        rest.append(record)
        guard rest.count == RowGroup.size else { return }
        groups.append(RowGroup(rest, sealer))
        rest.removeAll(keepingCapacity: true)
        // Some are sealed ahead, so that neither thread waits for the other.
        if groups.count > 8 { try insertFirstGroup() }
    }

    func remove(_ kind: RecordKind, where query: RecordQuery) throws -> Int {
        let statement = try bound(.remove, kind, query)
        defer { statement.reset() }
        while try statement.step() {}
        return statement.changes
    }
}

/// A statement, named by its purpose and its conditions; its SQL follows from these.
struct RecordStatement: Hashable {
    enum Purpose: Hashable {
        case read, readIDs, count, remove, put
    }

    /// Stores a record in place of the one with the same id, whose place in the order of storing stays.
    static let put = RecordStatement(.put, .account, .all)

    private let purpose: Purpose
    private let kind: RecordKind
    private let narrowing: UInt8

    init(_ purpose: Purpose, _ kind: RecordKind, _ query: RecordQuery) {
        self.purpose = purpose
        self.kind = kind
        let parts = [
            query.id != nil, query.owner != nil, query.alias != nil, query.dates != nil, query.openOnly,
            query.limit != nil,
        ]
        narrowing = parts.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }
    }

    var operation: String {
        switch purpose {
        case .read, .readIDs: "Reading a \(kind.noun)"
        case .count: "Counting each \(kind.noun)"
        case .remove: "Removing a \(kind.noun)"
        case .put: "Saving a record"
        }
    }

    var sql: String {
        switch purpose {
        case .read: "SELECT id, form, owner, alias, date, is_open FROM record \(selection)"
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

    private var isLimited: Bool { narrowing & 32 != 0 }

    private var condition: String {
        // The kind stands in the text, so that SQLite can use the index of one kind. Where all records are read in the
        // order of the table, the plus keeps SQLite from an index, and so from sorting them.
        let isScan = kind.isListedAsStored && narrowing & 31 == 0
        let conditions = ["id = ?", "owner = ?", "alias = ?", "date BETWEEN ? AND ?", "is_open = 1"]
            .enumerated()
            .filter { narrowing & 1 << UInt8($0.offset) != 0 }.map(\.element)
        return "WHERE "
            + (["\(isScan ? "+" : "")kind = \(kind.rawValue)"] + conditions).joined(separator: " AND ")
    }

    private var selection: String {
        let order = kind.isListedAsStored ? "sequence" : "date, id"
        return "\(condition) ORDER BY \(order)\(isLimited ? " LIMIT ?" : "")"
    }
}

/// A statement that is bound, stepped through and reset without GRDB.
private final class PreparedStatement {
    let operation: String
    let handle: OpaquePointer
    private let statement: Statement

    init(_ operation: String, _ statement: Statement) {
        self.operation = operation
        self.statement = statement
        handle = statement.sqliteStatement
    }

    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
            return try storing(operation) {
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
            }
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// The columns of the row that a statement is at; a column of another type reads as if it were empty.
private struct Row: ~Copyable {
    private let handle: OpaquePointer

    init(statement: PreparedStatement) {
        handle = statement.handle
    }

    func text(_ column: CInt) -> String { String(decoding: bytes(column), as: UTF8.self) }
    func array(_ column: CInt) -> [UInt8] { Array(bytes(column)) }
    func optionalArray(_ column: CInt) -> [UInt8]? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : array(column)
    }
    func double(_ column: CInt) -> Double { sqlite3_column_double(handle, column) }
    func int(_ column: CInt) -> Int { Int(sqlite3_column_int64(handle, column)) }

    private func bytes(_ column: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column),
            count: Int(sqlite3_column_bytes(handle, column))
        )
    }
}

/// Binds values to a statement from left to right.
///
/// Goes to SQLite directly, because GRDB ends a text at its first zero byte.
private struct Binder: ~Copyable {
    private let statement: PreparedStatement
    private var index: CInt = 0

    init(statement: PreparedStatement) {
        self.statement = statement
    }

    mutating func bind(_ id: RowID) throws(StoreError) {
        guard !id.kind.idIsPersonal else { return try bind(id.bytes) }
        let (handle, index) = next()
        let code = id.bytes.withUnsafeBytes { utf8 in
            // The buffer of an empty string may have no address, and no address is NULL.
            utf8.isEmpty
                ? sqlite3_bind_text(handle, index, "", 0, nil)
                : utf8.withMemoryRebound(to: CChar.self) { text in
                    sqlite3_bind_text(handle, index, text.baseAddress, CInt(text.count), copied)
                }
        }
        try check(code)
    }

    mutating func bind(_ number: Int) throws(StoreError) {
        let (handle, index) = next()
        try check(sqlite3_bind_int64(handle, index, Int64(number)))
    }

    mutating func bind(_ number: Double) throws(StoreError) {
        let (handle, index) = next()
        guard !number.isNaN else {
            throw StoreError(.failed, reason: "\(statement.operation) failed: a time is not a number.")
        }
        try check(sqlite3_bind_double(handle, index, number))
    }

    mutating func bind(_ data: (some ContiguousBytes)?) throws(StoreError) {
        let (handle, index) = next()
        guard let data else { return try check(sqlite3_bind_null(handle, index)) }
        try check(
            data.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob(handle, index, bytes.baseAddress, CInt(bytes.count), copied)
            }
        )
    }

    private mutating func next() -> (handle: OpaquePointer, index: CInt) {
        index += 1
        return (statement.handle, index)
    }

    private func check(_ code: CInt) throws(StoreError) {
        guard code == SQLITE_OK else {
            throw StoreError(.failed, reason: "\(statement.operation) failed: a value is too big.")
        }
    }
}

/// Tells SQLite to copy what it is given: C's `SQLITE_TRANSIENT`, which Swift does not import.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
