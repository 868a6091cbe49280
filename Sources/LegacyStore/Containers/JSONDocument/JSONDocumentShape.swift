import Foundation

/// Tells the kinds of JSON document apart, and from everything else.
enum JSONDocumentShape {
    /// The name of the container of a legacy JSON document.
    static let document = "legacyJSON"
    /// The name of the container of a migration export.
    static let export = "migrationExport"
    /// The name of the container of records of the new SDK.
    static let newSDK = "newSDKJSON"

    /// The name of the container, or `nil` if the document is of another shape.
    ///
    /// Records of the new SDK are known by what they say. A migration export has metadata, or mechanisms with an account inside, `null` perhaps, and nothing else
    /// that holds records. Reads on until one of these is met.
    static func container(of url: URL) throws(LegacyStoreError) -> String? {
        var walk = JSONDocumentWalk(try ByteReader(url))
        var hasLists = false
        var hasMetadata = false
        while let part = try walk.next() {
            switch part {
            case .list(.mechanisms): hasLists = true
            case .record(let record) where record.section == .mechanisms:
                if record.nestsAccount { return export }
            case .record(let record) where record.section == .credentials:
                if record.isOfKnownShape { return newSDK }
            case .list(.credentials): break
            case .list, .record: return document
            case .other(let name, _): hasMetadata = hasMetadata || name == "metadata"
            case .broken: break
            }
            if hasLists, hasMetadata { return export }
        }
        return hasLists ? document : nil
    }
}

extension JSONRecord {
    fileprivate var nestsAccount: Bool { JSONMembers(bytes).value(of: "account") != nil }
}
