package import Foundation
package import PushBridgeFiles

/// The file of a store or of a backup, while the file is being written.
package final class NewLegacyFile {
    package enum Existing {
        /// The existing file stays, and no new file is written.
        case refused
        /// The new file replaces the existing file.
        case replaced
        /// The existing file stays if the new file would have the same content.
        ///
        /// This case is for a removal that failed after its backup was written and is now repeated.
        case acceptedIfSame
    }

    private let existing: Existing
    private var file: NewFile?
    package let url: URL

    /// Begins a file with mode 0600.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be created, if SQLite would use
    ///   the file as a part of a database beside it, or if SQLite would use an existing file as a part of the new
    ///   file; `locked` if another process is writing the new file.
    package init(_ url: URL, existing: Existing) throws(LegacyStoreError) {
        if existing == .refused, FileStatus.isTaken(url) {
            throw .notWritable(url, SystemFailure(code: EEXIST))
        }
        if let conflict = CompanionFile.conflict(at: url) { throw .notWritable(conflict) }
        self.url = url
        self.existing = existing
        file = try writing(url) { try NewFile(claiming: url) }
    }

    /// Begins the file of a store.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable` if the file cannot be created, or exists and
    ///   `replacing` is `false`; `locked` if another process is writing it.
    package convenience init(_ url: URL, replacing: Bool) throws(LegacyStoreError) {
        try self.init(url, existing: replacing ? .replaced : .refused)
    }

    /// The open file; throws if the file is finished.
    package var open: NewFile {
        get throws(LegacyStoreError) {
            guard let file else { throw .notWritable("\(url.relativePath) is finished already.") }
            return file
        }
    }

    package func write(_ text: String) throws(LegacyStoreError) {
        try write(Array(text.utf8))
    }

    package func write(_ bytes: some ContiguousBytes) throws(LegacyStoreError) {
        let file = try open
        try writing(url) { try file.write(bytes) }
    }

    package func finish() throws(LegacyStoreError) {
        let file = try open
        let isDone = try writing(url) {
            if existing == .replaced {
                try file.replace()
                return true
            }
            if try file.publish() { return true }
            guard existing == .acceptedIfSame, try FileStatus(path: url.path)?.kind == .file else {
                return false
            }
            return try file.holdsSame(as: OpenFile(reading: url))
        }
        self.file = nil
        guard !isDone else { return }
        throw existing == .acceptedIfSame
            ? .notWritable("The backup \(url.relativePath) exists already.")
            : .notWritable(url, SystemFailure(code: EEXIST))
    }
}
