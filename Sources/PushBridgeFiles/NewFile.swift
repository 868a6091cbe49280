package import Foundation
import PushBridgePlatform

/// A new file that gets its final name only when it is complete, so that a reader never finds an incomplete file.
package final class NewFile {
    /// The path of the file before its publication; SQLite may write directly to this path.
    package let temporaryPath: String
    private let destination: String
    private let folder: String
    // The open file; `nil` after the file has been published or discarded.
    private var file: OpenFile? { didSet { UnfinishedFiles.set(temporaryPath, isUnfinished: file != nil) } }
    private var buffer: [UInt8] = []

    /// Creates an empty file with mode 0600 and a unique name.
    ///
    /// If there are several new files for one destination, the first that is published stays. If the process dies
    /// before ``publish()``, an unused `.new-…` file remains, which ``LeftOver/drafts(in:)`` finds.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package init(for destination: String, backup: DeviceBackup = .excluded) throws(SystemFailure) {
        self.destination = destination
        folder = URL(fileURLWithPath: destination).deletingLastPathComponent().path
        let name = LeftOver.draftPrefix + String(UInt64.random(in: .min ... .max), radix: 36)
        temporaryPath = URL(fileURLWithPath: folder).appendingPathComponent(name).path
        let file = try OpenFile(making: temporaryPath, backup: backup)
        do throws(SystemFailure) {
            try file.lock()
        } catch {
            // The name is unique, so the file can be used without a lock. The lock only shows other runs that the file
            // is in use.
        }
        begin(with: file)
    }

    /// Creates an empty file for one run at a time; throws `EWOULDBLOCK` while another run uses the file.
    ///
    /// The temporary name is derived from the final name: `.NAME.pushbridge-new`. So the next run finds and
    /// overwrites the file of an interrupted run, which may contain secrets.
    package init(claiming destination: URL) throws(SystemFailure) {
        self.destination = destination.path
        let parent = destination.deletingLastPathComponent()
        folder = parent.path
        let name = String(decoding: destination.lastPathComponent.utf8.prefix(200), as: UTF8.self)
        temporaryPath = parent.appendingPathComponent(".\(name)\(LeftOver.newSuffix)").path
        begin(with: try OpenFile.claim(temporaryPath))
        // SQLite would apply the companion files of an interrupted run to the new file, so they are removed.
        for companion in CompanionFile.allCases { unlink(temporaryPath + companion.rawValue) }
    }

    // This assignment is outside the initialisers, because property observers are not called in an
    // initialiser.
    private func begin(with file: OpenFile) { self.file = file }

    deinit { discard() }

    package func write(_ bytes: some ContiguousBytes) throws(SystemFailure) {
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
        if buffer.count >= 64 * 1024 { try flush() }
    }

    /// Writes all data to the disk; blocks until the data is durable.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package func sync() throws(SystemFailure) {
        try flush()
        try file?.sync()
    }

    /// Gives the file its final name, durably; returns `false` if the name exists already.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package func publish() throws(SystemFailure) -> Bool {
        try sync()
        if link(temporaryPath, destination) != 0 {
            guard errno != EEXIST else { return false }
            // On file systems without hard links, the check and the renaming are two steps, and another
            // process may use the name in between.
            guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { throw .last }
            guard !FileStatus.isTaken(URL(fileURLWithPath: destination)) else { return false }
            try SystemFailure.check(rename(temporaryPath, destination))
        }
        unlink(temporaryPath)
        try finish()
        return true
    }

    /// Gives the file its final name, durably, and replaces an existing file.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package func replace() throws(SystemFailure) {
        try sync()
        try SystemFailure.check(rename(temporaryPath, destination))
        try finish()
    }

    /// Removes the file and its companions with the given suffixes, unless the file is already published.
    package func discard(companions: [String] = []) {
        guard file != nil else { return }
        for suffix in companions + [""] { unlink(temporaryPath + suffix) }
        file = nil
    }

    package func holdsSame(as other: OpenFile) throws(SystemFailure) -> Bool {
        try flush()
        return try OpenFile(reading: URL(fileURLWithPath: temporaryPath)).holdsSame(as: other)
    }

    private func flush() throws(SystemFailure) {
        guard let file, !buffer.isEmpty else { return }
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private func finish() throws(SystemFailure) {
        // The file is closed only now, because it has to stay locked as long as its temporary name exists.
        file = nil
        try OpenFile(reading: URL(fileURLWithPath: folder)).sync()
    }
}

/// The unpublished files of this process, for programs that a signal terminates.
@_spi(PushBridgeTools) public enum UnfinishedFiles {
    private static let paths = Lock<Set<String>>([])

    /// Removes all or some of the unpublished files; later writes to the removed files are lost.
    /// - Parameter isMeant: Returns whether to remove the file at the given path.
    public static func remove(where isMeant: (String) -> Bool = { _ in true }) {
        for path in paths.withValue({ $0 }) where isMeant(path) {
            for companion in CompanionFile.allCases { unlink(path + companion.rawValue) }
            unlink(path)
        }
    }

    fileprivate static func set(_ path: String, isUnfinished: Bool) {
        paths.withValue { if isUnfinished { $0.insert(path) } else { $0.remove(path) } }
    }
}
