package import Foundation

/// The system's data about a file.
///
/// If two statuses are equal, the file counts as unchanged.
///
/// A database is never opened to read its status, because closing the descriptor would release all locks that
/// SQLite has on the file in this process.
package struct FileStatus: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case file = "a file"
        case folder = "a folder"
        case other = "a device, pipe or socket"
    }

    package let kind: Kind
    package let permissions: UInt32
    package let size: Int64
    package let owner: uid_t
    package let group: gid_t
    /// The number of the file's hard links, in any folder.
    package let names: Int
    private let device: UInt64
    private let inode: UInt64
    private let modified: [Int64]

    /// Reads the status of the file at `path`, after resolving links; `nil` if the file does not exist.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package init?(path: String) throws(SystemFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .last }
            return nil
        }
        self.init(status)
    }

    /// Reads the status of a file that must exist, after resolving links.
    ///
    /// - Throws: ``SystemFailure`` if the system fails; the code is `ENOENT` if the file does not exist.
    package init(of url: URL) throws(SystemFailure) {
        guard let status = try FileStatus(path: url.path) else { throw SystemFailure(code: ENOENT) }
        self = status
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        permissions = UInt32(status.st_mode & 0o7777)
        size = Int64(status.st_size)
        owner = status.st_uid
        group = status.st_gid
        names = Int(status.st_nlink)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = [Int64(time.tv_sec), Int64(time.tv_nsec)]
    }

    package func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode
    }

    /// Returns whether the name exists, even if it is a link whose target is missing.
    package static func isTaken(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0
    }
}
