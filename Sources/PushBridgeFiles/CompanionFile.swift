package import Foundation

/// A file that SQLite keeps beside a database, known by its name alone.
package enum CompanionFile: String, CaseIterable {
    case log = "-wal"
    case index = "-shm"
    case journal = "-journal"

    package func url(of database: URL) -> URL {
        URL(fileURLWithPath: database.path + rawValue)
    }

    /// Why a new file would be taken for a part of a database, or would get one that is not its own; else `nil`.
    ///
    /// SQLite trusts the names alone: a file `a-wal` is replayed into any `a`.
    package static func conflict(at url: URL) -> String? {
        let name = url.lastPathComponent
        for companion in allCases {
            if name.lowercased().hasSuffix(companion.rawValue) {
                let base = String(name.dropLast(companion.rawValue.count))
                let database = url.deletingLastPathComponent().appendingPathComponent(base)
                if !base.isEmpty, FileStatus.isTaken(database) {
                    return "\(name) would be taken for a part of the database \(base)."
                }
            }
            if companion != .index, FileStatus.isTaken(companion.url(of: url)) {
                return "\(name) would get \(name)\(companion.rawValue), which is another file's."
            }
        }
        return nil
    }
}
