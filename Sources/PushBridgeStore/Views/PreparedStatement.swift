import GRDB
import GRDBSQLite
import PushBridgeCore

/// A statement that is bound, stepped through and reset without GRDB.
///
/// GRDB checks arguments, looks for observers and makes a dictionary of column names at each execution, which costs
/// as much as finding the row.
final class PreparedStatement {
    let query: Query
    let handle: OpaquePointer
    /// Owns the handle.
    private let statement: Statement

    init(_ query: Query, _ statement: Statement) {
        self.query = query
        self.statement = statement
        handle = statement.sqliteStatement
    }

    /// Whether a walk that is under way uses the statement.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// How many rows the last statement that ended changed.
    var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

    /// Goes to the next row; `false` if there is none.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
            return try storing(query.operation) {
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
            }
        }
    }

    /// Lets go of the row and of what was bound.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}
