import Foundation

/// Where a backup goes, checked before anything is changed.
enum BackupPlace {
    /// Refuses a backup that exists, is the store itself or would become a part of it, and a store that cannot
    /// be written.
    static func check(_ backup: URL, of store: URL) throws(LegacyStoreError) {
        let name = backup.lastPathComponent
        if FileFault.exists(backup) {
            throw isSame(backup, store)
                ? .notWritable("The backup \(name) would replace the store itself.")
                : .notWritable("The backup \(name) exists already.")
        }
        try CompanionFile.requireNone(at: backup)
        let file = store.resolvingSymlinksInPath()
        for place in [file, file.deletingLastPathComponent()] {
            try writing(store) { () throws(FileFault) in try FileFault.check(access(place.path, W_OK)) }
        }
    }

    private static func isSame(_ one: URL, _ other: URL) -> Bool {
        do {
            return try FileStamp(of: one).isSameFile(as: FileStamp(of: other))
        } catch {
            // A dangling link is not the store.
            return false
        }
    }
}
