import Foundation
import GRDBSQLite
import PushBridgeCore

/// Binds the values of one row to a statement, column by column.
///
/// Goes to SQLite directly, because GRDB ends a text at its first zero byte.
struct RowWriter: ~Copyable {
    private let statement: OpaquePointer
    private let sealer: Sealer
    private let table: String
    private let record: String
    private var index: CInt = 0

    init(_ statement: OpaquePointer, table: String, record: String, sealer: Sealer) {
        self.statement = statement
        self.table = table
        self.record = record
        self.sealer = sealer
    }

    mutating func write(_ text: String?) throws(StoreError) {
        guard var text else { return try writeNull() }
        let index = advance()
        // The buffer of an empty string may have no address, and no address is NULL.
        let code = text.withUTF8 { utf8 in
            utf8.isEmpty
                ? sqlite3_bind_text(statement, index, "", 0, nil)
                : utf8.withMemoryRebound(to: CChar.self) { text in
                    sqlite3_bind_text(statement, index, text.baseAddress, CInt(text.count), copied)
                }
        }
        try check(code)
    }

    mutating func write(_ number: Int?) throws(StoreError) {
        guard let number else { return try writeNull() }
        try check(sqlite3_bind_int64(statement, advance(), Int64(number)))
    }

    mutating func write(_ flag: Bool) throws(StoreError) {
        try check(sqlite3_bind_int64(statement, advance(), flag ? 1 : 0))
    }

    mutating func write(_ number: Double?) throws(StoreError) {
        guard let number else { return try writeNull() }
        guard !number.isNaN else {
            throw StoreError(.failed, record: record, reason: "A time for \(table) is not a number.")
        }
        try check(sqlite3_bind_double(statement, advance(), number))
    }

    /// Writes seconds since 2001, which is what a `Date` holds: counted from 1970, some dates would change
    /// in their last bit.
    mutating func write(_ date: Date?) throws(StoreError) {
        try write(date?.timeIntervalSinceReferenceDate)
    }

    mutating func write(_ data: Data) throws(StoreError) {
        let index = advance()
        try check(
            data.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes.baseAddress, CInt(bytes.count), copied)
            }
        )
    }

    /// Writes bytes so that they can be read in this column of this row only.
    mutating func write(sealing bytes: some DataProtocol, as column: String) throws(StoreError) {
        try write(try sealer.seal(bytes, for: SealedPlace(table: table, column: column, row: record)))
    }

    mutating func write(sealing secret: SharedSecret?, as column: String) throws(StoreError) {
        guard let secret else { return try writeNull() }
        let place = SealedPlace(table: table, column: column, row: record)
        let sealed = secret.withUnsafeBytes { bytes in
            Result { () throws(StoreError) in try sealer.seal(bytes, for: place) }
        }
        try write(try sealed.get())
    }

    private mutating func writeNull() throws(StoreError) {
        try check(sqlite3_bind_null(statement, advance()))
    }

    private mutating func advance() -> CInt {
        index += 1
        return index
    }

    private func check(_ code: CInt) throws(StoreError) {
        guard code == SQLITE_OK else {
            throw StoreError(.failed, record: record, reason: "A value is too big for \(table).")
        }
    }
}

/// Tells SQLite to copy what it is given: C's `SQLITE_TRANSIENT`, which Swift does not import.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
