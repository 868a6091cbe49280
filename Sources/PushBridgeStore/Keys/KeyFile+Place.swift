import Foundation

extension KeyFile {
    /// Whether this file is the database at `path`, or one of the files that SQLite makes and removes beside it.
    ///
    /// Compares the files and not the spelling of their paths; one that does not exist yet is told by its folder and
    /// name.
    public func isPart(ofStoreAt path: String) -> Bool {
        let own = FilePlace(self.path)
        return ["", "-wal", "-shm", "-journal"].contains { FilePlace(path + $0) == own }
    }
}

/// A place in the file system, however its path is spelled.
private struct FilePlace: Equatable {
    private let identity: [UInt64]?
    private let folder: String
    private let name: String

    init(_ path: String) {
        var status = stat()
        identity = stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
        let target = Self.target(of: URL(fileURLWithPath: path).standardizedFileURL)
        folder = target.deletingLastPathComponent().resolvingSymlinksInPath().path
        // Some file systems take names in either case for one.
        name = target.lastPathComponent.lowercased()
    }

    static func == (one: FilePlace, other: FilePlace) -> Bool {
        if let identity = one.identity, identity == other.identity { return true }
        return one.folder == other.folder && one.name == other.name
    }

    /// Where links lead, also those to nothing.
    private static func target(of url: URL) -> URL {
        var url = url
        for _ in 0..<32 {
            do {
                let target = try FileManager.default.destinationOfSymbolicLink(atPath: url.path)
                url =
                    URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent())
                    .standardizedFileURL
            } catch {
                return url
            }
        }
        return url
    }
}
