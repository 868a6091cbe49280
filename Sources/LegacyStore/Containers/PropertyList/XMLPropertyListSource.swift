import Foundation

/// An XML property list: service, then account key, then data.
struct XMLPropertyListSource: EditableFileSource {
    let url: URL
    let container = "propertyList"
    let stamp: FileStamp

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

    func edits(removing list: RemovalList) throws(LegacyStoreError) -> [ByteEdit] {
        var list = list
        let items = XMLPropertyListItems(try ByteReader(url))
        var edits: [ByteEdit] = []
        while let (item, extent) = try items.nextEntry() {
            if let extent, try list.takes(item) { edits.append(ByteEdit(extent)) }
        }
        try list.finish()
        return edits
    }
}
