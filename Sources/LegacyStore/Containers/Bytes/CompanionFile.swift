import Foundation

/// A file that SQLite keeps beside a database, known by its name alone.
enum CompanionFile: String, CaseIterable {
    case log = "-wal"
    case index = "-shm"
    case journal = "-journal"

    /// Where it lies.
    func url(of database: URL) -> URL {
        database.deletingLastPathComponent().appendingPathComponent(database.lastPathComponent + rawValue)
    }
}
