import LegacyStore
import PushBridgeCore

/// Reads the records of a source in batches: computes their fingerprints, and decodes and converts the
/// records.
struct SourceReading {
    private let batchSize: Int
    private var items: LegacyItems?
    private var namer = ItemNamer()

    init(_ source: any LegacySource, batchSize: Int) throws {
        self.batchSize = batchSize
        items = try source.items()
    }

    /// Returns the next batch, or `nil` at the end; throws if the source cannot be read any further.
    mutating func next() throws -> [SourceRecord]? {
        var batch: [SourceRecord] = []
        batch.reserveCapacity(batchSize)
        var size = 0
        // This limits the size of a batch: only the last record of a batch can make the batch larger than the
        // largest value.
        while batch.count < batchSize, size <= LegacyItem.largestValue {
            guard let item = try items?.next()?.get() else {
                // After the last record, the caller may change the store, so the source must be closed. A
                // process's read-only connection to a log would prevent the other connections of the process
                // from writing.
                items = nil
                break
            }
            size += item.size
            batch.append(SourceRecord(item, fingerprint: namer.name(item)))
        }
        return batch.isEmpty ? nil : batch
    }
}

/// Computes fingerprints of items from their content; if a store contains equal items, they are numbered.
private struct ItemNamer {
    private var named: Set<RecordFingerprint> = []
    /// The number of repetitions of each item.
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
