import Foundation
import PushBridgeCore

/// The account of what was recorded about a source record: its place in the order of recording, and its fingerprint.
///
/// So the order, and what there is, are known without opening an item.
struct RecordAccount {
    let sequence: Int
    let record: RecordFingerprint

    init(sequence: Int, record: RecordFingerprint) {
        self.sequence = sequence
        self.record = record
    }

    /// Reads an account; `nil` if it is none of these.
    init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let sequence = Int(parts[0]), let bytes = Base64.decode(String(parts[1])),
            let record = RecordFingerprint(bytes: bytes)
        else { return nil }
        self.init(sequence: sequence, record: record)
    }

    /// The account's text, which sorts by the order of recording.
    var text: String {
        let number = String(sequence)
        let zeros = String(repeating: "0", count: max(0, 12 - number.count))
        return "\(zeros)\(number)-\(record.bytes.base64EncodedString())"
    }
}

/// What was recorded of one kind, in the order of recording.
struct RecordIndex {
    let inOrder: [RecordAccount]
    private let places: [RecordFingerprint: RecordAccount]
    private var next: Int

    init(_ accounts: [RecordAccount]) {
        inOrder = accounts.sorted { $0.sequence < $1.sequence }
        places = Dictionary(accounts.map { ($0.record, $0) }) { _, last in last }
        next = (inOrder.last?.sequence ?? 0) + 1
    }

    /// Where a record is.
    subscript(record: RecordFingerprint) -> RecordAccount? { places[record] }

    /// The place behind all others.
    mutating func newPlace(for record: RecordFingerprint) -> RecordAccount {
        defer { next += 1 }
        return RecordAccount(sequence: next, record: record)
    }
}
