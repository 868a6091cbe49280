package import Foundation

/// A file that SQLite creates beside a database; only its name connects it with the database.
package enum CompanionFile: String, CaseIterable {
    case log = "-wal"
    case index = "-shm"
    case journal = "-journal"

    package func url(of database: URL) -> URL {
        URL(fileURLWithPath: database.path + rawValue)
    }

    /// Returns why SQLite would confuse a new file with the files of a database; `nil` if there is no
    /// conflict.
    ///
    /// A conflict means that the new file would be used as a companion of an existing database, or that an
    /// existing file would be used as a companion of the new file. SQLite considers only names: it applies a
    /// log `a-wal` to any database `a`.
    package static func conflict(at url: URL) -> String? {
        let name = url.lastPathComponent
        for companion in allCases {
            if name.lowercased().hasSuffix(companion.rawValue) {
                let base = String(name.dropLast(companion.rawValue.count))
                let database = url.deletingLastPathComponent().appendingPathComponent(base)
                if !base.isEmpty, FileStatus.isTaken(database) {
                    return "SQLite would use \(name) as part of the database \(base)."
                }
            }
            if companion != .index, FileStatus.isTaken(companion.url(of: url)) {
                return "SQLite would use the file \(name)\(companion.rawValue) together with \(name)."
            }
        }
        return nil
    }
}
