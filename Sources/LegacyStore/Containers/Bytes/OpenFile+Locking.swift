import Foundation

extension OpenFile {
    /// Creates a file that nobody else writes until it is closed, or takes over what a killed process left.
    ///
    /// Fails with `EWOULDBLOCK` while another one writes it.
    convenience init(locking url: URL, mode: mode_t) throws(FileFault) {
        while true {
            let descriptor = try FileFault.check(
                open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            )
            do {
                if try Self.takeOver(descriptor, url, mode: mode) {
                    self.init(descriptor: descriptor)
                    return
                }
                close(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    // Answers `false` if the name has come to mean another file, or is one too many for a finished one.
    private static func takeOver(_ descriptor: CInt, _ url: URL, mode: mode_t) throws(FileFault) -> Bool {
        try FileFault.check(flock(descriptor, LOCK_EX | LOCK_NB))
        var opened = stat()
        try FileFault.check(fstat(descriptor, &opened))
        var named = stat()
        guard lstat(url.path, &named) == 0, named.st_dev == opened.st_dev, named.st_ino == opened.st_ino
        else { return false }
        guard opened.st_nlink == 1 else {
            try FileFault.check(unlink(url.path))
            return false
        }
        try FileFault.check(ftruncate(descriptor, 0))
        // The process's umask may have taken bits away.
        try FileFault.check(fchmod(descriptor, mode))
        return true
    }
}
