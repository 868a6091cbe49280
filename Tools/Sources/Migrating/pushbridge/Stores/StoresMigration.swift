import CredentialMigration
import Dispatch
import Foundation
import LegacyFiles
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// Migrates many stores, at most one at a time for each core of the machine.
struct StoresMigration: Sendable {
    private let stores: [StoreList.Store]
    private let keys: SourceKeys
    private let form: DestinationForm
    private let conflictPolicy: ConflictPolicy
    private let usesBareKey: Bool
    private let module: String?
    private let services: [String]

    init(of stores: [StoreList.Store], _ options: MigrationOptionGroup, keys: SourceKeys) {
        self.stores = stores
        self.keys = keys
        form = options.form.form
        conflictPolicy = options.onConflict
        usesBareKey = options.usesBareKey
        module = options.source.module
        services = options.source.services
    }

    /// The state that the threads share.
    private struct Work {
        let folder: StoresFolder
        let progress: (_ completed: Int, _ total: Int) -> Void
        var waiting: Range<Int>
        var lines: [StoresReport.Line?]
        var failure: (any Error)?
    }

    /// One store and, if an earlier run migrated the store, the result of that run.
    private struct Job {
        let number: Int
        let store: StoreList.Store
        let destination: String
        let state: String
        let earlier: StoreResult?

        var otherContents: CommandFailure {
            let sentence =
                "\(destination) no longer contains the records that an earlier run migrated; move this file away, and run the command again."
            return CommandFailure(status: .needsAttention, sentence: sentence)
        }
    }

    /// Migrates each store that has no current result of an earlier run, and reports on all stores.
    /// - Parameters:
    ///   - folder: The folder for the databases.
    ///   - progress: Called with the number of completed stores and the total; never called on two threads at
    ///     once.
    /// - Returns: The result of every store.
    /// - Throws: ``CommandFailure`` if a result, or the name of a database, cannot be recorded.
    func report(
        into folder: StoresFolder,
        _ progress: @escaping (_ completed: Int, _ total: Int) -> Void
    ) throws -> StoresReport {
        try folder.name(stores)
        let lines = [StoresReport.Line?](repeating: nil, count: stores.count)
        let work = Lock(Work(folder: folder, progress: progress, waiting: stores.indices, lines: lines))
        let threads = min(stores.count, ProcessInfo.processInfo.activeProcessorCount)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do {
                while let job = try next(of: work) {
                    let result = job.earlier.map { prove($0, of: job) } ?? migrate(job)
                    let warnings = try URL(storeAt: job.store.path).warnings(services: services)
                    try work.withValue { try finish(job, result, warnings, in: &$0) }
                }
            } catch {
                work.withValue { $0.failure = $0.failure ?? error }
            }
        }
        return try work.withValue { work in
            if let failure = work.failure { throw failure }
            return StoresReport(folder: folder.path, job: folder.job, lines: work.lines.compactMap { $0 })
        }
    }

    // The state is read before the migration. If the store changes during this run, the next run migrates it again.
    private func next(of work: Lock<Work>) throws -> Job? {
        try work.withValue { work in
            guard work.failure == nil, let number = work.waiting.popFirst() else { return nil }
            let store = stores[number]
            let state = try store.state([form.rawValue, conflictPolicy.rawValue, module ?? ""] + services)
            let destination = try work.folder.destination(of: store, form: form)
            let isThere = FileManager.default.fileExists(atPath: destination)
            let earlier = isThere ? work.folder.result(of: store, in: state, keys: keys) : nil
            return Job(number: number, store: store, destination: destination, state: state, earlier: earlier)
        }
    }

    private func finish(
        _ job: Job,
        _ result: StoreResult,
        _ warnings: [String],
        in work: inout Work
    ) throws {
        // A verification of an earlier result is not recorded, so the next run verifies the store again.
        if job.earlier == nil {
            try work.folder.record(result, of: job.store, in: job.state, keys: keys)
        }
        work.lines[job.number] = StoresReport.Line(
            source: job.store.path,
            destination: job.destination,
            isResumed: result == job.earlier,
            result: result,
            warnings: warnings
        )
        work.progress(work.lines.count { $0 != nil }, stores.count)
    }

    /// Verifies a store that an earlier run migrated.
    ///
    /// Returns the earlier result if the number of records is the same, and the number of unproven records has not
    /// grown. Otherwise returns a failure.
    private func prove(_ earlier: StoreResult, of job: Job) -> StoreResult {
        do {
            let receipt = try destination(of: job).migration(from: source(of: job)).verify()
            let proven = StoreResult(receipt)
            if proven.records == earlier.records, proven.unproven <= earlier.unproven { return earlier }
            return StoreResult(job.otherContents)
        } catch {
            return StoreResult(CommandFailure(error, storeRole: .output))
        }
    }

    private func source(of job: Job) throws -> MigrationSource {
        MigrationSource.file(try URL(storeAt: job.store.path), key: keys)
            .items(ofServices: services).archives(ofModule: module)
    }

    private func destination(of job: Job) -> Destination {
        Destination(path: job.destination, keyFile: nil, form: form, usesBareKey: usesBareKey)
    }

    /// Migrates one of the stores.
    ///
    /// A failure is returned as a result, because it must not prevent the migration of other stores.
    private func migrate(_ job: Job) -> StoreResult {
        do {
            let migration = StoreMigration(job.store.path, try source(of: job), services, conflictPolicy)
            return StoreResult(try migration.run(to: destination(of: job)))
        } catch {
            return StoreResult(CommandFailure(error, storeRole: .output))
        }
    }
}
