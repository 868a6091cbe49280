import Foundation
import LegacyStore
import PushBridgeFiles

/// Checks the place of a backup before a removal changes anything.
enum BackupPlace {
    /// Throws if the backup would replace the store, if the backup would become a part of the store, or if
    /// the store cannot be written.
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
