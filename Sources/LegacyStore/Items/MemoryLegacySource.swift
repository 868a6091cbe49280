public import Foundation

/// Legacy items that are already in memory; for stores read by other means, and for tests.
public struct MemoryLegacySource: LegacySource {
    /// The name of the container for reports.
    public let container: String
    private let contents: [LegacyItem]

    /// Creates a source.
    public init(_ items: [LegacyItem], container: String = "memory") {
        self.container = container
        contents = items
    }

    /// The items, in the order given.
    public func items() -> LegacyItems {
        var iterator = contents.makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in iterator.next() }
    }

    /// Always refuses: there is nothing to remove from.
    public func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        throw LegacyStoreError(.notWritable, reason: "Records in memory cannot be retired.")
    }
}
