import PushBridgeCore

/// A value that is one row of a table.
///
/// `write(to:)`, `init(from:)` and the table's column names have the same order.
protocol StoredRow {
    /// Where rows of this type are.
    static var table: Table { get }
    /// What names the row in errors and seals.
    var rowID: String { get }
    /// Binds all columns.
    func write(to row: inout RowWriter) throws(StoreError)
    /// Reads all columns.
    init(from row: inout RowReader) throws(StoreError)
}

/// A table's name and columns, and the statements every table has.
struct Table: Sendable {
    let name: String
    /// What a row is called in errors.
    let noun: String
    /// Inserts a row, or rewrites the one with the same key; its place in the order of recording stays.
    let save: Query
    /// The columns of all rows, to be narrowed and ordered.
    private let select: String

    /// Describes a table whose first column is its key.
    init(_ name: String, noun: String, columns: [String]) {
        self.name = name
        self.noun = noun
        let list = columns.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let changes = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        select = "SELECT \(list) FROM \(name) "
        save = Query(
            "INSERT INTO \(name) (\(list)) VALUES (\(marks)) ON CONFLICT (\(columns[0])) DO UPDATE SET \(changes)",
            on: name,
            as: "Saving a \(noun)"
        )
    }

    /// Reads rows; `rest` narrows and orders them.
    func query(_ rest: String) -> Query {
        Query(select + rest, on: name, as: "Reading a \(noun)")
    }

    /// Reads some columns of rows; `rest` narrows and orders them.
    func query(_ columns: [String], _ rest: String) -> Query {
        let list = columns.joined(separator: ", ")
        return Query("SELECT \(list) FROM \(name) " + rest, on: name, as: "Reading a \(noun)")
    }

    /// Removes rows; `rest` narrows them.
    func removal(_ rest: String) -> Query {
        Query("DELETE FROM \(name) " + rest, on: name, as: "Removing a \(noun)")
    }

    /// Counts what `rest` selects.
    func count(_ rest: String) -> Query {
        Query("SELECT COUNT(*) FROM (SELECT 1 FROM \(name) \(rest))", on: name, as: "Counting each \(noun)")
    }
}

/// A statement and what it is for; made once, and known by its identity.
final class Query: Sendable {
    let sql: String
    let table: String
    let operation: String

    init(_ sql: String, on table: String, as operation: String) {
        self.sql = sql
        self.table = table
        self.operation = operation
    }
}
