import Foundation

/// A binary property list: service, then account key, then data.
struct BinaryPropertyListSource: LegacySource {
    let url: URL
    let container = "propertyList"
    private let stamp: FileStamp

    /// Takes a property list that names at least one of our services; `nil` if it names none.
    init?(_ url: URL) throws(LegacyStoreError) {
        guard try Self.pull(Self.list(url), url) != nil else { return nil }
        self.url = url
        stamp = try FileStamp.reading(url)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        try Self.items(of: Self.list(url), url)
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        var removed = try RemovalList(url, doomed)
        let removal = try FileRemoval(from: url, stamp: stamp, backup: backup)
        let list = try Self.list(url)
        var indexes: Set<Int> = []
        for (index, item) in try Self.items(of: list, url).enumerated() where try removed.takes(item.get()) {
            indexes.insert(index)
        }
        try removed.finish()
        guard
            let cut = try Self.readingList(
                url,
                { () throws(PropertyListError) in
                    try PropertyListCut(list, removing: indexes)
                }
            ),
            let copy = PropertyListCopy(list, cut)
        else {
            let name = url.lastPathComponent
            throw .notWritable("The records of \(name) lie upon each other, so that none can be removed.")
        }
        try removal.run { file throws(LegacyStoreError) in try copy.write(to: file) }
    }

    private static func items(of list: BinaryPropertyList, _ url: URL) throws(LegacyStoreError) -> LegacyItems
    {
        guard let items = try pull(list, url) else {
            return LegacyItems { () throws(LegacyStoreError) in nil }
        }
        return LegacyItems(items)
    }

    private static func pull(
        _ list: BinaryPropertyList,
        _ url: URL
    ) throws(LegacyStoreError) -> BinaryPropertyListItems? {
        try readingList(url) { () throws(PropertyListError) in try BinaryPropertyListItems(list) }
    }

    private static func list(_ url: URL) throws(LegacyStoreError) -> BinaryPropertyList {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: url, options: .alwaysMapped)
        } catch {
            throw .unreadable("\(url.lastPathComponent) cannot be read.")
        }
        return try readingList(url) { () throws(PropertyListError) in try BinaryPropertyList(bytes) }
    }

    private static func readingList<Value>(
        _ url: URL,
        _ body: () throws(PropertyListError) -> Value
    ) throws(LegacyStoreError) -> Value {
        do {
            return try body()
        } catch {
            throw .notALegacyStore("\(url.lastPathComponent) is a damaged property list: \(error.reason)")
        }
    }
}
