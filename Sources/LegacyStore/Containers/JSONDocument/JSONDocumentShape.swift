import Foundation

/// Tells the two kinds of JSON document apart, and from everything else.
enum JSONDocumentShape {
    /// The name of the container, or `nil` if the document is of another shape.
    ///
    /// The first mechanism decides by whether it nests an account; only a document without records is read
    /// to its end.
    static func container(of url: URL) throws(LegacyStoreError) -> String? {
        var walk = JSONDocumentWalk(try ByteReader(url))
        var hasLists = false
        var hasMetadata = false
        while let part = try walk.next() {
            switch part {
            case .list(.mechanisms): hasLists = true
            case .list: return "legacyJSON"
            case .record(let record): return record.nestsAccount ? "migrationExport" : "legacyJSON"
            case .other(let name, _): hasMetadata = hasMetadata || name == "metadata"
            case .broken: return hasLists ? name(hasMetadata) : nil
            }
        }
        return hasLists ? name(hasMetadata) : nil
    }

    private static func name(_ hasMetadata: Bool) -> String {
        hasMetadata ? "migrationExport" : "legacyJSON"
    }
}

extension JSONRecord {
    fileprivate var nestsAccount: Bool { JSONMembers(bytes).value(of: "account") != nil }
}
