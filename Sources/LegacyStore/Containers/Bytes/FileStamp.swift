import Foundation

/// Which file lies at a place, and as of when; equal stamps mean that nothing was changed.
struct FileStamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: [Int]
    let mode: mode_t
    let owner: uid_t
    let group: gid_t

    /// Reads the stamp of the file, through symbolic links.
    init(of url: URL) throws(FileFault) {
        var status = stat()
        try FileFault.check(stat(url.path, &status))
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
        #else
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        #endif
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
    }

    /// Reads the stamp, and says in our words what goes wrong.
    static func reading(_ url: URL) throws(LegacyStoreError) -> FileStamp {
        try LegacyStore.reading(url) { () throws(FileFault) in try FileStamp(of: url) }
    }

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    /// Who may do what with it.
    var permissions: mode_t { mode & 0o777 }

    func isSameFile(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode
    }
}
