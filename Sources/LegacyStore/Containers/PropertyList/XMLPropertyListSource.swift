import Foundation

/// An XML property list: service, then account key, then data.
struct XMLPropertyListSource: LegacySource {
    let url: URL
    let container = "propertyList"
    private let stamp: FileStamp

    /// Takes a property list that names at least one of our services; `nil` if it names none.
    init?(_ url: URL) throws(LegacyStoreError) {
        let items = XMLPropertyListItems(try ByteReader(url))
        _ = try items.next()
        guard items.hasOurServices else { return nil }
        self.url = url
        stamp = try FileStamp.reading(url)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        LegacyItems(XMLPropertyListItems(try ByteReader(url)))
    }

    func remove(_ positions: Set<LegacyItem.Position>, backup: URL) throws(LegacyStoreError) {
        let removal = try FileRemoval(from: url, stamp: stamp, positions, backup: backup)
        try removal.run(edits(removing: removal.indexes))
    }

    private func edits(removing indexes: Set<Int>) throws(LegacyStoreError) -> [ByteEdit] {
        let items = XMLPropertyListItems(try ByteReader(url))
        var edits: [ByteEdit] = []
        while let (item, extent) = try items.nextEntry() {
            if let extent, indexes.contains(item.position) { edits.append(ByteEdit(extent)) }
        }
        guard edits.count == indexes.count else { throw .goneRecords(url) }
        return edits
    }
}
