import Dispatch
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// Reads the records of a source in batches, ahead of the caller: another thread reads, names, decodes and converts the
/// next batch meanwhile.
///
/// At most one batch waits, so that it costs the memory of one and uses a second core.
final class SourceReading: Sendable {
    private let source: any LegacySource
    private let batchSize: Int
    private let state = Lock(State())
    private let isMade = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "SourceReading")

    init(_ source: any LegacySource, batchSize: Int) {
        self.source = source
        self.batchSize = batchSize
        begin()
    }

    /// The next batch, `nil` at the end; throws why the source can be read no further.
    ///
    /// Not to be called after either.
    func next() throws -> [SourceRecord]? {
        isMade.wait()
        guard let batch = try state.withValue({ $0.takeMade() }).get() else { return nil }
        begin()
        return batch
    }

    private func begin() {
        queue.async { [self] in
            state.withValue { $0.makeNext(of: source, count: batchSize) }
            isMade.signal()
        }
    }

    private struct State {
        private var items: LegacyItems?
        private var isAtEnd = false
        private var namer = ItemNamer()
        private var made: Result<[SourceRecord]?, any Error> = .success(nil)

        mutating func takeMade() -> Result<[SourceRecord]?, any Error> {
            defer { made = .success(nil) }
            return made
        }

        mutating func makeNext(of source: any LegacySource, count: Int) {
            made = Result { try read(source, count: count) }
        }

        private mutating func read(_ source: any LegacySource, count: Int) throws -> [SourceRecord]? {
            guard !isAtEnd else { return nil }
            var items = try items ?? source.items()
            // Who is told of the end may change the store, and nothing of it must be open then: in one process, a
            // connection to a log that only reads keeps another one from writing.
            defer { self.items = isAtEnd ? nil : items }
            var batch: [SourceRecord] = []
            batch.reserveCapacity(count)
            while batch.count < count, !isAtEnd {
                if let item = try items.next()?.get() {
                    batch.append(SourceRecord(item, fingerprint: namer.name(item)))
                } else {
                    isAtEnd = true
                }
            }
            return batch.isEmpty ? nil : batch
        }
    }
}

/// Names items by their content; equal items of one store are told apart by counting them.
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
