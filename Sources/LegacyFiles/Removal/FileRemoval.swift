import Foundation
import LegacyStore
import PushBridgeFiles

/// A store in one file, which is written again when records are removed.
protocol FileSource: LegacySource {
    var url: URL { get }
    var status: FileStatus { get }

    /// Writes the store without the items in `doomed`; checks every item against it.
    func write(_ doomed: inout RemovalList, to write: ([UInt8]) throws(LegacyStoreError) -> Void)
        throws(LegacyStoreError)
}

extension FileSource {
    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        let removal = try FileRemoval(from: url, status, backup)
        let sentences = try LeftOver.settle(beside: url, backup: backup)
        // The new file could not take its place.
        guard LeftOver.beside(url).isEmpty else {
            throw .notWritable(sentences.joined(separator: " "))
        }
        var list = RemovalList(url.relativePath, doomed)
        let warnings = try removal.run { file throws(LegacyStoreError) in
            try write(&list) { bytes throws(LegacyStoreError) in
                try writing(url) { try file.write(bytes) }
            }
            try list.finish()
        }
        return sentences + warnings
    }

    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] {
        try LeftOver.settle(beside: url, backup: backup)
    }
}

/// Removes records from a store that is one file by putting a new file in its place.
///
/// The new file and the backup are complete and on the disk before the store is compared with its backup, byte for
/// byte, and only then they change places; the replaced file is compared again.
private struct FileRemoval {
    private let url: URL
    private let status: FileStatus
    private let backup: URL
    // Holds on to the file itself, also if its name gets another meaning.
    private let source: OpenFile

    /// Checks that the file is still as it was when it was opened, and that it and the backup can be written.
    init(from url: URL, _ status: FileStatus, _ backup: URL) throws(LegacyStoreError) {
        self.url = url.resolvingSymlinksInPath()
        self.status = status
        self.backup = backup
        let file = self.url
        source = try reading(url) { try OpenFile(reading: file) }
        let source = source
        try writing(url) { try source.lock() }
        try requireUnchanged()
        try BackupPlace.check(backup, of: url)
    }

    /// Removes by writing everything else with `body`; returns what the user has to know.
    func run(_ body: (NewFile) throws(LegacyStoreError) -> Void) throws(LegacyStoreError) -> [String] {
        let copy = try NewLegacyFile(backup, existing: .acceptedIfSame)
        try copySource(to: copy)
        let saved = try copy.open
        let file = try writing(url) {
            let file = try NewFile(
                claiming: url,
                mode: mode_t(status.permissions),
                backup: FileCare.backup(of: url)
            )
            try file.give(to: status.owner, status.group)
            return file
        }
        try body(file)
        try writing(url) { try file.sync() }
        try requireUnchanged()
        guard try reading(url, { try saved.holdsSame(as: source) }) else {
            throw changed
        }
        try copy.finish()
        let warnings = try nameWarnings()
        try exchange(file)
        return warnings
    }

    private var changed: LegacyStoreError {
        .changed("\(url.relativePath) was changed since it was read.")
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

    // The files change places in one step, so that what was replaced has a name until it was found to be what was backed
    // up; else it gets its place back.
    private func exchange(_ file: NewFile) throws(LegacyStoreError) {
        guard try writing(url, { try file.exchange() }) else { return try replace(file) }
        let (source, backup) = (source, backup)
        let replaced = URL(fileURLWithPath: file.temporaryPath)
        let isProven = try reading(url) {
            try FileStatus(of: replaced).isSameFile(as: source.status())
                && source.holdsSame(as: OpenFile(reading: backup))
        }
        if isProven { return try writing(url) { try file.finishExchange() } }
        // Restores the name of a file that has replaced the store in the meantime.
        try writing(url) {
            _ = try file.exchange()
            if try !file.isFile(at: file.temporaryPath) {
                // Restores the name of an even later file; the other one stays beside it.
                _ = try file.exchange()
                file.abandon()
            }
        }
        throw changed
    }

    // As above for file systems without an atomic exchange.
    private func replace(_ file: NewFile) throws(LegacyStoreError) {
        let folder = url.deletingLastPathComponent()
        let spare = folder.appendingPathComponent(".\(url.lastPathComponent).pushbridge-old").path
        unlink(spare)
        // Some file systems know no second names; there the comparison before has to do.
        let hasSpare = link(url.path, spare) == 0
        defer { unlink(spare) }
        let isProven = try writing(url) {
            try file.replace()
            guard hasSpare else { return true }
            let isKnown = try FileStatus(path: spare)?.isSameFile(as: source.status()) ?? false
            if try isKnown && source.holdsSame(as: OpenFile(reading: backup)) { return true }
            try SystemFailure.check(rename(spare, url.path))
            return false
        }
        guard isProven else { throw changed }
        unlink(spare)
        try writing(url) { try OpenFile(reading: folder).sync() }
    }

    // A new file takes one name only.
    private func nameWarnings() throws(LegacyStoreError) -> [String] {
        guard status.names > 1 else { return [] }
        let folder = url.deletingLastPathComponent()
        let found: [String]
        do {
            found = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                let other = try FileStatus(path: folder.appendingPathComponent($0).path)
                return $0 != url.lastPathComponent && other?.isSameFile(as: status) == true
            }
        } catch {
            found = []
        }
        let others = found.isEmpty ? "elsewhere" : found.sorted().joined(separator: ", ")
        return [
            """
            \(url.relativePath) had \(status.names) names (hard links); under the others (\(others)) the removed \
            records are still there.
            """
        ]
    }
}
