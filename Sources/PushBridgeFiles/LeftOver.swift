package import Foundation

/// A file that a killed run left beside a store: an incomplete new file, or the store itself under another
/// name.
package struct LeftOver {
    static let newSuffix = ".pushbridge-new"
    static let oldSuffix = ".pushbridge-old"
    static let draftPrefix = ".new-"

    /// The location of the file.
    package let url: URL
    /// Whether the file may be the only copy of its data.
    ///
    /// `true` means that the file was the store, and may not have been compared with its backup yet.
    package let mayBeOnlyCopy: Bool

    /// Returns the files that killed runs left beside a file, except the files that another run is using.
    package static func beside(_ url: URL) -> [LeftOver] {
        [(newSuffix, false), (oldSuffix, true)].compactMap { suffix, mayBeOnlyCopy in
            let left = place(beside: url, suffix)
            return isAbandoned(left) ? LeftOver(url: left, mayBeOnlyCopy: mayBeOnlyCopy) : nil
        }
    }

    /// Renames a store to `.NAME.pushbridge-old`, so that nothing can replace the store while it is compared
    /// with its backup.
    ///
    /// - Returns: The file under its new name.
    /// - Throws: ``SystemFailure`` if the system fails; the code is `EEXIST` if another file has that name.
    package static func setAside(_ store: URL) throws(SystemFailure) -> LeftOver {
        let store = store.resolvingSymlinksInPath()
        let old = place(beside: store, oldSuffix)
        try moveExclusively(store.path, to: old.path)
        return LeftOver(url: old, mayBeOnlyCopy: true)
    }

    /// Gives the store its original name again.
    ///
    /// - Throws: ``SystemFailure`` if the system fails; the code is `EEXIST` if another file has that name.
    package func putBack(as store: URL) throws(SystemFailure) {
        let store = store.resolvingSymlinksInPath()
        try moveExclusively(url.path, to: store.path)
        try Self.syncFolder(of: store)
    }

    /// Gives a store its original name again if a removal renamed the store and was then killed.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package static func restore(_ store: URL) throws(SystemFailure) {
        guard let old = renamed(from: store) else { return }
        try old.putBack(as: store)
    }

    /// Returns the store's file if a removal renamed it and was then killed; `nil` if the store exists, or if there is
    /// no such file.
    package static func renamed(from store: URL) -> LeftOver? {
        FileStatus.isTaken(store.resolvingSymlinksInPath())
            ? nil : beside(store).first(where: \.mayBeOnlyCopy)
    }

    private static func place(beside store: URL, _ suffix: String) -> URL {
        let store = store.resolvingSymlinksInPath()
        let name = String(decoding: store.lastPathComponent.utf8.prefix(200), as: UTF8.self)
        return store.deletingLastPathComponent().appendingPathComponent(".\(name)\(suffix)")
    }

    private static func syncFolder(of url: URL) throws(SystemFailure) {
        try OpenFile(reading: url.deletingLastPathComponent()).sync()
    }

    /// Returns the incomplete files that killed runs left in a folder.
    package static func halves(in folder: URL) -> [LeftOver] {
        unfinished(in: folder) { $0.hasPrefix(".") && $0.hasSuffix(newSuffix) }
    }

    /// Returns the unused new databases and keys that killed runs left in a folder.
    package static func drafts(in folder: URL) -> [LeftOver] {
        unfinished(in: folder) { name in
            name.hasPrefix(draftPrefix) && CompanionFile.allCases.allSatisfy { !name.hasSuffix($0.rawValue) }
        }
    }

    private static func unfinished(in folder: URL, _ isMeant: (String) -> Bool) -> [LeftOver] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter(isMeant).sorted()
                .map { LeftOver(url: folder.appendingPathComponent($0), mayBeOnlyCopy: false) }
                .filter { isAbandoned($0.url) }
        } catch {
            return []
        }
    }

    /// Removes the file and its companions; the removal is durable when the call returns.
    ///
    /// - Throws: ``SystemFailure`` if the system fails.
    package func remove() throws(SystemFailure) {
        for companion in CompanionFile.allCases { unlink(url.path + companion.rawValue) }
        try SystemFailure.check(unlink(url.path))
        try Self.syncFolder(of: url)
    }

    /// Returns whether the file exists and no run has locked it.
    private static func isAbandoned(_ url: URL) -> Bool {
        do {
            guard let file = try OpenFile(reading: url.path), try file.status().kind == .file else {
                return false
            }
            try file.lock()
            return true
        } catch {
            return false
        }
    }
}

/// Renames a file; throws `EEXIST` if another file has the new name.
private func moveExclusively(_ path: String, to other: String) throws(SystemFailure) {
    #if canImport(Darwin)
    let result = renamex_np(path, other, UInt32(RENAME_EXCL))
    #else
    // The function is looked up at run time: glibc declares it only for GNU sources, and other C libraries may lack
    // it.
    typealias Rename =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    let symbol = dlsym(nil, "renameat2")
    let exclusively: UInt32 = 1
    let result = symbol.map {
        unsafeBitCast($0, to: Rename.self)(AT_FDCWD, path, AT_FDCWD, other, exclusively)
    }
    if result == nil { errno = ENOSYS }
    #endif
    guard result != 0 else { return }
    // If the file system does not support exclusive renaming, the check and the renaming are two steps, and
    // another process may use the name in between.
    guard [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) else { throw .last }
    guard !FileStatus.isTaken(URL(fileURLWithPath: other)) else { throw SystemFailure(code: EEXIST) }
    try SystemFailure.check(rename(path, other))
}
