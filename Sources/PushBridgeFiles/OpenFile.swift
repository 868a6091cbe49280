package import Foundation

/// An open file, which is closed when this object is deallocated.
///
/// The file must not be a database; see ``FileStatus``.
package final class OpenFile {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Opens a file for reading, without waiting for the other end of a pipe; `nil` if the file does not
    /// exist.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package init?(reading path: String) throws(SystemFailure) {
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor < 0 else { return }
        guard errno == ENOENT || errno == ENOTDIR else { throw .last }
        return nil
    }

    package init(reading url: URL) throws(SystemFailure) {
        descriptor = try SystemFailure.check(open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    /// Creates a new file with exactly the permissions in `mode`, regardless of the process's mask.
    ///
    /// By default, a phone's backups do not contain the file.
    ///
    /// - Throws: ``SystemFailure`` if the system fails; no file is then created.
    package init(
        making path: String,
        mode: mode_t = 0o600,
        backup: DeviceBackup = .excluded
    ) throws(SystemFailure) {
        descriptor = try SystemFailure.check(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
        do throws(SystemFailure) {
            try SystemFailure.check(fchmod(descriptor, mode))
            try FileProtection.apply(to: path, backup)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Creates a file, or reuses the file of a process that has ended, and locks it against other runs until
    /// it is closed.
    ///
    /// - Throws: ``SystemFailure``, with the code `EWOULDBLOCK` while another run has locked the file.
    static func claim(_ path: String) throws(SystemFailure) -> OpenFile {
        while true {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
            let file = OpenFile(descriptor: try SystemFailure.check(open(path, flags, 0o600)))
            guard try file.isClaimed(path) else { continue }
            do throws(SystemFailure) {
                try FileProtection.apply(to: path, .excluded)
                return file
            } catch {
                unlink(path)
                throw error
            }
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package func status() throws(SystemFailure) -> FileStatus {
        var status = stat()
        try SystemFailure.check(fstat(descriptor, &status))
        return FileStatus(status)
    }

    /// Opens or creates a file that several processes lock.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package init(sharing path: String) throws(SystemFailure) {
        descriptor = try SystemFailure.check(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
        try FileProtection.apply(to: path, .excluded)
    }

    /// Locks the file against other runs until it is closed or unlocked.
    /// - Parameter waits: Whether to wait while another run has the lock.
    /// - Throws: ``SystemFailure``, with the code `EWOULDBLOCK` if another run has the lock and `waits` is `false`.
    package func lock(waits: Bool = false) throws(SystemFailure) {
        while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }

    package func unlock() { flock(descriptor, LOCK_UN) }

    /// Reads bytes into `buffer`, and returns the number of bytes read; 0 means the end of the file.
    ///
    /// - Throws: ``SystemFailure`` if the file cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }

    package func read(atMost limit: Int) throws(SystemFailure) -> Data {
        var bytes = [UInt8](repeating: 0, count: limit)
        let result: Result<Int, SystemFailure> = bytes.withUnsafeMutableBytes { buffer in
            do throws(SystemFailure) {
                return .success(try read(into: buffer))
            } catch {
                return .failure(error)
            }
        }
        return Data(bytes.prefix(try result.get()))
    }

    package func seek(to offset: Int) throws(SystemFailure) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw .last }
    }

    package func write(_ bytes: some ContiguousBytes) throws(SystemFailure) {
        let failure: SystemFailure? = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Foundation.write(descriptor, piece.baseAddress, piece.count)
                guard count >= 0 || errno == EINTR else { return .last }
                rest = rest.dropFirst(max(0, count))
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Blocks until the file's bytes, or a folder's names, would survive a loss of power.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package func sync() throws(SystemFailure) {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try SystemFailure.check(fsync(descriptor))
    }

    // Locks the file, empties it and returns `true`. If the path now refers to a different file, returns `false`. If
    // the path is a second hard link of a published file, removes this link and returns `false`.
    private func isClaimed(_ path: String) throws(SystemFailure) -> Bool {
        try lock()
        let opened = try status()
        var named = stat()
        guard lstat(path, &named) == 0, FileStatus(named).isSameFile(as: opened) else { return false }
        guard opened.names == 1 else {
            try SystemFailure.check(unlink(path))
            return false
        }
        try SystemFailure.check(ftruncate(descriptor, 0))
        try SystemFailure.check(fchmod(descriptor, 0o600))
        return true
    }
}

package struct SystemFailure: Error, Equatable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// The failure of the last system call.
    static var last: SystemFailure { SystemFailure(code: errno) }

    /// The system's message, such as "No space left on device".
    package var message: String { String(cString: strerror(code)) }

    /// The system's message as the end of a sentence.
    package var explanation: String { message.prefix(1).lowercased() + message.dropFirst() }

    /// Returns `result`; if it is -1, throws the failure that `errno` describes.
    @discardableResult
    package static func check(_ result: Int32) throws(SystemFailure) -> Int32 {
        guard result != -1 else { throw .last }
        return result
    }
}
