package import Foundation
import PushBridgeCore
import PushBridgeFiles

/// A lock that excludes other threads, and other processes that use the same file.
///
/// Calls can be nested. The system releases the file's lock when the process ends.
package final class ProcessLock: @unchecked Sendable {
    // Only the thread that holds `lock` accesses the other properties.
    private let lock = NSRecursiveLock()
    private let folder: @Sendable () -> URL?
    private var depth = 0
    private var file: (path: String, file: OpenFile)?

    /// Creates a lock; opens no file yet.
    /// - Parameter folder: Returns the folder of the file `keychain.lock`. The folder and the file are
    ///   created if necessary. If the result is `nil`, the lock excludes only threads of this process.
    package init(in folder: @escaping @Sendable () -> URL? = { nil }) {
        self.folder = folder
    }

    /// Waits until no other thread or process has the lock, and then calls `body` with the lock held.
    /// - Throws: The errors of `body`, and ``StoreError`` if the file cannot be opened or locked.
    package func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        lock.lock()
        defer { lock.unlock() }
        let locked = depth == 0 ? try lockFile() : nil
        depth += 1
        defer {
            depth -= 1
            locked?.unlock()
        }
        return try body()
    }

    /// Opens and locks the file; returns `nil` if the lock has no folder.
    private func lockFile() throws(StoreError) -> OpenFile? {
        guard let folder = folder() else { return nil }
        let path = folder.appendingPathComponent("keychain.lock").path
        return try storing("Locking \(path)") {
            let file: OpenFile
            if let known = self.file, known.path == path {
                file = known.file
            } else {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                file = try OpenFile(sharing: path)
                self.file = (path, file)
            }
            try file.lock(waits: true)
            return file
        }
    }
}
