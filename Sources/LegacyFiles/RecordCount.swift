public import Foundation
import LegacyStore
import PushBridgeFiles
import PushBridgeStore

@_spi(PushBridgeTools) extension LegacyFile {
    /// Counts the records of a database, or the lines of a JSON lines file, for a progress display.
    ///
    /// Lines of other services are counted too, so the number may be greater than the number of records.
    /// - Parameter url: The file.
    /// - Returns: The number; `nil` if the file has another format, contains a single line, or cannot be read.
    public static func recordCount(of url: URL) -> Int? {
        do {
            let start = try ByteReader(url).prefix(16)
            if start.starts(with: Array("SQLite format 3\0".utf8)) {
                let database = try ReadOnlyDatabase(foreign: url, longestValue: LegacyItem.largestValue)
                return try database.read { db in try KeychainTable(db)?.items(db) }
            }
            guard start.first == UInt8(ascii: "{") else { return nil }
            // With the limit 0, the reader counts the lines without keeping their bytes.
            let lines = try ByteReader(url)
            var count = 0
            while try lines.line(limit: 0) != nil { count += 1 }
            // A JSON document consists of one object on one or more lines, so its lines are not records.
            return count > 1 && JSONLinesSource.isFirstLineWhole(url) ? count : nil
        } catch {
            return nil
        }
    }
}

extension JSONLinesSource {
    /// Returns whether the first line is a complete keychain item, as in JSON lines; `false` if the file cannot be
    /// read.
    fileprivate static func isFirstLineWhole(_ url: URL) -> Bool {
        do {
            return try begins(url)
        } catch {
            return false
        }
    }
}
