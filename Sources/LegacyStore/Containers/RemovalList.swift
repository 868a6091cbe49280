import Foundation

/// The items to remove from a file, each known by its place and by what it was when it was proven.
struct RemovalList {
    private let url: URL
    // Those that were not met yet.
    private var pending: [Int: LegacyItem.Digest] = [:]

    /// Refuses places that no item of a file has.
    init(_ url: URL, _ doomed: [LegacyItem.Position: LegacyItem.Digest]) throws(LegacyStoreError) {
        self.url = url
        for (position, digest) in doomed {
            guard case .index(let index) = position else { throw .goneRecords(url) }
            pending[index] = digest
        }
    }

    /// Whether the item is to be removed; refuses one that is not what it was.
    mutating func takes(_ item: LegacyItem) throws(LegacyStoreError) -> Bool {
        guard case .index(let index) = item.position, let digest = pending.removeValue(forKey: index)
        else { return false }
        guard item.digest == digest else { throw .changedRecord(url) }
        return true
    }

    /// Refuses to go on unless every item was met.
    func finish() throws(LegacyStoreError) {
        guard pending.isEmpty else { throw .goneRecords(url) }
    }
}
