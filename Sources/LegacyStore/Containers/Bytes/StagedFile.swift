import Foundation

/// A file that is written under another name and takes its place whole, or not at all.
final class StagedFile {
    /// The place it will take.
    let url: URL
    /// Where it is until then; SQLite writes there by itself.
    let temporary: URL
    private var file: OpenFile?
    private var buffer: [UInt8] = []
    private let bufferSize = 64 * 1024

    /// Begins a file that will be at `url` and have this mode.
    init(_ url: URL, mode: mode_t = 0o600) throws(LegacyStoreError) {
        self.url = url
        let temporary = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).tmp")
        self.temporary = temporary
        file = try writing(url) { () throws(FileFault) in try OpenFile(creating: temporary, mode: mode) }
    }

    deinit {
        // Nothing is there any more once the file took its place.
        unlink(temporary.path)
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
        file = nil
        try writing(url) { () throws(FileFault) in
            try OpenFile.synchronize(temporary)
            if replacing {
                try FileFault.check(rename(temporary.path, url.path))
            } else {
                try Self.move(temporary, to: url)
            }
            try OpenFile.synchronize(url.deletingLastPathComponent())
        }
    }

    private func flush() throws(LegacyStoreError) {
        guard let file, !buffer.isEmpty else { return }
        let bytes = buffer
        try writing(url) { () throws(FileFault) in try file.write(bytes) }
        buffer.removeAll(keepingCapacity: true)
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
