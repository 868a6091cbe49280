import Foundation
import PushBridgeCommandLine
import PushBridgeMigrating

/// The legacy stores that were given to a command, in the order of their paths and without duplicates.
struct StoreList {
    /// A file that is expected to be a legacy store.
    struct Store: Sendable {
        /// The path as the user wrote it, or a path below the given folder.
        let path: String
        /// The normalised path, which identifies the file.
        let place: String
    }

    let stores: [Store]

    /// Collects the given files and, recursively, the files in the given folders.
    ///
    /// In folders, hidden files and folders, and the files that SQLite keeps beside a database, are skipped.
    /// - Parameters:
    ///   - paths: The paths of files and folders.
    ///   - folder: The folder of the databases; its files are skipped if it is inside a given folder.
    ///   - own: The paths of files with other roles in the run, such as keys and reports; skipped in folders.
    /// - Throws: ``CommandFailure`` if there are no files, or if a folder cannot be read.
    init(_ paths: [String], leavingOut folder: String, files own: [String]) throws {
        let (own, folder) = (Set(own.map(Self.place)), Self.place(of: folder))
        var found: [String: Store] = [:]
        for path in paths {
            let url = try URL(storeAt: path)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            let files = isFolder.boolValue ? try Self.files(in: path) : [path]
            for file in files {
                let place = Self.place(of: file)
                let isOurs = own.contains(place) || place.hasPrefix(folder + "/")
                if isFolder.boolValue && isOurs { continue }
                if found[place] == nil { found[place] = Store(path: file, place: place) }
            }
        }
        // A file whose name is not UTF-8 seems to be missing. It counts as found, and is reported as unreadable later.
        let isAnyFound = found.keys.contains { place in
            FileManager.default.fileExists(atPath: place) || place.contains("\u{FFFD}")
        }
        guard isAnyFound else {
            let places = found.isEmpty ? "in" : "at"
            throw CommandFailure(
                status: .unreadableInput,
                sentence: "There is no file \(places) \(paths.joined(separator: ", "))."
            )
        }
        stores = found.values.sorted { $0.place < $1.place }
    }

    private static func files(in folder: String) throws -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw CommandFailure(status: .unreadableInput, sentence: "The folder \(folder) cannot be read.")
        }
        let all = Set(names)
        return try names.filter { !$0.hasPrefix(".") && !isCompanion($0, among: all) }.sorted()
            .flatMap { name -> [String] in
                let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
                // Links are not followed, because a link may refer to a parent folder.
                let isFolder = Self.isFolder(url)
                let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                return isFolder ? try files(in: path) : [path]
            }
    }

    /// Returns whether the URL refers to a folder that is not a link.
    ///
    /// If a name is not UTF-8, the lookup fails, and the store is reported as unreadable later.
    private static func isFolder(_ url: URL) -> Bool {
        do {
            return try url.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey]).isDirectory == true
        } catch {
            return false
        }
    }

    private static func isCompanion(_ name: String, among names: Set<String>) -> Bool {
        ["-wal", "-shm", "-journal"].contains {
            name.hasSuffix($0) && names.contains(String(name.dropLast($0.count)))
        }
    }

    static func place(of path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
