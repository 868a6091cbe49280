import CredentialMigration
import Dispatch
import Foundation
import LegacyFiles
import PushBridgeCommandLine
import PushBridgeCore
import PushParity

/// Migrates many stores, as many at a time as the machine has cores.
struct StoresMigration: Sendable {
    private let stores: [StoreList.Store]
    private let keys: SourceKeys
    private let form: DestinationForm
    private let conflictPolicy: ConflictPolicy
    private let usesBareKey: Bool

    init(of stores: [StoreList.Store], _ options: MigrationOptionGroup, keys: SourceKeys) {
        self.stores = stores
        self.keys = keys
        form = options.form.form
        conflictPolicy = options.onConflict
        usesBareKey = options.usesBareKey
    }

    /// What the threads share.
    private struct Work {
        let folder: StoresFolder
        let progress: (_ completed: Int, _ total: Int) -> Void
        var waiting: Range<Int>
        var lines: [StoresReport.Line?]
        var failure: (any Error)?
    }

    /// One store that is to be migrated, or was.
    private struct Job {
        let number: Int
        let store: StoreList.Store
        let destination: String
        let state: String
        let earlier: StoreResult?
    }

    /// Migrates what no earlier run did, and tells of all.
    /// - Parameters:
    ///   - folder: Where the databases go.
    ///   - progress: Called with how many stores are done of how many; never on two threads at once.
    /// - Returns: What became of every store.
    /// - Throws: ``CommandFailure`` if what was done cannot be noted.
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
                    let result = job.earlier ?? migrate(job)
                    try work.withValue { try finish(job, result, in: &$0) }
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

    // The state is that of before the migration: what changes meanwhile is migrated by the next run.
    private func next(of work: Lock<Work>) throws -> Job? {
        try work.withValue { work in
            guard work.failure == nil, let number = work.waiting.popFirst() else { return nil }
            let store = stores[number]
            let state = try store.state([form.rawValue, conflictPolicy.rawValue])
            let destination = try work.folder.destination(of: store, form: form)
            let isThere = FileManager.default.fileExists(atPath: destination)
            let earlier = isThere ? work.folder.result(of: store, in: state, keys: keys) : nil
            return Job(number: number, store: store, destination: destination, state: state, earlier: earlier)
        }
    }

    private func finish(_ job: Job, _ result: StoreResult, in work: inout Work) throws {
        if job.earlier == nil {
            try work.folder.note(result, of: job.store, in: job.state, keys: keys)
        }
        work.lines[job.number] = StoresReport.Line(
            source: job.store.path,
            destination: job.destination,
            isResumed: job.earlier != nil,
            result: result
        )
        work.progress(work.lines.count { $0 != nil }, stores.count)
    }

    /// A store that cannot be migrated is a result as well, and keeps no other from being migrated.
    private func migrate(_ job: Job) -> StoreResult {
        do {
            let path = job.store.path
            let source = MigrationSource.file(try URL(storeAt: path), key: keys)
            let destination = Destination(
                path: job.destination,
                keyFile: nil,
                form: form,
                usesBareKey: usesBareKey
            )
            return StoreResult(try StoreMigration(path, source, conflictPolicy).run(to: destination))
        } catch {
            return StoreResult(CommandFailure(error, storeRole: .output))
        }
    }
}
