import LegacyStore
import PushBridgeCore

/// A record of the source in terms of the new model, with its place in the plan.
final class PreparedRecord: Sendable {
    let index: Int
    let source: SourceRecord
    let planned: MigrationResult
    let value: Result<LegacyValue, Refusal>

    init(index: Int, source: SourceRecord, planned: MigrationResult, survey: Survey) {
        self.index = index
        self.source = source
        self.planned = planned
        value = source.value { survey.accounts[$0] }
    }
}

/// Reads the records of some services and converts them, a batch at a time; does not touch the destination.
struct BatchReader: ThrowingIterator {
    private let plan: MigrationPlan
    private let size: Int
    private let services: Set<LegacyService>
    private var items: LegacyItems
    private var namer = ItemNamer()
    private var index = 0
    private var isAtEnd = false

    init(plan: MigrationPlan, items: LegacyItems, services: Set<LegacyService>, size: Int) {
        self.plan = plan
        self.items = items
        self.services = services
        self.size = size
    }

    /// The next batch, `nil` at the end; throws if the source is not the one that was planned.
    mutating func next() throws -> [PreparedRecord]? {
        var batch: [PreparedRecord] = []
        batch.reserveCapacity(size)
        while batch.count < size, let item = try nextItem() {
            if services.contains(item.service) { batch.append(try prepare(item)) }
            index += 1
        }
        return batch.isEmpty ? nil : batch
    }

    /// The next item; the source has to end where the plan does.
    private mutating func nextItem() throws -> LegacyItem? {
        guard !isAtEnd else { return nil }
        let item = try items.next()?.get()
        isAtEnd = item == nil
        guard isAtEnd == (index >= plan.records.count) else { throw MigrationError.sourceChanged }
        return item
    }

    private mutating func prepare(_ item: LegacyItem) throws -> PreparedRecord {
        let planned = plan.records[index]
        let named = namer.name(item)
        guard named.fingerprint == planned.fingerprint else { throw MigrationError.sourceChanged }
        return PreparedRecord(
            index: index,
            source: SourceRecord(named),
            planned: planned.result,
            survey: plan.survey
        )
    }
}
