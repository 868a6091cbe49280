import LegacyStore

/// Reads the items of a store and names them, many at a time.
struct NamedItems: ThrowingIterator {
    private var reader: SourceReader
    private let size: Int

    init(_ source: any LegacySource, size: Int) throws {
        reader = try SourceReader(source)
        self.size = size
    }

    /// The next items, `nil` at the end.
    mutating func next() throws -> [NamedItem]? {
        var items: [NamedItem] = []
        items.reserveCapacity(size)
        while items.count < size, let item = try reader.next()?.get() { items.append(item) }
        return items.isEmpty ? nil : items
    }
}
