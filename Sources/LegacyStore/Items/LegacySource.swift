public import Foundation

/// A legacy store that can be read, and from which proven records can be removed.
public protocol LegacySource: Sendable {
    /// The name of the container for reports: `sqlite`, `propertyList`, `jsonLines`, `legacyJSON`,
    /// `migrationExport`, `newSDKJSON`, `keychain` or `storageClient`.
    var container: String { get }

    /// The records of the four services in source order, read as they are asked for.
    ///
    /// A store that becomes unreadable on the way ends the sequence with one failure.
    func items() throws(LegacyStoreError) -> LegacyItems

    /// Removes the items at these positions, all or none, after writing a complete copy of the store as it
    /// was to `backup` (mode 0600, flushed to disk).
    ///
    /// Fails with ``LegacyStoreError/Code/changed`` if an item is gone or is not any more what its digest
    /// says; that is checked while nobody else can write, or in the pass that writes the store anew. Refuses an
    /// existing `backup`, and one that would be taken for a part of a database beside it.
    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError)
}

extension LegacySource {
    /// Removes items that were read from this source; all or none, after a backup, if they are still the same.
    public func remove(_ items: some Sequence<LegacyItem>, backup: URL) throws(LegacyStoreError) {
        var doomed: [LegacyItem.Position: LegacyItem.Digest] = [:]
        for item in items { doomed[item.position] = item.digest }
        try remove(doomed, backup: backup)
    }
}

/// The records of a legacy store, one at a time.
public struct LegacyItems: Sequence, IteratorProtocol {
    /// An item, or why the store can be read no further.
    public typealias Element = Result<LegacyItem, LegacyStoreError>

    private var pull: () throws(LegacyStoreError) -> LegacyItem?

    /// Creates a sequence from a function that answers the next item, or `nil` at the end.
    public init(_ pull: @escaping () throws(LegacyStoreError) -> LegacyItem?) {
        self.pull = pull
    }

    /// The next item; `nil` at the end, and after a failure.
    public mutating func next() -> Element? {
        do {
            return try pull().map(Result.success)
        } catch {
            pull = { () throws(LegacyStoreError) in nil }
            return .failure(error)
        }
    }
}
