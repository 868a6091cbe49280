import Foundation

/// A binary property list: service, then account key, then data.
struct BinaryPropertyListSource: LegacySource {
    let url: URL
    let container = "propertyList"
    private let stamp: FileStamp

    /// Takes a property list that names at least one of our services; `nil` if it names none.
    init?(_ url: URL) throws(LegacyStoreError) {
        guard try Self.pull(url) != nil else { return nil }
        self.url = url
        stamp = try FileStamp.reading(url)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        guard let items = try Self.pull(url) else {
            return LegacyItems { () throws(LegacyStoreError) in nil }
        }
        return LegacyItems(items)
    }

    func remove(_ positions: Set<LegacyItem.Position>, backup: URL) throws(LegacyStoreError) {
        let removal = try FileRemoval(from: url, stamp: stamp, positions, backup: backup)
        let list = try Self.list(url)
        guard try items().count(where: { _ in true }) > removal.indexes.max() ?? -1 else {
            throw .goneRecords(url)
        }
        try removal.run { file throws(LegacyStoreError) in
            try changing(url) { try PropertyListCopy.write(list, to: file, removing: removal.indexes) }
        }
    }

    private static func pull(_ url: URL) throws(LegacyStoreError) -> BinaryPropertyListItems? {
        let list = try list(url)
        return try readingList(url) { () throws(PropertyListError) in try BinaryPropertyListItems(list) }
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
