import GRDB
import GRDBSQLite

/// Steps through the rows of a bound statement; a ``RowReader`` reads them.
///
/// GRDB's own cursor makes a dictionary of column names each time, which costs as much as finding the row. Keep
/// the cursor alive while a row is read: it resets the statement when it goes, and the columns with it.
final class RowCursor: DatabaseCursor {
    typealias Element = Void

    var _isDone = false
    let _statement: Statement

    init(_ statement: Statement) {
        _statement = statement
    }

    deinit { sqlite3_reset(_statement.sqliteStatement) }

    func _element(sqliteStatement: SQLiteStatement) {}
}
