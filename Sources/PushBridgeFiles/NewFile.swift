package import Foundation
import PushBridgePlatform

/// A file in the making: it has a temporary name until it is complete, so no reader ever sees half of it.
package final class NewFile {
    /// Where the file is until it is published; SQLite may write there by itself.
    package private(set) var temporaryPath: String
    private let destination: String
    private let folder: String
    // `nil` once the file has its final name.
    private var file: OpenFile? { didSet { UnfinishedFiles.note(temporaryPath, isUnfinished: file != nil) } }
    private var buffer: [UInt8] = []

    /// Makes an empty file with mode 0600 and a name like no other: of several that are made for one place at a time,
    /// the first that is published stays.
    ///
    /// If the process dies before ``publish()``, a `.new-…` file is left that nothing reads; ``LeftOver/drafts(in:)`` finds
    /// it.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package init(for destination: String, backup: DeviceBackup = .excluded) throws(SystemFailure) {
        self.destination = destination
        folder = URL(fileURLWithPath: destination).deletingLastPathComponent().path
        let name = LeftOver.draftPrefix + String(UInt64.random(in: .min ... .max), radix: 36)
        temporaryPath = URL(fileURLWithPath: folder).appendingPathComponent(name).path
        let file = try OpenFile(making: temporaryPath, backup: backup)
        do throws(SystemFailure) {
            try file.lock()
        } catch {
            // The name is this file's alone; the lock only tells others that it is not left over, where there are locks.
        }
        begin(with: file)
    }

    /// Makes an empty file that only one run at a time makes: fails with `EWOULDBLOCK` while another does.
    ///
    /// Its name is made of the file's own, `.NAME.pushbridge-new`: what a killed run left there, secrets perhaps, is
    /// found and written over.
    package init(
        claiming destination: URL,
        mode: mode_t = 0o600,
        backup: DeviceBackup = .excluded
    ) throws(SystemFailure) {
        self.destination = destination.path
        let parent = destination.deletingLastPathComponent()
        folder = parent.path
        let name = String(decoding: destination.lastPathComponent.utf8.prefix(200), as: UTF8.self)
        temporaryPath = parent.appendingPathComponent(".\(name)\(LeftOver.newSuffix)").path
        begin(with: try OpenFile.claim(temporaryPath, mode: mode, backup: backup))
        // A journal that a killed run left would be played back into the new file.
        for companion in CompanionFile.allCases { unlink(temporaryPath + companion.rawValue) }
    }

    // Not in the initialiser, where a change is not observed.
    private func begin(with file: OpenFile) { self.file = file }

    deinit { discard() }

    /// Gives the file to another user, as far as this one may.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func give(to owner: uid_t, _ group: gid_t) throws(SystemFailure) {
        // A user who is not the superuser owns the file already, or becomes its owner.
        guard geteuid() == 0 else { return }
        try SystemFailure.check(chown(temporaryPath, owner, group))
    }

    package func write(_ bytes: some ContiguousBytes) throws(SystemFailure) {
        bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
        if buffer.count >= 64 * 1024 { try flush() }
    }

    /// Waits until everything is on the disk.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func sync() throws(SystemFailure) {
        try flush()
        try file?.sync()
    }

    /// Gives the file its final name, durably; `false` if something has that name already.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func publish() throws(SystemFailure) -> Bool {
        try sync()
        if link(temporaryPath, destination) != 0 {
            guard errno != EEXIST else { return false }
            // Some file systems know no links; there the check and the renaming are two steps.
            guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { throw .last }
            guard !FileStatus.isTaken(URL(fileURLWithPath: destination)) else { return false }
            try SystemFailure.check(rename(temporaryPath, destination))
        }
        unlink(temporaryPath)
        try finish()
        return true
    }

    /// Gives the file its final name, durably, in place of any other file.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func replace() throws(SystemFailure) {
        try sync()
        try SystemFailure.check(rename(temporaryPath, destination))
        try finish()
    }

    /// Changes places with the file of the final name, in one step; doing so again takes it back.
    ///
    /// From then on ``temporaryPath`` is the file that was replaced. Its name is `.NAME.pushbridge-old` then: what a killed run leaves there may be the only copy.
    ///
    /// - Returns: `false` where the file system knows no such step; nothing is changed then.
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func exchange() throws(SystemFailure) -> Bool {
        try sync()
        let name = temporaryPath
        if name.hasSuffix(LeftOver.newSuffix) {
            // One of a killed run is dealt with before; a link fails where a renaming would take its place.
            let old = name.dropLast(LeftOver.newSuffix.count) + LeftOver.oldSuffix
            try SystemFailure.check(link(name, String(old)))
            UnfinishedFiles.note(name, isUnfinished: false)
            temporaryPath = String(old)
        }
        if swapNames(temporaryPath, destination) == 0 {
            if name != temporaryPath { unlink(name) }
            return true
        }
        let failure = SystemFailure.last
        if name != temporaryPath { unlink(temporaryPath) }
        temporaryPath = name
        UnfinishedFiles.note(name, isUnfinished: true)
        guard [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(failure.code) else { throw failure }
        return false
    }

    /// Leaves the file of ``temporaryPath`` where it is, because it may be the only copy of something.
    package func abandon() { file = nil }

    /// Whether this is still the file of a name.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func isFile(at path: String) throws(SystemFailure) -> Bool {
        guard let own = try file?.status(), let named = try FileStatus(path: path) else { return false }
        return named.isSameFile(as: own)
    }

    /// Ends after an exchange: what was replaced goes.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func finishExchange() throws(SystemFailure) {
        try SystemFailure.check(unlink(temporaryPath))
        try finish()
    }

    /// Removes what is left of an unpublished file and of its companions.
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
        // Not earlier: as long as the name is there, so is the lock.
        file = nil
        try OpenFile(reading: URL(fileURLWithPath: folder)).sync()
    }
}

/// The files in the making of this process, for programs that are asked to end.
@_spi(PushBridgeTools) public enum UnfinishedFiles {
    private static let paths = Lock<Set<String>>([])

    /// Removes them, or those that are meant; what is written to them from now on is lost.
    /// - Parameter isMeant: Decides by its path whether to remove a file.
    public static func remove(where isMeant: (String) -> Bool = { _ in true }) {
        for path in paths.withValue({ $0 }) where isMeant(path) {
            for companion in CompanionFile.allCases { unlink(path + companion.rawValue) }
            unlink(path)
        }
    }

    fileprivate static func note(_ path: String, isUnfinished: Bool) {
        paths.withValue { if isUnfinished { $0.insert(path) } else { $0.remove(path) } }
    }
}
