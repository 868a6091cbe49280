import Foundation

/// How a database keeps changes that are not in its file yet.
struct SQLiteJournal {
    /// Whether it uses a write-ahead log.
    let isWriteAhead: Bool
    /// What to open so that nothing is created beside the database if that can be avoided.
    let pathForReading: String
    /// The index of the write-ahead log that a reader will make and nobody will clear away.
    let index: URL?

    init(of url: URL) throws(LegacyStoreError) {
        isWriteAhead = try Self.usesWriteAheadLog(url)
        let hasLog = FileManager.default.fileExists(atPath: url.path + "-wal")
        let hasIndex = FileManager.default.fileExists(atPath: url.path + "-shm")
        index = isWriteAhead && hasLog && !hasIndex ? URL(fileURLWithPath: url.path + "-shm") : nil
        pathForReading = isWriteAhead && !hasLog ? Self.immutable(url) : url.path
    }

    // Bytes 18 and 19 of the header are 2 in a database with a write-ahead log.
    private static func usesWriteAheadLog(_ url: URL) throws(LegacyStoreError) -> Bool {
        let header = try ByteReader(url).prefix(20)
        return header.count == 20 && header[18] == 2 && header[19] == 2
    }

    // Tells SQLite that nobody else writes, so that it needs neither log nor index.
    private static func immutable(_ url: URL) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        let path = url.path.addingPercentEncoding(withAllowedCharacters: allowed)
        return path.map { "file://\($0)?immutable=1" } ?? url.path
    }
}
