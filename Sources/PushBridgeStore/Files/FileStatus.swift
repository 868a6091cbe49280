import Foundation

/// What the system knows of a file without opening it.
///
/// Databases are never opened to look at them: closing a descriptor would drop every lock that SQLite holds on
/// the same file for this process.
struct FileStatus: Equatable {
    enum Kind: String {
        case file = "a file"
        case folder = "a folder"
        case other = "a device, pipe or socket"
    }

    let kind: Kind
    let permissions: UInt32
    let size: Int64
    private let inode: UInt64
    private let modified: [Int64]

    /// The status of what is at `path`, links followed; `nil` if nothing is.
    init?(path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure.last }
            return nil
        }
        self.init(status)
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        permissions = UInt32(status.st_mode & 0o7777)
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = [Int64(time.tv_sec), Int64(time.tv_nsec)]
    }
}
