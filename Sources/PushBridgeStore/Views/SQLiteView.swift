import GRDB
import PushBridgeCore

/// One transaction on a database.
///
/// Every statement is prepared by ``bound(_:record:_:)`` and run by ``PreparedStatement/step()``; these are the two
/// doors where SQLite's errors become the store's.
final class SQLiteView {
    private let db: Database
    private let sealer: Sealer
    private let isWriting: Bool
    private var statements: [ObjectIdentifier: PreparedStatement] = [:]

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
        let statement = try bound(query, record: record, bind)
        defer { statement.reset() }
        while try statement.step() {}
        return statement.changes
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
        let statement = try bound(query, bind)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        var reader = RowReader(statement.handle, table: query.table, sealer: sealer)
        return try read(&reader)
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
        guard isWriting else { return try walk(query, bind: bind) { try body(Value(from: &$0)) } }
        try all(query, bind: bind).forEach(body)
    }

    /// All rows.
    func all<Value: StoredRow>(_ query: Query, bind: (inout RowWriter) throws -> Void) throws -> [Value] {
        try all(query, bind: bind) { try Value(from: &$0) }
    }

    /// What `read` makes of all rows.
    func all<Value>(
        _ query: Query,
        bind: (inout RowWriter) throws -> Void = { _ in },
        read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try walk(query, bind: bind) { values.append(try read(&$0)) }
        return values
    }

    private func walk(
        _ query: Query,
        bind: (inout RowWriter) throws -> Void,
        _ body: (inout RowReader) throws -> Void
    ) throws {
        let statement = try bound(query, bind)
        defer { statement.reset() }
        while try statement.step() {
            var reader = RowReader(statement.handle, table: query.table, sealer: sealer)
            try body(&reader)
        }
    }

    /// A statement of this query with its values; to be reset after use.
    private func bound(
        _ query: Query,
        record: String = "",
        _ bind: (inout RowWriter) throws -> Void
    ) throws -> PreparedStatement {
        let statement = try prepared(query)
        var writer = RowWriter(statement.handle, table: query.table, record: record, sealer: sealer)
        do {
            try bind(&writer)
        } catch {
            statement.reset()
            throw error
        }
        return statement
    }

    // The text of a statement is longer than hashing it for each row would be worth.
    private func prepared(_ query: Query) throws(StoreError) -> PreparedStatement {
        if let known = statements[ObjectIdentifier(query)], !known.isBusy { return known }
        return try storing(query.operation) {
            let statement = PreparedStatement(query, try db.cachedStatement(sql: query.sql))
            // A walk that is under way further up the stack keeps its statement.
            guard !statement.isBusy else {
                return PreparedStatement(query, try db.makeStatement(sql: query.sql))
            }
            statement.reset()
            statements[ObjectIdentifier(query)] = statement
            return statement
        }
    }
}
