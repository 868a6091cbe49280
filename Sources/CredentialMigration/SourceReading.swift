import LegacyStore
import PushBridgeCore

/// Reads the records of a source in batches; computes each record's fingerprint, and decodes and converts the record.
struct SourceReading {
    private let batchSize: Int
    private var items: LegacyItems?
    private var namer = ItemNamer()

    init(_ source: any LegacySource, batchSize: Int) throws {
        self.batchSize = batchSize
        items = try source.items()
    }

    /// Returns the next batch, or `nil` at the end; throws if the rest of the source cannot be read.
    mutating func next() throws -> [SourceRecord]? {
        var batch: [SourceRecord] = []
        batch.reserveCapacity(batchSize)
        var size = 0
        // A batch also ends when its size exceeds the maximum size of one value.
        while batch.count < batchSize, size <= LegacyItem.largestValue {
            guard let item = try items?.next()?.get() else {
                // After the last record has been read, the caller may change the store, so the source must be
                // closed. If the source is a database with a log, a read-only connection would prevent other
                // connections of the same process from writing.
                items = nil
                break
            }
            size += item.size
            batch.append(SourceRecord(item, fingerprint: namer.name(item)))
        }
        return batch.isEmpty ? nil : batch
    }
}

/// Computes the fingerprints of items from their content.
///
/// If a store contains equal items, the items are numbered.
private struct ItemNamer {
    private var named: Set<RecordFingerprint> = []
    /// For each item, the number of its repetitions.
    private var repetitions: [RecordFingerprint: Int] = [:]

    mutating func name(_ item: LegacyItem) -> RecordFingerprint {
        let first = RecordFingerprint(item, occurrence: 0)
        guard !named.insert(first).inserted else { return first }
        repetitions[first, default: 0] += 1
        return RecordFingerprint(item, occurrence: repetitions[first, default: 0])
    }
}

extension RecordFingerprint {
    fileprivate init(_ item: LegacyItem, occurrence: Int) {
        self.init(
            parts: [item.service.rawValue, item.key, item.accessGroup ?? ""],
            payload: VerbatimRecord(item.payload).payload,
            occurrence: occurrence
        )
    }
}
