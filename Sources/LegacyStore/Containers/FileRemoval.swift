import Foundation

/// Removes records from a store that is one file by writing the file anew, all or none.
struct FileRemoval {
    private let url: URL
    private let stamp: FileStamp
    private let backup: URL
    /// Checks that the file is still as it was when it was opened, and that it and the backup can be written.
    init(from url: URL, stamp: FileStamp, backup: URL) throws(LegacyStoreError) {
        self.url = url.resolvingSymlinksInPath()
        self.stamp = stamp
        self.backup = backup
        try requireUnchanged()
        try BackupPlace.check(backup, of: url)
    }

    /// Removes by changing some bytes.
    func run(_ edits: [ByteEdit]) throws(LegacyStoreError) {
        try run { file throws(LegacyStoreError) in try file.write(copyOf: url, edits) }
    }

    /// Removes by writing everything else, after the backup.
    func run(_ body: (StagedFile) throws(LegacyStoreError) -> Void) throws(LegacyStoreError) {
        let copy = try StagedFile(backup)
        try copy.write(copyOf: url)
        try copy.commit()
        let file = try StagedFile(replacing: url, stamp)
        try body(file)
        try requireUnchanged()
        try file.commit(replacing: true)
    }

    private func requireUnchanged() throws(LegacyStoreError) {
        let current = try FileStamp.reading(url)
        guard current == stamp else {
            throw .changed("\(url.lastPathComponent) was changed since it was read.")
        }
    }
}
