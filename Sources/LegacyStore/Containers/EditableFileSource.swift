import Foundation

/// A store in one file from which records leave by cutting their bytes out of it.
protocol EditableFileSource: LegacySource {
    /// The file.
    var url: URL { get }
    /// The file as it was when it was opened.
    var stamp: FileStamp { get }

    /// What to cut to remove the items of the list, each of which has to be found as it was proven.
    func edits(removing list: RemovalList) throws(LegacyStoreError) -> [ByteEdit]
}

extension EditableFileSource {
    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        let list = try RemovalList(url, doomed)
        let removal = try FileRemoval(from: url, stamp: stamp, backup: backup)
        try removal.run(edits(removing: list))
    }
}
