import Foundation

/// What to change in a JSON document to remove records; everything else stays byte for byte.
struct JSONDocumentEdits {
    private(set) var edits: [ByteEdit] = []
    private var list = JSONListEdits()
    private var indexes: Set<Int>
    private var mechanisms = 0
    private var metadata: Range<Int>?

    /// Finds the records by their numbers; refuses numbers that are not of records.
    init(_ url: URL, removing indexes: Set<Int>) throws(LegacyStoreError) {
        self.indexes = indexes
        var walk = JSONDocumentWalk(try ByteReader(url))
        var count = 0
        while let part = try walk.next() {
            if case .record(let record) = part {
                take(record, isRemoved: self.indexes.remove(count) != nil)
                count += 1
            } else {
                endList()
                if case .other("metadata", let value) = part { metadata = value }
            }
        }
        endList()
        guard self.indexes.isEmpty else { throw .goneRecords(url) }
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
