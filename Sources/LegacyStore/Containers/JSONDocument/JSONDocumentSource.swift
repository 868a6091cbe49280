import Foundation

/// A legacy JSON document or a migration export.
struct JSONDocumentSource: EditableFileSource {
    let url: URL
    let container: String
    let stamp: FileStamp

    /// Takes a document of either shape; `nil` if it is neither.
    init?(_ url: URL) throws(LegacyStoreError) {
        guard let container = try JSONDocumentShape.container(of: url) else { return nil }
        self.url = url
        self.container = container
        stamp = try FileStamp.reading(url)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        LegacyItems(JSONDocumentItems(try ByteReader(url), isExported: container == JSONDocumentShape.export))
    }

    func edits(removing list: RemovalList) throws(LegacyStoreError) -> [ByteEdit] {
        try JSONDocumentEdits(url, removing: list).edits
    }
}
