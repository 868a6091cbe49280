public import Foundation
public import LegacyStore
import PushBridgeFiles

extension LeftOver {
    /// Removes the files that killed runs left beside a store and its backup, unless data would be lost.
    ///
    /// Incomplete new files are removed. A store that a killed removal renamed is removed if each of its records is in
    /// the current store or in the backup.
    ///
    /// - Returns: A sentence for each removed file, and a sentence with the reason for each file that stays.
    /// - Throws: ``LegacyStoreError`` if a file cannot be removed.
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
                    \(left.url.relativePath) stays: \(left.description), and contains records that are neither in \
                    \(store.relativePath) nor in \(backup.relativePath). Specify the backup of that run, or keep the \
                    file elsewhere.
                    """
                )
            }
        }
        return sentences
    }

    /// Removes incomplete new files that killed runs left in a folder.
    ///
    /// - Returns: A sentence for each removed file.
    /// - Throws: ``LegacyStoreError`` if a file cannot be removed.
    fileprivate static func removeHalves(in folder: URL) throws(LegacyStoreError) -> [String] {
        var sentences: [String] = []
        for half in halves(in: folder) {
            try writing(half.url) { try half.remove() }
            sentences.append("Removed \(half.url.relativePath): \(half.description).")
        }
        return sentences
    }

    /// A phrase that states which file this is and why it was left.
    fileprivate var description: String {
        mayBeOnlyCopy
            ? "the store itself, renamed by a removal that was killed"
            : "an incomplete file of a run that was killed"
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

// The command line uses the methods below to report and remove the files that killed runs left.
@_spi(PushBridgeTools) extension LegacyFile {
    /// Describes the files that killed runs left beside a store.
    ///
    /// - Parameter store: The store.
    /// - Returns: A sentence for each file; empty if there are no such files.
    public static func leftOvers(beside store: URL) -> [String] {
        let renamed = LeftOver.renamed(from: store)?.url
        return LeftOver.beside(store).map {
            $0.url == renamed
                ? "\(store.relativePath) will be renamed back: a removal that was killed renamed it to \($0.url.lastPathComponent)."
                : "\($0.url.relativePath) is \($0.description); `retire` removes it if no data is lost."
        }
    }

    /// Returns whether a store does not exist.
    ///
    /// - Parameter store: The path.
    /// - Returns: `true` if no file has this name and no killed removal renamed the store.
    public static func isMissing(_ store: URL) -> Bool {
        !FileStatus.isTaken(store.resolvingSymlinksInPath()) && LeftOver.renamed(from: store) == nil
    }

    /// Returns warnings about records that may be missing from a store, and about records that are not read.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - services: The further services whose items are read.
    ///   - progress: Called after every 500 records. The first argument is the current action in words; the second
    ///     argument is the number of records that this action has searched.
    /// - Returns: A sentence for each warning; empty if there are no warnings.
    public static func warnings(
        about store: URL,
        services: [String] = [],
        progress: (_ action: String, _ records: Int) -> Void = { _, _ in }
    ) -> [String] {
        var warnings = SQLiteLegacySource.warnings(about: store)
        do throws(LegacyStoreError) {
            let deleted = try FurtherServices.reading(services) { () throws(LegacyStoreError) in
                try deletedItems(in: store) { progress("looking for deleted items", $0) }
            }
            if deleted > 0 {
                let verb = deleted == 1 ? "is" : "are"
                warnings.append(
                    "\(store.relativePath) contains \(words(forDeletedItems: deleted)), which \(verb) not read."
                )
            }
        } catch {
            // The error is reported when the store is read.
        }
        let others = sentence(aboutOtherServicesOf: store, besides: services) {
            progress("looking for other services", $0)
        }
        if let others { warnings.append(others) }
        return warnings
    }

    /// Returns whether a store is a database in WAL mode whose log is missing.
    ///
    /// The log of a database contains its latest changes.
    ///
    /// - Parameter store: The store.
    /// - Returns: Whether the log is missing; `false` for other files, and for a store of PushBridge.
    public static func lacksLog(_ store: URL) -> Bool { SQLiteLegacySource.lacksLog(store) }

    /// Removes incomplete new files that killed runs left in a folder.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: A sentence for each removed file.
    /// - Throws: ``LegacyStoreError`` if a file cannot be removed.
    public static func removeHalves(in folder: URL) throws(LegacyStoreError) -> [String] {
        try LeftOver.removeHalves(in: folder)
    }

    /// Removes the unfinished databases and keys that killed runs left in a folder.
    ///
    /// These databases contain no records yet.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``LegacyStoreError`` if a file cannot be removed.
    public static func removeDrafts(in folder: URL) throws(LegacyStoreError) {
        for draft in LeftOver.drafts(in: folder) { try writing(draft.url) { try draft.remove() } }
    }
}
