import Foundation

/// Keychain items as lines of JSON, with items of other services mixed in.
struct JSONLinesSource: EditableFileSource {
    let url: URL
    let container = "jsonLines"
    let stamp: FileStamp

    /// Takes a file with at least one line that names one of our services; `nil` if no line is a keychain item.
    init?(_ url: URL) throws(LegacyStoreError) {
        guard try Self.isOurs(url) else { return nil }
        self.url = url
        stamp = try FileStamp.reading(url)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        LegacyItems(JSONLinesItems(try ByteReader(url)))
    }

    func edits(removing list: RemovalList) throws(LegacyStoreError) -> [ByteEdit] {
        var list = list
        let items = JSONLinesItems(try ByteReader(url))
        var edits: [ByteEdit] = []
        while let (item, extent) = try items.nextLine() {
            if try list.takes(item) { edits.append(ByteEdit(extent)) }
        }
        try list.finish()
        return edits
    }

    private static func isOurs(_ url: URL) throws(LegacyStoreError) -> Bool {
        var walk = LineWalk(try ByteReader(url))
        var hasItems = false
        while let line = try walk.next() {
            guard let parsed = line.bytes.flatMap(KeychainLine.init) else { continue }
            if parsed.service != nil { return true }
            hasItems = true
        }
        guard !hasItems else { throw .holdsNothing(url) }
        return false
    }
}
