package import Foundation

/// The mark of a completed import from a source.
///
/// The mark is valid as long as the source and the importer are unchanged. The marks of moves between stores have the
/// same type.
package struct ImportMark: Equatable, Sendable {
    /// The name of the source, without personal data.
    package let source: String
    /// The digest of the source's state and the importer's state.
    package let digest: RecordFingerprint
    package let recordedAt: Date

    package init(source: String, digest: RecordFingerprint, recordedAt: Date) {
        self.source = source
        self.digest = digest
        self.recordedAt = recordedAt
    }
}

extension ImportMark {
    /// The id of the mark of an unfinished move between two stores.
    package static let unfinishedStoreMove = "move to another store"

    private static let receiptPrefix = "records of the store "

    /// Returns whether `id` is the id of a mark that ``init(receivedFrom:)`` creates.
    package static func isReceipt(_ id: String) -> Bool { id.hasPrefix(receiptPrefix) }

    /// Creates the mark of a completed move from the store with the given name.
    ///
    /// The name may be the path of a file, which is personal data, so the mark contains only a digest.
    package init(receivedFrom name: String) {
        let digest = RecordFingerprint(parts: [name], payload: Data(), occurrence: 0)
        self.init(
            source: Self.receiptPrefix + digest.recordID,
            digest: digest,
            recordedAt: Date(timeIntervalSince1970: 0)
        )
    }
}

extension ImportMark: StoredRecord {
    package static var recordKind: RecordKind { .importMark }
    package var recordIndex: RecordIndex { RecordIndex(id: source, date: recordedAt) }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let digest = RecordFingerprint(bytes: try members.decode(Data.self, forKey: .digest)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .digest,
                in: members,
                debugDescription: "The digest has the wrong length."
            )
        }
        self.init(
            source: try members.decode(String.self, forKey: .source),
            digest: digest,
            recordedAt: try members.decode(Date.self, forKey: .recordedAt)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(source, forKey: .source)
        try members.encode(digest.bytes, forKey: .digest)
        try members.encode(recordedAt, forKey: .recordedAt)
    }

    /// The members of the record; names and numbers must not change.
    private enum CodingKeys: Int, CodingKey {
        case source = 1
        case digest, recordedAt
    }
}
