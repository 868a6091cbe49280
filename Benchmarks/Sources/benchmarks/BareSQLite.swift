import Foundation
import GRDBSQLite

/// Copies the rows of a SQLite store with SQLite's C interface: the minimum work of any migration of the store.
struct BareSQLite {
    let source: URL
    let destination: URL

    func run() throws {
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.clear(destination.path + suffix)
        }
        var input: OpaquePointer?
        var output: OpaquePointer?
        defer {
            sqlite3_close(input)
            sqlite3_close(output)
        }
        try check(sqlite3_open_v2(source.path, &input, SQLITE_OPEN_READONLY, nil))
        try check(sqlite3_open(destination.path, &output))
        try execute("PRAGMA journal_mode=WAL", output)
        try execute("PRAGMA synchronous=FULL", output)
        try execute("CREATE TABLE copy(id INTEGER PRIMARY KEY, svce TEXT, acct TEXT, data BLOB)", output)
        try execute("BEGIN", output)
        try copyRows(from: input, to: output)
        try execute("COMMIT", output)
    }

    private func copyRows(from input: OpaquePointer?, to output: OpaquePointer?) throws {
        var select: OpaquePointer?
        var insert: OpaquePointer?
        defer {
            sqlite3_finalize(select)
            sqlite3_finalize(insert)
        }
        try check(sqlite3_prepare_v2(input, "SELECT svce, acct, data FROM genp", -1, &select, nil))
        let sql = "INSERT INTO copy(svce, acct, data) VALUES (?, ?, ?)"
        try check(sqlite3_prepare_v2(output, sql, -1, &insert, nil))
        while sqlite3_step(select) == SQLITE_ROW {
            for column in 0..<3 as Range<Int32> {
                sqlite3_bind_value(insert, column + 1, sqlite3_column_value(select, column))
            }
            guard sqlite3_step(insert) == SQLITE_DONE else {
                throw ChildProcess.Failure(description: "SQLite did not insert a row.")
            }
            sqlite3_reset(insert)
        }
    }

    private func execute(_ sql: String, _ database: OpaquePointer?) throws {
        try check(sqlite3_exec(database, sql, nil, nil, nil))
    }

    private func check(_ status: Int32) throws {
        guard status == SQLITE_OK else {
            throw ChildProcess.Failure(description: "SQLite returned the status \(status).")
        }
    }
}
