import Foundation

/// A legacy JSON document or a migration export.
struct JSONDocumentSource: LegacySource {
    let url: URL
    let container: String
    private let stamp: FileStamp

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

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        let list = try RemovalList(url, doomed)
        let removal = try FileRemoval(from: url, stamp: stamp, backup: backup)
        try removal.run(JSONDocumentEdits(url, removing: list).edits)
    }
}
