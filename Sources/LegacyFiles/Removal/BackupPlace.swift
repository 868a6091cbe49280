import Foundation
import LegacyStore
import PushBridgeFiles

/// Checks the place of a backup before a removal changes anything.
enum BackupPlace {
    /// Throws if the store cannot be written, if the backup would replace it, or if SQLite would confuse the backup
    /// with a file of a database.
    static func check(_ backup: URL, of store: URL) throws(LegacyStoreError) {
        let name = backup.relativePath
        let (one, other) = try reading(store) {
            (try FileStatus(path: backup.path), try FileStatus(of: store))
        }
        guard one?.isSameFile(as: other) != true else {
            throw .notWritable("The backup \(name) would replace the store itself.")
        }
        if let conflict = CompanionFile.conflict(at: backup) { throw .notWritable(conflict) }
        let file = store.resolvingSymlinksInPath()
        for place in [file, file.deletingLastPathComponent()] {
            try writing(store) {
                try SystemFailure.check(access(place.path, W_OK))
            }
        }
    }
}
