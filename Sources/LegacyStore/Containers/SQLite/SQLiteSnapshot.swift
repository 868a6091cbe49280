import Foundation
import GRDB

/// A private copy of a database and its write-ahead log, for reading.
///
/// SQLite makes an index beside a log that has none, and clearing that away could take it from another program
/// that came to use it. So the two are copied where nobody looks, and the names of the copies are gone as soon
/// as SQLite has opened them: nothing with secrets in it outlives the process.
struct SQLiteSnapshot {
    private let database: URL
    private var log: URL { CompanionFile.log.url(of: database) }

    /// Will copy the database at this place, which is no symbolic link.
    init(of database: URL) {
        self.database = database
    }

    /// Opens a copy; `nil` if the database was opened or changed while it was copied.
    func open() throws(LegacyStoreError) -> DatabaseQueue? {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        guard try fill(folder) else { return nil }
        return try querying(database) {
            try DatabaseQueue.reading(folder.url.appendingPathComponent("copy").path)
        }
    }

    private func fill(_ folder: PrivateFolder) throws(LegacyStoreError) -> Bool {
        do {
            let before = try stamps()
            try folder.copy(database, as: "copy")
            try folder.copy(log, as: "copy" + CompanionFile.log.rawValue)
            // Whoever opens the database makes an index first.
            return try stamps() == before && !FileFault.exists(CompanionFile.index.url(of: database))
        } catch {
            guard FileFault.exists(log) else { return false }
            throw error
        }
    }

    private func stamps() throws(LegacyStoreError) -> [FileStamp] {
        [try FileStamp.reading(database), try FileStamp.reading(log)]
    }
}
