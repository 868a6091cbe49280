import Foundation

/// A file that is written under another name and takes its place whole, or not at all.
///
/// The other name is made of the file's own, `.NAME.pushbridge-new`, and locked while it is written. What a
/// killed run left there, secrets perhaps, is found by the next one and written over; a run that is alive is
/// never disturbed.
final class StagedFile {
    /// The place it will take.
    let url: URL
    /// Where it is until then; SQLite writes there by itself, see ``databasePath``.
    let temporary: URL
    private var file: OpenFile?
    private var buffer: [UInt8] = []
    private let bufferSize = 64 * 1024

    /// Begins a file that will be at `url` and have this mode.
    init(_ url: URL, mode: mode_t = 0o600) throws(LegacyStoreError) {
        self.url = url
        let name = String(decoding: url.lastPathComponent.utf8.prefix(200), as: UTF8.self)
        temporary = url.deletingLastPathComponent().appendingPathComponent(".\(name).pushbridge-new")
        file = try Self.begin(temporary, for: url, mode: mode)
    }

    deinit {
        // The place may be another run's already once the file took its own.
        if file != nil { unlink(temporary.path) }
    }

    /// Begins a file that will take the place of another and be as private as that.
    convenience init(replacing url: URL, _ stamp: FileStamp) throws(LegacyStoreError) {
        try self.init(url, mode: stamp.permissions)
        // Whoever is not the superuser owns what they may replace, or becomes its owner.
        guard geteuid() == 0 else { return }
        try writing(url) { () throws(FileFault) in
            try FileFault.check(chown(temporary.path, stamp.owner, stamp.group))
        }
    }

    /// What SQLite opens to write the file: without locks of its own, as some systems mix them up with ours.
    var databasePath: String { temporary.sqlitePath("nolock=1") }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(LegacyStoreError) {
        buffer += bytes
        if buffer.count >= bufferSize { try flush() }
    }

    /// Waits until everything is on the disk, then takes the place.
    ///
    /// Refuses to take the place of another file unless `replacing`.
    func commit(replacing: Bool = false) throws(LegacyStoreError) {
        try flush()
        try writing(url) { () throws(FileFault) in
            try OpenFile.synchronize(temporary)
            if replacing {
                try FileFault.check(rename(temporary.path, url.path))
            } else {
                try Self.move(temporary, to: url)
            }
        }
        // Not earlier: as long as the name is there, so is the lock.
        file = nil
        try writing(url) { () throws(FileFault) in
            try OpenFile.synchronize(url.deletingLastPathComponent())
        }
    }

    private func flush() throws(LegacyStoreError) {
        guard let file, !buffer.isEmpty else { return }
        let bytes = buffer
        try writing(url) { () throws(FileFault) in try file.write(bytes) }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func begin(
        _ temporary: URL,
        for url: URL,
        mode: mode_t
    ) throws(LegacyStoreError) -> OpenFile {
        let file: OpenFile
        do {
            file = try OpenFile(locking: temporary, mode: mode)
        } catch {
            guard error.number == EWOULDBLOCK else { throw .notWritable(url, error) }
            throw .init(.locked, reason: "\(url.lastPathComponent) is being written by another run.")
        }
        // A journal that a killed run left would be played back into the new file.
        for companion in CompanionFile.allCases { unlink(companion.url(of: temporary).path) }
        return file
    }

    // A hard link is refused if the name is taken; where there are none, looking first has to do.
    private static func move(_ temporary: URL, to url: URL) throws(FileFault) {
        if link(temporary.path, url.path) == 0 {
            try FileFault.check(unlink(temporary.path))
        } else if errno == EEXIST || FileFault.exists(url) {
            throw FileFault(EEXIST)
        } else {
            try FileFault.check(rename(temporary.path, url.path))
        }
    }
}
