import LegacyStore
import PushBridgeCore
import PushBridgePlatform

// The steps that only read, and change neither store.

extension MigrationRollout {
    /// Queries the conditions and the gate, and rehearses a migration in memory, on a thread that may block.
    ///
    /// A rehearsal is due once for each version of the app and each state of the source, and again if it was stopped or
    /// if records were locked. None is due in an extension, or while the device is locked. A rehearsal writes nothing
    /// except its event and the state of the roll-out.
    ///
    /// After two rehearsals or comparisons in a row without an outcome, this version of the app runs no further ones;
    /// the migration itself is not blocked.
    /// - Parameters:
    ///   - migration: The migration.
    ///   - limit: The time limit. When it is reached, the event reports the records that have been read, with the
    ///     outcome ``MigrationEvent/Outcome/partial``.
    ///   - mayContinue: Called before every hundred records; if it returns `false`, the rehearsal stops without an
    ///     event, and the next call repeats the rehearsal.
    /// - Returns: The outcomes, or the reason why no rehearsal ran. The outcomes are `nil` if no rehearsal was
    ///   due, if it was stopped, or if there was nothing to rehearse.
    /// - Throws: The errors of the source and of the destination, and the storage's error if an attempt cannot be
    ///   counted.
    public func rehearse(
        _ migration: CredentialMigration,
        limit: Duration = .seconds(2),
        while mayContinue: @escaping @Sendable () -> Bool = { true }
    ) async throws -> Result<MigrationReceipt?> {
        try await check(.rehearse, of: migration, limit, mayContinue) { migration, mayContinue in
            try migration.rehearse(while: mayContinue)
        }
    }

    /// Queries the conditions and the gate, and compares the legacy records with the store to which they moved, on a
    /// thread that may block.
    ///
    /// ``rehearse(_:limit:while:)`` describes when a comparison is due. The event counts the compared records and, with
    /// the reason ``MigrationReason/noCredential``, the records that are no longer in the store.
    /// - Parameters:
    ///   - migration: The migration whose records moved.
    ///   - limit: The time limit of the comparison.
    ///   - mayContinue: Called before every hundred records; if it returns `false`, the comparison stops without an
    ///     event.
    /// - Returns: The comparison, or the reason why no comparison ran. The comparison is `nil` if none was due or
    ///   if it was stopped.
    /// - Throws: The errors of the source and of the store, and the storage's error if an attempt cannot be counted.
    public func compare(
        _ migration: CredentialMigration,
        limit: Duration = .seconds(2),
        while mayContinue: @escaping @Sendable () -> Bool = { true }
    ) async throws -> Result<MigrationComparison?> {
        try await check(.compare, of: migration, limit, mayContinue) { migration, mayContinue in
            try migration.compare(while: mayContinue)
        }
    }

    private func check<Value: CheckedRecords>(
        _ step: MigrationGate.Step,
        of migration: CredentialMigration,
        _ limit: Duration,
        _ mayContinue: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable (CredentialMigration, @escaping @Sendable () -> Bool) throws -> Value?
    ) async throws -> Result<Value?> {
        let answer = try await answer(to: step)
        guard answer.isAllowed else { return .refused(answer) }
        let outcome = await blocking { [self] in
            try check(step, of: migration, limit, while: mayContinue, body)
        }
        return try await result(of: outcome)
    }

    /// Returns whether a check still has to run for this version of the app and this state of the source.
    ///
    /// The method opens no record.
    package func isDue(_ step: MigrationGate.Step, of migration: CredentialMigration) throws -> Bool {
        try due(step, of: migration) != nil
    }

    /// Returns the state of the source and the mark of a check that is due.
    ///
    /// The result is `nil` if the check has already run, the device is locked, or the process is an extension.
    private func due(
        _ step: MigrationGate.Step,
        of migration: CredentialMigration
    ) throws -> (state: SourceState?, mark: String)? {
        guard !isExtension else { return nil }
        let state: SourceState?
        do {
            state = try migration.sourceState()
        } catch  where error.isLock {
            return nil
        } catch {
            // The attempt will fail with the same error, and its event will report the error.
            state = nil
        }
        let mark = "\(versions.app) \(state?.digest.recordID ?? "")"
        return try isDone(step, with: mark) ? nil : (state, mark)
    }

    /// Runs a check if it is due, without querying the gate; blocks the calling thread.
    /// - Returns: The value of `body`; `nil` if the check is not due or was stopped.
    package func check<Value: CheckedRecords>(
        _ step: MigrationGate.Step,
        of migration: CredentialMigration,
        _ limit: Duration,
        while mayContinue: @escaping @Sendable () -> Bool,
        _ body: (CredentialMigration, @escaping @Sendable () -> Bool) throws -> Value?
    ) throws -> Value? {
        guard let (state, mark) = try due(step, of: migration) else { return nil }
        let watch = Watch(limit, mayContinue)
        let container = migration.source.legacyKeychain == nil ? nil : "keychain"
        func yield(_ value: Value?) -> AttemptResult {
            if watch.isStopped { return .noAttempt }
            // If the time limit was reached before the first record, it is unknown whether the source has records.
            if value == nil, !watch.isOver { return .nothing }
            return .records(
                .init(
                    container: value?.container ?? container ?? "",
                    records: value?.records ?? [],
                    removed: value?.removed ?? 0,
                    isWhole: !watch.isOver
                )
            )
        }
        let value = try attempt(step, source: container, mark: mark, yield: yield) { began in
            try began()
            do {
                let value = try body(migration, watch.mayContinue)
                // If records changed while they were read, some results would be about the previous state of
                // the records.
                if try migration.sourceState() != state { watch.stop() }
                return value
            } catch  where error.isLock {
                watch.stop()
                return nil
            }
        }
        return watch.isStopped ? nil : value
    }
}

/// The records that were read by a check.
package protocol CheckedRecords: Sendable {
    var container: String { get }
    var records: [MigrationRecord] { get }
    /// The number of records that were migrated but are no longer in the destination.
    var removed: Int { get }
}

extension MigrationReceipt: CheckedRecords {
    package var removed: Int { 0 }
}

extension MigrationComparison: CheckedRecords {}

/// Stops a check when its time limit is reached or when the caller's `mayContinue` returns `false`.
private final class Watch: Sendable {
    private enum State {
        case running, over, stopped
    }

    private let end: ContinuousClock.Instant
    private let ask: @Sendable () -> Bool
    private let state = Lock(State.running)

    init(_ limit: Duration, _ ask: @escaping @Sendable () -> Bool) {
        end = .now + limit
        self.ask = ask
    }

    var isOver: Bool { state.withValue { $0 == .over } }
    var isStopped: Bool { state.withValue { $0 == .stopped } }

    func stop() { state.withValue { $0 = .stopped } }

    @Sendable func mayContinue() -> Bool {
        guard ask() else {
            stop()
            return false
        }
        let isInTime = ContinuousClock.now < end
        return state.withValue { state in
            if !isInTime, state == .running { state = .over }
            return state == .running
        }
    }
}

extension Error {
    /// Whether the error means that a store cannot be read until the user unlocks the device.
    fileprivate var isLock: Bool {
        (self as? LegacyStoreError)?.code == .locked || (self as? StoreError)?.code == .locked
    }
}
