import Foundation
import GRDB

/// A consistent copy of a database, whatever lies in its write-ahead log.
enum SQLiteBackup {
    /// Writes the copy with mode 0600 while this process writes to the database; refuses a file that exists.
    static func write(_ url: URL, to backup: URL) throws {
        let copy = try StagedFile(backup)
        let source = try SQLiteConnection(besideWriter: url)
        try changing(backup) {
            let destination = try DatabaseQueue(path: copy.databasePath, configuration: .filling)
            try source.back(up: destination)
            try destination.close()
        }
        try copy.commit()
    }
}
