import LegacyStore
import PushBridgeCore

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

    /// Imports the records of some services, batch by batch; the next batch is read while one is written.
    mutating func add(_ services: Set<LegacyService>, of legacy: any LegacySource) throws {
        let batches = ReadAhead { [plan, options] in
            try BatchReader(plan: plan, items: legacy.items(), services: services, size: options.batchSize)
        }
        while let batch = try batches.next() { try commit(batch) }
    }

    /// What became of every record.
    func receipt() throws -> MigrationReceipt {
        let records = try zip(plan.records, results).map { planned, result in
            guard let result else { throw MigrationError.sourceChanged }
            return planned.with(result)
        }
        return MigrationReceipt(container: plan.container, records: records)
    }

    private mutating func commit(_ batch: [PreparedRecord]) throws {
        let placed = try store.write { view in
            let importer = Importer(view: view, survey: plan.survey, options: options)
            return try batch.map { try importer.add($0) }
        }
        for (prepared, result) in zip(batch, placed) { results[prepared.index] = result }
        completed += batch.count
        progress(MigrationProgress(step: .applying, completed: completed, total: plan.records.count))
    }
}
