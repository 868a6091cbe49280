public import Foundation
public import LegacyStore
import PushBridgeFiles

extension LeftOver {
    /// Removes the files that interrupted removals left beside a store and its backup, as far as this loses no data.
    ///
    /// It removes incomplete new files. It removes a renamed store if its successor or the backup contains each of its
    /// records.
    ///
    /// - Returns: The removed files, and those that stay with the reason, a sentence each.
    /// - Throws: ``LegacyStoreError`` if the system refuses.
    static func settle(beside store: URL, backup: URL) throws(LegacyStoreError) -> [String] {
        let store = store.resolvingSymlinksInPath()
        var sentences = try removeHalves(in: store.deletingLastPathComponent())
        if backup.deletingLastPathComponent().standardized != store.deletingLastPathComponent().standardized {
            sentences += try removeHalves(in: backup.deletingLastPathComponent())
        }
        for left in beside(store) {
            if left.holdsOnlyWhat(isIn: [store, backup]) {
                try writing(left.url) { try left.remove() }
                sentences.append("Removed \(left.url.relativePath): \(left.description).")
            } else {
                sentences.append(
                    """
                    \(left.url.relativePath) stays: \(left.description), and holds records that are neither in \
                    \(store.relativePath) nor in \(backup.relativePath). Name the backup of that run, or keep the \
                    file elsewhere.
                    """
                )
            }
        }
        return sentences
    }

    /// Removes the halves of new files that killed runs left in a folder, and reports them.
    ///
    /// - Returns: The removed files, a sentence each.
    /// - Throws: ``LegacyStoreError`` if the system refuses.
    fileprivate static func removeHalves(in folder: URL) throws(LegacyStoreError) -> [String] {
        var sentences: [String] = []
        for half in halves(in: folder) {
            try writing(half.url) { try half.remove() }
            sentences.append("Removed \(half.url.relativePath): \(half.description).")
        }
        return sentences
    }

    /// Its kind, as the end of a sentence.
    fileprivate var description: String {
        mayBeOnlyCopy
            ? "the store itself, which a removal that was killed renamed"
            : "half of a file, which a run that was killed left"
    }

    private func holdsOnlyWhat(isIn places: [URL]) -> Bool {
        do {
            var known: Set<LegacyItem.Digest> = []
            for place in places where FileStatus.isTaken(place) {
                for item in try LegacyFile.open(place, mayBeEmpty: true).items() {
                    known.insert(try item.get().digest)
                }
            }
            for item in try LegacyFile.open(url, mayBeEmpty: true).items() {
                guard known.contains(try item.get().digest) else { return false }
            }
            return true
        } catch {
            return false
        }
    }
}

// The command line's words and actions for such files.
@_spi(PushBridgeTools) extension LegacyFile {
    /// Says what killed runs left beside a store.
    ///
    /// - Parameter store: The store.
    /// - Returns: A sentence for each file; empty if there is none.
    public static func leftOvers(beside store: URL) -> [String] {
        let renamed = LeftOver.renamed(from: store)?.url
        return LeftOver.beside(store).map {
            $0.url == renamed
                ? "\(store.relativePath) gets its name back: a removal that was killed renamed it to \($0.url.lastPathComponent)."
                : "\($0.url.relativePath) is \($0.description); `retire` removes it if nothing is lost with it."
        }
    }

    /// Returns whether there is no file of a name.
    ///
    /// - Parameter store: The path.
    /// - Returns: Whether nothing has the name, and no removal that was killed renamed the file.
    public static func isMissing(_ store: URL) -> Bool {
        !FileStatus.isTaken(store.resolvingSymlinksInPath()) && LeftOver.renamed(from: store) == nil
    }

    /// Warns of records that a database may lack, or that are not read.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - services: The further services whose items are read.
    /// - Returns: A sentence for each warning; empty for other files.
    public static func warnings(about store: URL, services: [String] = []) -> [String] {
        var warnings = SQLiteLegacySource.warnings(about: store)
        do throws(LegacyStoreError) {
            let deleted = try FurtherServices.reading(services) { () throws(LegacyStoreError) in
                try deletedItems(in: store)
            }
            if deleted > 0 {
                warnings.append(
                    "\(store.relativePath) contains \(deleted) deleted items of the SDK, which are not read."
                )
            }
        } catch {
            // Reading the store reports the error.
        }
        if let others = sentence(aboutOtherServicesOf: store, besides: services) { warnings.append(others) }
        return warnings
    }

    /// Returns whether a store is a database whose latest changes are in a log that is missing.
    ///
    /// - Parameter store: The store.
    /// - Returns: Whether the log is missing; `false` for other files.
    public static func lacksLog(_ store: URL) -> Bool { SQLiteLegacySource.lacksLog(store) }

    /// Removes the halves of new files that killed runs left in a folder.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: A sentence for each file that was removed.
    /// - Throws: ``LegacyStoreError`` if the system refuses.
    public static func removeHalves(in folder: URL) throws(LegacyStoreError) -> [String] {
        try LeftOver.removeHalves(in: folder)
    }

    /// Removes what killed runs left in a folder of the databases and keys that they were making; nothing was in them yet.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``LegacyStoreError`` if the system refuses.
    public static func removeDrafts(in folder: URL) throws(LegacyStoreError) {
        for draft in LeftOver.drafts(in: folder) { try writing(draft.url) { try draft.remove() } }
    }
}
