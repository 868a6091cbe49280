package import Foundation

/// A file beside a store that a killed run left: half of a new one, or the whole old one.
package struct LeftOver {
    static let newSuffix = ".pushbridge-new"
    static let oldSuffix = ".pushbridge-old"
    static let draftPrefix = ".new-"

    /// Where it is.
    package let url: URL
    /// Whether it may be the only copy of what it holds: it had its place in the store's, and was not compared yet.
    package let mayBeOnlyCopy: Bool

    /// What killed runs left beside a file, as far as no other run is at work there.
    package static func beside(_ url: URL) -> [LeftOver] {
        let url = url.resolvingSymlinksInPath()
        let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
        return [(newSuffix, false), (oldSuffix, true)].compactMap { suffix, mayBeOnlyCopy in
            let left = folder.appendingPathComponent(
                ".\(String(decoding: name.utf8.prefix(200), as: UTF8.self))\(suffix)"
            )
            return isAbandoned(left) ? LeftOver(url: left, mayBeOnlyCopy: mayBeOnlyCopy) : nil
        }
    }

    /// The halves of new files that killed runs left in a folder.
    package static func halves(in folder: URL) -> [LeftOver] {
        unfinished(in: folder) { $0.hasPrefix(".") && $0.hasSuffix(newSuffix) }
    }

    /// The databases and keys, not begun to be used, that killed runs left in a folder.
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

    /// Removes the file.
    ///
    /// - Throws: ``SystemFailure`` if the system refuses.
    package func remove() throws(SystemFailure) {
        for companion in CompanionFile.allCases { unlink(url.path + companion.rawValue) }
        try SystemFailure.check(unlink(url.path))
    }

    /// Whether a file exists that no run has locked.
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

/// Has two names change their files, in one step.
/// - Returns: 0, or -1 with `errno` set.
func swapNames(_ one: String, _ other: String) -> Int32 {
    #if canImport(Darwin)
    return renamex_np(one, other, UInt32(RENAME_SWAP))
    #else
    // Swift does not show it, because glibc declares it for GNU sources only; other C libraries may not have it.
    typealias Rename =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else {
        errno = ENOSYS
        return -1
    }
    let exchange: UInt32 = 2
    return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, one, AT_FDCWD, other, exchange)
    #endif
}
