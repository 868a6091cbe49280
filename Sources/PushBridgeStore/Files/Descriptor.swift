import Foundation

/// An open file, closed when it goes out of scope; never one of a database, see ``FileStatus``.
struct Descriptor: ~Copyable {
    private let number: Int32

    /// Opens for reading, without waiting for the other end of a pipe; `nil` if nothing is at `path`.
    init?(reading path: String) throws {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure.last }
            return nil
        }
        self.number = number
    }

    /// Makes a file that was not there, with mode 0600 whatever the process's mask.
    init(making path: String) throws {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemFailure.last }
        guard fchmod(number, 0o600) == 0 else {
            defer { close(number) }
            throw SystemFailure.last
        }
        self.number = number
    }

    /// Opens a file that is there, for writing from its start.
    init(rewriting path: String) throws {
        let number = open(path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure.last }
        self.number = number
    }

    deinit { close(number) }

    borrowing func status() throws -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemFailure.last }
        return FileStatus(status)
    }

    borrowing func read(atMost limit: Int) throws -> Data {
        var buffer = Data(count: limit)
        let count = buffer.withUnsafeMutableBytes { Foundation.read(number, $0.baseAddress, limit) }
        guard count >= 0 else { throw SystemFailure.last }
        return buffer.prefix(count)
    }

    borrowing func write(_ data: Data) throws {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemFailure.last }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the file's bytes, or a folder's names, survive a loss of power.
    borrowing func sync() throws {
        #if canImport(Darwin)
        if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(number) == 0 else { throw SystemFailure.last }
    }
}
