import AuthenticatorCore
import GRDB
import GRDBSQLite

/// One transaction on a database.
///
/// Rows go through ``execute(_:record:bind:)`` and ``rows(_:bind:read:)`` only; these are the two doors where
/// SQLite's errors become the store's.
final class SQLiteView {
    private let db: Database
    private let sealer: Sealer
    private let isWriting: Bool

    init(_ db: Database, sealer: Sealer, isWriting: Bool) {
        self.db = db
        self.sealer = sealer
        self.isWriting = isWriting
    }

    /// Stores a row in place of the one with the same key.
    func save<Row: StoredRow>(row value: Row) throws {
        try execute(Row.table.save, record: value.rowID) { try value.write(to: &$0) }
    }

    /// Runs a statement that changes rows, and answers how many.
    @discardableResult
    func execute(
        _ query: Query,
        record: String = "",
        bind: (inout RowWriter) throws -> Void
    ) throws -> Int {
        let statement = try prepared(query, record: record, bind)
        try storing(query.operation) { try statement.execute() }
        return db.changesCount
    }

    /// The first row, if there is one.
    func first<Value: StoredRow>(
        _ query: Query,
        as type: Value.Type = Value.self,
        bind: (inout RowWriter) throws -> Void
    ) throws -> Value? {
        try first(query, bind: bind) { try Value(from: &$0) }
    }

    /// What `read` makes of the first row, if there is one.
    func first<Value>(
        _ query: Query,
        bind: (inout RowWriter) throws -> Void,
        read: (inout RowReader) throws -> Value
    ) throws -> Value? {
        let rows = RowCursor(try prepared(query, bind))
        return try withExtendedLifetime(rows) {
            guard try storing(query.operation, { try rows.next() }) != nil else { return nil }
            var reader = RowReader(rows._statement, table: query.table, sealer: sealer)
            return try read(&reader)
        }
    }

    /// Calls `body` with every row.
    ///
    /// While reading, rows are read as `body` asks for the next. While writing, all of them are read before
    /// the first call, because `body` may change the very rows that the statement walks along.
    func forEach<Value: StoredRow>(
        _ query: Query,
        bind: (inout RowWriter) throws -> Void = { _ in },
        _ body: (Value) throws -> Void
    ) throws {
        guard isWriting else { return try walk(query, bind: bind, body) }
        try all(query, bind: bind).forEach(body)
    }

    /// All rows.
    func all<Value: StoredRow>(_ query: Query, bind: (inout RowWriter) throws -> Void) throws -> [Value] {
        var values: [Value] = []
        try walk(query, bind: bind) { values.append($0) }
        return values
    }

    private func walk<Value: StoredRow>(
        _ query: Query,
        bind: (inout RowWriter) throws -> Void,
        _ body: (Value) throws -> Void
    ) throws {
        let rows = RowCursor(try prepared(query, bind))
        try withExtendedLifetime(rows) {
            while try storing(query.operation, { try rows.next() }) != nil {
                var reader = RowReader(rows._statement, table: query.table, sealer: sealer)
                try body(Value(from: &reader))
            }
        }
    }

    private func prepared(
        _ query: Query,
        record: String = "",
        _ bind: (inout RowWriter) throws -> Void
    ) throws -> Statement {
        let statement = try storing(query.operation) {
            let cached = try db.cachedStatement(sql: query.sql)
            // A walk that is under way further up the stack keeps its statement.
            guard sqlite3_stmt_busy(cached.sqliteStatement) == 0 else {
                return try db.makeStatement(sql: query.sql)
            }
            return cached
        }
        // Tells GRDB that binding is ours; also clears what was bound before.
        statement.setUncheckedArguments([])
        var writer = RowWriter(statement, table: query.table, record: record, sealer: sealer)
        try bind(&writer)
        return statement
    }
}
