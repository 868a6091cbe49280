import LegacyStore
import PushBridgeCore

/// Reads the records of a source in batches: names, decodes and converts them.
struct SourceReading {
    private let batchSize: Int
    private var items: LegacyItems?
    private var namer = ItemNamer()

    init(_ source: any LegacySource, batchSize: Int) throws {
        self.batchSize = batchSize
        items = try source.items()
    }

    /// The next batch, `nil` at the end; throws why the source can be read no further.
    mutating func next() throws -> [SourceRecord]? {
        var batch: [SourceRecord] = []
        batch.reserveCapacity(batchSize)
        var size = 0
        // Bounded by the largest value and not by the sum of a batch.
        while batch.count < batchSize, size <= LegacyItem.largestValue {
            guard let item = try items?.next()?.get() else {
                // The caller may change the store at the end, and nothing of it must be open then: in one process, a
                // connection to a log that only reads keeps another one from writing.
                items = nil
                break
            }
            size += item.size
            batch.append(SourceRecord(item, fingerprint: namer.name(item)))
        }
        return batch.isEmpty ? nil : batch
    }
}

/// Names items by their content; equal items of one store are numbered.
private struct ItemNamer {
    private var named: Set<RecordFingerprint> = []
    /// How often items occurred that occurred before.
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
