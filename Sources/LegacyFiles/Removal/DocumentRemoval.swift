import Foundation
import LegacyStore
import PushBridgeFiles

/// A store that is one document.
///
/// A removal removes the whole document; a document is never rewritten.
protocol DocumentSource: LegacySource {
    var url: URL { get }
    var status: FileStatus { get }

    /// Returns whether the document contains data other than records of the SDKs, such as items of other services.
    func hasOtherContents() throws(LegacyStoreError) -> Bool
}

extension DocumentSource {
    var isRemovedWhole: Bool { true }

    func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        let removal = try DocumentRemoval(of: url, status, backup)
        let sentences = try LeftOver.settle(beside: url, backup: backup)
        // If a document that an earlier removal renamed still exists, this removal does not begin.
        guard LeftOver.beside(url).isEmpty else {
            throw .notWritable(sentences.joined(separator: " "))
        }
        return try sentences + removal.run { () throws(LegacyStoreError) in try requireAll(in: removals) }
    }

    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] {
        try LeftOver.settle(beside: url, backup: backup)
    }

    /// Throws unless the document contains exactly the items in `removals`, unchanged, and no other data.
    private func requireAll(
        in removals: [LegacyItem.Position: LegacyItem.Digest]
    ) throws(LegacyStoreError) {
        let name = url.relativePath
        var list = RemovalList(name, removals)
        var others = 0
        for item in try items() {
            let isToBeRemoved = try list.takes(item.get())
            if !isToBeRemoved { others += 1 }
        }
        try list.finish()
        guard others == 0 else {
            throw .notWritable(
                "\(name) can be removed only as a whole, and \(others) of its records would be lost."
            )
        }
        guard try !hasOtherContents() else {
            throw .notWritable(
                "\(name) can be removed only as a whole, and also contains data that does not belong to the SDKs; nothing is removed."
            )
        }
    }
}

/// Removes a document.
///
/// The document is removed only after a backup with the same bytes is on disk. The document is renamed before the last
/// comparison, so that nothing can replace it in the meantime. If the comparison fails, the document gets its old name
/// back.
private struct DocumentRemoval {
    private let url: URL
    private let status: FileStatus
    private let backup: URL
    // The file is kept open, so that it can be recognised even if a different file takes its place.
    private let source: OpenFile

    /// Locks the document, and checks that it is unchanged and writable and that the backup would not replace it.
    init(of url: URL, _ status: FileStatus, _ backup: URL) throws(LegacyStoreError) {
        self.url = url
        self.status = status
        self.backup = backup
        source = try reading(url) { try OpenFile(reading: url) }
        let source = source
        try writing(url) { try source.lock() }
        try requireUnchanged()
        try BackupPlace.check(backup, of: url)
    }

    /// Removes the document if `check` accepts its contents; returns messages for the user.
    func run(_ check: () throws(LegacyStoreError) -> Void) throws(LegacyStoreError) -> [String] {
        let copy = try NewLegacyFile(backup, existing: .acceptedIfSame)
        try copySource(to: copy)
        let saved = try copy.open
        try writing(backup) { try saved.sync() }
        try check()
        try requireUnchanged()
        guard try reading(url, { try saved.holdsSame(as: source) }) else { throw changed }
        try copy.finish()
        let warnings = nameWarnings
        try removeRenamed()
        return warnings
    }

    private var changed: LegacyStoreError {
        .changed("\(url.relativePath) has changed since it was read.")
    }

    private func requireUnchanged() throws(LegacyStoreError) {
        let current = try reading(url) { try FileStatus(of: url) }
        guard current == status else { throw changed }
    }

    private func copySource(to copy: NewLegacyFile) throws(LegacyStoreError) {
        try reading(url) { try source.seek(to: 0) }
        let reader = ByteReader(source)
        while true {
            let piece = try reading(url) { try reader.piece() }
            guard !piece.isEmpty else { return }
            try copy.write(piece)
        }
    }

    // Renames the document, and removes it. If the renamed file is not the one in the backup, it gets its old
    // name back.
    private func removeRenamed() throws(LegacyStoreError) {
        let renamed = try writing(url) { try LeftOver.setAside(url) }
        let comparison = Result {
            try FileStatus(of: renamed.url).isSameFile(as: source.status())
                && source.holdsSame(as: OpenFile(reading: backup))
        }
        guard case .success(true) = comparison else {
            try putBack(renamed)
            _ = try reading(url) { try comparison.get() }
            throw changed
        }
        try writing(url) { try renamed.remove() }
    }

    private func putBack(_ renamed: LeftOver) throws(LegacyStoreError) {
        do {
            try renamed.putBack(as: url)
        } catch {
            throw .changed(
                "\(url.relativePath) has changed since it was read, and was renamed to \(renamed.url.relativePath)."
            )
        }
    }

    private var nameWarnings: [String] {
        guard status.names > 1 else { return [] }
        let file = url.resolvingSymlinksInPath()
        let folder = file.deletingLastPathComponent()
        let found: [String]
        do {
            found = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                let other = try FileStatus(path: folder.appendingPathComponent($0).path)
                return $0 != file.lastPathComponent && other?.isSameFile(as: status) == true
            }
        } catch {
            found = []
        }
        let others = found.isEmpty ? "elsewhere" : found.sorted().joined(separator: ", ")
        return [
            """
            \(url.relativePath) had \(status.names) names (hard links); under the other names (\(others)), the \
            removed records still exist.
            """
        ]
    }
}
