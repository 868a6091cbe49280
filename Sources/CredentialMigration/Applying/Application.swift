import AuthenticatorCore
import LegacyStore

/// One application of a plan: walks through the source in batches and collects the results.
struct Application {
    let plan: MigrationPlan
    let store: any CredentialStore
    let options: MigrationOptions
    private let progress: CredentialMigration.ProgressHandler
    private var results: [MigrationResult?]
    private var completed = 0

    init(
        plan: MigrationPlan,
        store: any CredentialStore,
        options: MigrationOptions,
        progress: @escaping CredentialMigration.ProgressHandler
    ) {
        self.plan = plan
        self.store = store
        self.options = options
        self.progress = progress
        results = Array(repeating: nil, count: plan.records.count)
    }

    /// Imports the records of some services, batch by batch.
    mutating func add(_ legacy: any LegacySource, where isIncluded: (LegacyService) -> Bool) throws {
        var batch: [PlannedRecord] = []
        var index = 0
        for named in try SourceReader(legacy) {
            let named = try named.get()
            guard index < plan.records.count, plan.records[index].fingerprint == named.fingerprint else {
                throw MigrationError.sourceChanged
            }
            if isIncluded(named.item.service) {
                batch.append(PlannedRecord(index: index, record: SourceRecord(named)))
                if batch.count == options.batchSize { try commit(&batch) }
            }
            index += 1
        }
        guard index == plan.records.count else { throw MigrationError.sourceChanged }
        try commit(&batch)
    }

    /// What became of every record.
    func receipt() throws -> MigrationReceipt {
        let records = try zip(plan.records, results).map { planned, result in
            guard let result else { throw MigrationError.sourceChanged }
            return planned.with(result)
        }
        return MigrationReceipt(container: plan.container, records: records)
    }

    private mutating func commit(_ batch: inout [PlannedRecord]) throws {
        guard !batch.isEmpty else { return }
        let placed = try store.write { view in
            let importer = Importer(view: view, survey: plan.survey, options: options)
            return try batch.map { try importer.add($0.record, planned: plan.records[$0.index].result) }
        }
        for (planned, result) in zip(batch, placed) { results[planned.index] = result }
        completed += batch.count
        progress(MigrationProgress(step: .applying, completed: completed, total: plan.records.count))
        batch.removeAll(keepingCapacity: true)
    }
}

/// A record and its place in the plan.
private struct PlannedRecord {
    let index: Int
    let record: SourceRecord
}
