import Foundation

/// A file that SQLite keeps beside a database, known by its name alone.
enum CompanionFile: String, CaseIterable {
    case log = "-wal"
    case index = "-shm"
    case journal = "-journal"

    /// Refuses a new file that would be taken for a part of a database, or would get one that is not its own.
    ///
    /// SQLite trusts the names alone: a file `a-wal` is replayed into any `a`.
    static func requireNone(at url: URL) throws(LegacyStoreError) {
        let name = url.lastPathComponent
        for companion in allCases {
            if name.lowercased().hasSuffix(companion.rawValue) {
                let base = String(name.dropLast(companion.rawValue.count))
                let database = url.deletingLastPathComponent().appendingPathComponent(base)
                guard base.isEmpty || !FileFault.exists(database) else {
                    throw .notWritable("\(name) would be taken for a part of the database \(base).")
                }
            }
            guard companion == .index || !FileFault.exists(companion.url(of: url)) else {
                throw .notWritable("\(name) would get \(name)\(companion.rawValue), which is another file's.")
            }
        }
    }

    /// Where it lies.
    func url(of database: URL) -> URL {
        database.deletingLastPathComponent().appendingPathComponent(database.lastPathComponent + rawValue)
    }
}
