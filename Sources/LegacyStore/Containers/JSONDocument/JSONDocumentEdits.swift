import Foundation

/// What to change in a JSON document to remove records; everything else stays byte for byte.
struct JSONDocumentEdits {
    private(set) var edits: [ByteEdit] = []
    private var list = JSONListEdits()
    private var mechanisms = 0
    private var metadata: Range<Int>?

    /// Finds the records; refuses if one is gone or changed.
    init(_ url: URL, removing doomed: RemovalList) throws(LegacyStoreError) {
        var doomed = doomed
        var walk = JSONDocumentWalk(try ByteReader(url))
        var count = 0
        while let part = try walk.next() {
            if case .record(let record) = part {
                take(record, isRemoved: try doomed.takes(record.item(at: count, isExported: false)))
                count += 1
            } else {
                endList()
                if case .other("metadata", let value) = part { metadata = value }
            }
        }
        endList()
        try doomed.finish()
        if let metadata { edits += try MetadataEdit(url, metadata).subtracting(mechanisms) }
    }

    private mutating func take(_ record: JSONRecord, isRemoved: Bool) {
        if isRemoved, record.section == .mechanisms { mechanisms += 1 }
        if record.section != .deviceToken {
            edits += list.take(record.extent, isRemoved: isRemoved)
        } else if isRemoved {
            edits.append(ByteEdit(record.extent, replacement: "null"))
        }
    }

    private mutating func endList() {
        edits += list.finish()
        list = JSONListEdits()
    }
}
