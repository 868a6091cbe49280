import Foundation
import GRDB
public import PushBridgeCore

/// A fleet's events in a temporary database, which runs the SQL that `fleet --sql sqlite` prints.
public final class FleetDatabase {
    /// One row of a query's result; the keys are the JSON names of its columns.
    public typealias Row = [String: JSONValue]

    /// How many lines were read, and how many of them were skipped.
    public struct Lines: Equatable, Sendable {
        /// The number of non-empty lines.
        public internal(set) var all = 0
        /// The number of lines that are not events.
        public internal(set) var damaged = 0
        /// The number of events in a format that this version does not support.
        public internal(set) var newer = 0
        /// The files and line numbers of the first skipped lines, such as `events.jsonl, line 17`.
        public internal(set) var places: [String] = []

        /// The number of skipped lines.
        public var unread: Int { damaged + newer }
    }

    private static let batch = 50_000
    private let queue: DatabaseQueue
    private var pending: [(file: String, number: Int, line: String)] = []
    /// The counts of the lines read so far.
    public private(set) var lines = Lines()

    /// Creates an empty database in memory; SQLite uses a temporary file only if the database exceeds the cache.
    /// - Throws: The database's error.
    public init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(
                sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000"
            )
        }
        // With an empty path, SQLite creates a temporary database.
        queue = try DatabaseQueue(path: "", configuration: configuration)
        try queue.write { db in try db.execute(sql: FleetDialect.sqlite.schema) }
    }

    /// Adds the events of a file.
    /// - Parameters:
    ///   - source: The lines of the file.
    ///   - name: The file's name for messages.
    ///   - progress: Called occasionally with the number of lines read so far from all files.
    /// - Throws: ``CommandFailure`` if the file cannot be read, and the database's errors.
    public func add(_ source: FleetLines, named name: String, progress: (Int) -> Void = { _ in }) throws {
        try source.forEach { number, line in
            try add(line, number: number, of: name)
            if pending.isEmpty { progress(lines.all) }
        }
    }

    /// Adds one line of a file of events.
    /// - Parameters:
    ///   - line: The text of the line.
    ///   - number: The line's number in its file.
    ///   - file: The name of the file.
    /// - Throws: The database's error.
    public func add(_ line: String, number: Int, of file: String) throws {
        pending.append((file, number, line))
        if pending.count >= Self.batch { try load() }
    }

    private func load() throws {
        guard !pending.isEmpty else { return }
        try queue.write { db in
            let insert = try db.makeStatement(sql: "INSERT INTO lines VALUES (?, ?, ?)")
            for line in pending { try insert.execute(arguments: [line.file, line.number, line.line]) }
            try db.execute(sql: FleetDialect.sqlite.load)
            let unread = try GRDB.Row.fetchAll(
                db,
                sql:
                    "SELECT file, number, form FROM checked_lines WHERE form IN ('newer', 'damaged') ORDER BY number"
            )
            for row in unread {
                if row["form"] == "newer" { lines.newer += 1 } else { lines.damaged += 1 }
                if lines.places.count < 5 {
                    lines.places.append("\(row["file"] as String), line \(row["number"] as Int)")
                }
            }
            try db.execute(sql: "DELETE FROM lines")
        }
        lines.all += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Runs all queries on the lines read so far.
    /// - Returns: The rows of each query.
    /// - Throws: The database's error.
    public func answers() throws -> [FleetQuery: [Row]] {
        try load()
        return try queue.write { db in
            try db.execute(sql: FleetQuery.attempts)
            return try Dictionary(
                uniqueKeysWithValues: FleetQuery.allCases.map { query in
                    (query, try Self.rows(of: query, in: db))
                }
            )
        }
    }

    private static func rows(of query: FleetQuery, in db: Database) throws -> [Row] {
        let statement = try db.makeStatement(sql: query.sql)
        let names = statement.columnNames.map(FleetQuery.camelCase)
        let rows = try GRDB.Row.fetchCursor(statement)
        return try Array(
            rows.map { row in Row(uniqueKeysWithValues: zip(names, row.databaseValues.map(\.json))) }
        )
    }
}

extension DatabaseValue {
    fileprivate var json: JSONValue {
        switch storage {
        case .int64(let number): .integer(Int(number))
        case .string(let text): .string(text)
        case .double(let number): .number(number)
        case .blob, .null: .null
        }
    }
}
