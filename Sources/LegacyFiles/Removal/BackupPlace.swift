import Foundation
import LegacyStore
import PushBridgeFiles

/// The place of a backup, which is checked before anything is changed.
enum BackupPlace {
    /// Refuses a backup that is the store itself or would become a part of it, and a store that cannot be written.
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
