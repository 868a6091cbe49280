import Foundation
import GRDBSQLite
import PushBridgeCore

/// Reads the columns of one row from left to right; a value of the wrong kind is damage, never a trap.
struct RowReader: ~Copyable {
    /// The row's id, once it was read; named in errors and needed to open seals.
    var record: String?
    private let statement: OpaquePointer
    private let sealer: Sealer
    private let table: String
    private var index: CInt = -1

    init(_ statement: OpaquePointer, table: String, sealer: Sealer) {
        self.statement = statement
        self.table = table
        self.sealer = sealer
    }

    mutating func optionalText() throws(StoreError) -> String? {
        guard try advance(expecting: SQLITE_TEXT) else { return nil }
        guard let text = sqlite3_column_text(statement, index) else { throw damage }
        let utf8 = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, index)))
        return String(decoding: utf8, as: UTF8.self)
    }

    mutating func text() throws(StoreError) -> String { try present(optionalText()) }

    mutating func optionalInt() throws(StoreError) -> Int? {
        guard try advance(expecting: SQLITE_INTEGER) else { return nil }
        return try present(Int(exactly: sqlite3_column_int64(statement, index)))
    }

    mutating func int() throws(StoreError) -> Int { try present(optionalInt()) }

    mutating func bool() throws(StoreError) -> Bool { try int() != 0 }

    mutating func optionalDouble() throws(StoreError) -> Double? {
        guard try advance(expecting: SQLITE_FLOAT) else { return nil }
        return sqlite3_column_double(statement, index)
    }

    mutating func optionalDate() throws(StoreError) -> Date? {
        try optionalDouble().map(Date.init(timeIntervalSinceReferenceDate:))
    }

    mutating func date() throws(StoreError) -> Date { try present(optionalDate()) }

    mutating func optionalData() throws(StoreError) -> Data? {
        guard try advance(expecting: SQLITE_BLOB) else { return nil }
        guard let bytes = sqlite3_column_blob(statement, index) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, index)))
    }

    mutating func data() throws(StoreError) -> Data { try present(optionalData()) }

    /// Opens the sealed bytes of a column.
    mutating func opened(_ column: String) throws(StoreError) -> Data { try present(optionalOpened(column)) }

    mutating func optionalSecret(_ column: String) throws(StoreError) -> SharedSecret? {
        guard var bytes = try optionalOpened(column) else { return nil }
        defer { bytes.resetBytes(in: bytes.indices) }
        return try present(SharedSecret(bytes: bytes))
    }

    mutating func secret(_ column: String) throws(StoreError) -> SharedSecret {
        try present(optionalSecret(column))
    }

    /// Reads the name of a case.
    mutating func name<Name: RawRepresentable<String>>(
        of type: Name.Type = Name.self
    ) throws(StoreError) -> Name {
        try present(Name(rawValue: text()))
    }

    /// What the columns must have, or damage.
    func present<Value>(_ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw damage }
        return value
    }

    private mutating func optionalOpened(_ column: String) throws(StoreError) -> Data? {
        guard let sealed = try optionalData() else { return nil }
        return try sealer.open(sealed, from: SealedPlace(table: table, column: column, row: record ?? ""))
    }

    private mutating func advance(expecting type: CInt) throws(StoreError) -> Bool {
        index += 1
        let found = sqlite3_column_type(statement, index)
        guard found == type || found == SQLITE_NULL else { throw damage }
        return found == type
    }

    private var damage: StoreError {
        let column = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "a value"
        return StoreError(.damaged, record: record, reason: "\(column) in \(table) makes no sense.")
    }
}
