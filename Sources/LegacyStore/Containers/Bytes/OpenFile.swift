import Foundation

/// A POSIX file descriptor; closed when released.
final class OpenFile {
    private let descriptor: CInt

    /// Takes over an open descriptor.
    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Opens a file for reading.
    init(reading url: URL) throws(FileFault) {
        descriptor = try FileFault.check(open(url.path, O_RDONLY | O_CLOEXEC))
    }

    /// Creates a file for writing; refuses one that exists.
    init(creating url: URL, mode: mode_t) throws(FileFault) {
        descriptor = try FileFault.check(open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
        // The process's umask may have taken bits away.
        try FileFault.check(fchmod(descriptor, mode))
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to the size of `buffer`; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileFault) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileFault(errno) }
        }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(FileFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            guard count >= 0 || errno == EINTR else { throw FileFault(errno) }
            written += max(0, count)
        }
    }

    /// Waits until what was written is on the disk.
    func synchronize() throws(FileFault) {
        try FileFault.check(fsync(descriptor))
    }

    /// Waits until a file, or the names in a folder, are on the disk.
    static func synchronize(_ url: URL) throws(FileFault) {
        try OpenFile(reading: url).synchronize()
    }
}
