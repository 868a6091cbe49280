public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// Runs the steps of a migration between any two stores, with a gate, a guard and events.
///
/// The roll-out stores its own state.
///
/// The *gate* and the conditions are queried before each step. The *guard* counts attempts that ended without an
/// outcome because the app crashed or was killed. After two such attempts in a row by one version of the app, the guard
/// blocks further attempts until the next version, until the gate returns ``MigrationGate/Answer/retry``, or until the
/// app calls ``retry()``.
///
/// Every attempt creates one ``MigrationEvent``, unless it was stopped, or read all records and found no new one. The
/// event is stored before it is delivered. Of the events that the app has not accepted yet, the newest 50 are kept.
///
/// If the guard blocks attempts, it also blocks those in an extension of the app. Attempts in an extension are not
/// counted and create no events, because the app may be making an attempt at the same time. A roll-out can be used from
/// any thread.
public final class MigrationRollout: Sendable {
    /// Receives an event; called on any thread, and in the app for only one event at a time.
    ///
    /// If the handler throws, or if the app ends before the handler returns, the app delivers the event again. An
    /// extension does not deliver an event again.
    public typealias EventHandler = @Sendable (MigrationEvent) async throws -> Void

    /// The result of a step.
    public enum Result<Value: Sendable>: Sendable {
        /// The step ran and returned this value.
        case done(Value)
        /// The gate or a condition did not permit the step.
        case refused(MigrationGate.Answer)
        /// The guard blocked the step.
        case held
    }

    private let storage: any RolloutStorage
    private let gate: MigrationGate?
    private let conditions: [MigrationCondition]
    let versions: MigrationVersions
    private let clock: @Sendable () -> Date
    private let report: EventHandler?
    private let patience: Duration
    let isExtension: Bool
    private let isDelivering = Lock(false)

    /// Creates a roll-out without reading its state.
    /// - Parameters:
    ///   - storage: The storage of the roll-out's state.
    ///   - gate: The gate, queried before each step; `nil` if only the conditions decide.
    ///   - conditions: The conditions of each step.
    ///   - versions: The versions that the events contain. The guard counts separately for each version of
    ///     the app.
    ///   - clock: Returns the current time.
    ///   - report: Receives the events. The last 50 events that `report` has not accepted are kept.
    public convenience init(
        _ storage: any RolloutStorage,
        gate: MigrationGate? = nil,
        conditions: [MigrationCondition] = [],
        versions: MigrationVersions = MigrationVersions(),
        clock: @escaping @Sendable () -> Date = { Date() },
        report: EventHandler? = nil
    ) {
        self.init(
            storage,
            gate: gate,
            conditions: conditions,
            versions: versions,
            clock: clock,
            report: report,
            bundle: Bundle.main.bundleURL
        )
    }

    /// Creates a roll-out like the public initialiser, but for the process of a given bundle.
    ///
    /// `patience` is the longest time for which a step waits for `report`.
    init(
        _ storage: any RolloutStorage,
        gate: MigrationGate? = nil,
        conditions: [MigrationCondition] = [],
        versions: MigrationVersions = MigrationVersions(),
        clock: @escaping @Sendable () -> Date = { Date() },
        report: EventHandler? = nil,
        bundle: URL,
        patience: Duration = .seconds(5)
    ) {
        self.storage = storage
        self.gate = gate
        self.conditions = conditions
        self.versions = versions
        self.clock = clock
        self.report = report
        self.patience = patience
        isExtension = bundle.isExtension
    }

    // MARK: - Steps

    /// Queries the conditions and the gate, and then migrates the records that have not been migrated yet;
    /// blocks a thread.
    /// - Parameter migration: The migration.
    /// - Returns: The outcome of the new records, or the reason why nothing was migrated. The outcome is
    ///   `nil` if there were no new records.
    /// - Throws: The migration's error, and the storage's error if an attempt cannot be counted.
    public func migrate(_ migration: CredentialMigration) async throws -> Result<MigrationReceipt?> {
        try await step(.apply, from: nil, yield: { $0.map(AttemptResult.receipt) ?? .noAttempt }) { began in
            try migration.migrateNew(willRead: began)
        }
    }

    /// Queries the conditions and the gate, and then executes a plan; blocks a thread.
    ///
    /// A plan without new records creates no event.
    /// - Parameters:
    ///   - plan: The migration's plan.
    ///   - migration: The migration.
    /// - Returns: The outcome of every record, or the reason why nothing was migrated.
    /// - Throws: The migration's error, and the storage's error if an attempt cannot be counted.
    public func apply(
        _ plan: MigrationPlan,
        of migration: CredentialMigration
    ) async throws -> Result<MigrationReceipt> {
        try await step(.apply, from: plan.container, yield: AttemptResult.receipt) { began in
            if try migration.hasNew(plan) { try began() }
            return try migration.apply(plan)
        }
    }

    /// Queries the conditions and the gate, and then removes from the source the records that a receipt
    /// proves.
    ///
    /// The call blocks a thread.
    /// - Parameters:
    ///   - receipt: The migration's receipt.
    ///   - migration: The migration.
    ///   - backup: The file for the copy of the source; see ``CredentialMigration/retire(_:backup:warn:)``.
    ///   - warn: Receives a message about each place where a copy of removed records may remain.
    /// - Returns: The removed records, or the reason why no record was removed.
    /// - Throws: The errors of ``CredentialMigration/retire(_:backup:warn:)``, and the storage's error if an attempt
    ///   cannot be counted.
    public func retire(
        _ receipt: MigrationReceipt,
        of migration: CredentialMigration,
        backup: URL,
        warn: (String) -> Void = { _ in }
    ) async throws -> Result<Set<RecordFingerprint>> {
        func yield(_ removed: Set<RecordFingerprint>) -> AttemptResult {
            removed.isEmpty ? .nothing : .receipt(receipt.filter { removed.contains($0.fingerprint) })
        }
        return try await step(.retire, from: receipt.container, yield: yield) { began in
            try began()
            return try migration.retire(receipt, backup: backup, warn: warn)
        }
    }

    private func step<Value: Sendable>(
        _ step: MigrationGate.Step,
        from source: String?,
        yield: (Value) -> AttemptResult,
        _ body: (_ began: () throws -> Void) throws -> Value
    ) async throws -> Result<Value> {
        let answer = try await answer(to: step)
        guard answer.isAllowed else { return .refused(answer) }
        let outcome = Swift.Result { try attempt(step, source: source, yield: yield, body) }
        return try await result(of: outcome)
    }

    /// Delivers the events of an attempt, and then returns the result of the attempt.
    func result<Value: Sendable>(of outcome: Swift.Result<Value, any Error>) async throws -> Result<Value> {
        // The caller is waiting for the result, so the wait for the delivery of events is limited.
        _ = await Task { await deliver() }.value(within: patience)
        do {
            return .done(try outcome.get())
        } catch let error as MigrationError where error.code == .held {
            return .held
        }
    }

    /// Returns the answer of the conditions and the gate for a step.
    ///
    /// If the answer is ``MigrationGate/Answer/retry``, the guard is reset.
    ///
    /// If the gate does not answer in time, its last answer is used, even if that answer was given in an
    /// earlier process.
    /// - Parameter step: The step.
    /// - Returns: The answer.
    /// - Throws: The storage's error.
    public func answer(to step: MigrationGate.Step) async throws -> MigrationGate.Answer {
        try await answer(to: step, asking: nil)
    }

    /// Returns the combined answer of the conditions, the roll-out's gate and the gate `other` for a step.
    package func answer(
        to step: MigrationGate.Step,
        asking other: MigrationGate?
    ) async throws -> MigrationGate.Answer {
        if !conditions.isEmpty {
            let draw = try change { state in
                // An extension cannot store the random number, so only the app draws it.
                if !isExtension { state.isDrawn = true }
                return state.isDrawn ? state.draw : nil
            }
            guard let draw else { return .wait }
            for condition in conditions {
                guard await condition.holds(step, draw) else { return .wait }
            }
        }
        var answer = MigrationGate.Answer.go
        for (name, gate) in [(step.rawValue, gate), ("\(step.rawValue) of the mode", other)] {
            guard let gate else { continue }
            answer = try await self.answer(of: gate, to: step, named: name)
            guard answer.isAllowed else { break }
        }
        return answer
    }

    private func answer(
        of gate: MigrationGate,
        to step: MigrationGate.Step,
        named name: String
    ) async throws -> MigrationGate.Answer {
        guard let answer = await gate.answerInTime(to: step) else { return try read().answers[name] ?? .wait }
        try change { state in
            if answer == .retry {
                recordInterruptions(in: &state)
                state.freeGuard()
            }
            // The answer `retry` is stored as `go`, because it must reset the guard only once.
            state.answers[name] = answer == .retry ? .go : answer
        }
        return answer
    }

    /// Resets the guard, which then no longer blocks attempts.
    /// - Throws: The storage's error.
    public func retry() throws {
        try change { state in
            recordInterruptions(in: &state)
            state.freeGuard()
        }
    }

    /// Whether the guard blocks attempts by this version of the app.
    /// - Throws: The storage's error.
    public var isHeld: Bool {
        get throws {
            try Self.lock.withValue { _ in
                var state = try read()
                recordInterruptions(in: &state)
                return state.isHeld(versions.app)
            }
        }
    }

    /// Counts an attempt, runs it, and stores its event.
    /// - Parameters:
    ///   - step: The attempted step.
    ///   - source: The container, if it is known before the receipt.
    ///   - mark: A value that is stored with the outcome; it is not stored if records were locked. See
    ///     ``isDone(_:with:)``.
    ///   - yield: Converts the value of `body` into the contents of the event.
    ///   - body: Runs the attempt. It must call its parameter before it reads the first record, and must stop if the
    ///     parameter throws. So an attempt counts even if the process ends while a record is read. An attempt that does
    ///     not call its parameter creates no event.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, the storage's error, or ``MigrationError`` with the code `held`.
    package func attempt<Value>(
        _ step: MigrationGate.Step,
        source: String? = nil,
        mark: String? = nil,
        yield: (Value) -> AttemptResult,
        _ body: (_ began: () throws -> Void) throws -> Value
    ) throws -> Value {
        guard !isExtension else {
            if try isHeld { throw MigrationError.held }
            return try body {}
        }
        if try change({ recordInterruptionsAndGuard(before: step, in: &$0) }) { throw MigrationError.held }
        let start = ContinuousClock.now
        var begun: Attempt?
        defer { if let begun { Self.openHere.withValue { _ = $0.remove(begun.id) } } }
        let result = Swift.Result {
            try body {
                guard begun == nil else { return }
                begun = try begin(step, source)
            }
        }
        if let begun {
            let took = start.duration(to: .now).components
            let seconds = Double(took.seconds) + Double(took.attoseconds) / 1e18
            do {
                try change { state in
                    state.open.removeAll { $0.id == begun.id }
                    state.endInterruptions(of: step)
                    let yield = result.map(yield)
                    if case .success(.noAttempt) = yield {
                        // An attempt without new records creates no event. The next attempt gets the same number,
                        // unless a later number is already in use.
                        if state.attempts == begun.number { state.attempts -= 1 }
                        if begun.followsReset == true { state.isReset = true }
                    } else {
                        let event = event(begun, yield, .init(seconds: seconds))
                        if let mark, event.outcome != .locked { state.add(mark, for: step) }
                        state.add(event)
                    }
                }
            } catch {
                // The attempt has ended; only its event could not be stored. The next launch reports the attempt as
                // interrupted.
            }
        }
        return try result.get()
    }

    // MARK: - Events

    /// Delivers the undelivered events, including those of earlier processes.
    ///
    /// Each step delivers events, too. `FRAClient.start()` calls this method for the roll-out that the app has set as
    /// `FRAClient.migration.rollout`, unless the app uses its own `StorageClient`. In all other cases, the app has to
    /// call this method when it starts.
    ///
    /// If the app does not accept an event, the delivery stops at this event. The next call delivers the event again.
    public func deliver() async {
        guard let report, !isExtension,
            isDelivering.withValue({ isDelivering in
                defer { isDelivering = true }
                return !isDelivering
            })
        else { return }
        defer { isDelivering.withValue { $0 = false } }
        do {
            _ = try change { recordInterruptionsAndGuard(before: .apply, in: &$0) }
            while let event = try read().undelivered.first {
                try await report(event)
                try change { state in
                    state.events.removeAll { $0.attemptId == event.attemptId }
                    state.pushes?.removeAll { $0.attemptId == event.attemptId }
                }
            }
        } catch {
            // Undelivered events stay in the list, and the next call delivers them again.
        }
    }

    /// The undelivered events.
    ///
    /// The events of attempts come first, and then the events of pushes; both are ordered from the oldest to
    /// the newest.
    /// - Throws: The storage's error.
    public var undelivered: [MigrationEvent] { get throws { try read().undelivered } }

    /// Creates an event for one step of a push, stores the event, and delivers it in the background.
    ///
    /// Assign this method to the property `onMilestone` of the API that the app uses, and to the property
    /// `onMilestone` of the service extension.
    ///
    /// Without `report`, this method does nothing. The newest 50 events of pushes are kept, separately from the
    /// events of attempts. In an extension, this method stores nothing and calls `report` once. If the storage fails,
    /// the event is lost.
    /// - Parameter milestone: The step of the push.
    public func record(_ milestone: PushMilestone) {
        guard let report else { return }
        let event = MigrationEvent(milestone, versions: versions, day: today)
        guard !isExtension else {
            Task {
                do { try await report(event) } catch {
                    // An extension must not write the state, so the event is not stored, and the call is not
                    // repeated.
                }
            }
            return
        }
        do {
            try change { $0.addPush(event) }
        } catch {
            return
        }
        Task { await deliver() }
    }

    // MARK: - State

    // All roll-outs share one lock, because two roll-outs may use the same storage.
    private static let lock = Lock(0)
    /// The attempts that are running in this process, and are therefore not interrupted.
    private static let openHere = Lock<Set<UUID>>([])

    private func read() throws -> State {
        guard let data = try storage.read() else { return State() }
        do {
            let state = try JSONDecoder().decode(State.self, from: data)
            if state.isPlausible { return state }
        } catch {}
        // An invalid state is replaced; otherwise, the app would never migrate. The next event reports that
        // the state was reset.
        var state = State()
        state.isReset = true
        return state
    }

    @discardableResult
    private func change<Value>(_ body: (inout State) throws -> Value) throws -> Value {
        try Self.lock.withValue { _ in
            let before = try read()
            var state = before
            let value = try body(&state)
            // An extension must not write: the app may write at the same time, and an attempt or an event
            // would be lost.
            if state != before, !isExtension {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                try storage.write(try encoder.encode(state))
            }
            return value
        }
    }

    private func begin(_ step: MigrationGate.Step, _ source: String?) throws -> Attempt {
        let id = UUID()
        Self.openHere.withValue { _ = $0.insert(id) }
        do {
            return try change { state in
                state.attempts += 1
                let attempt = Attempt(
                    id: id,
                    number: state.attempts,
                    step: step,
                    source: MigrationEvent.Source(container: source),
                    versions: versions,
                    followsReset: state.isReset
                )
                state.isReset = nil
                state.open.append(attempt)
                return attempt
            }
        } catch {
            // Although an error was reported, the attempt may have been stored. If the attempt was stored, it
            // counts as interrupted.
            Self.openHere.withValue { _ = $0.remove(id) }
            throw error
        }
    }

    /// Returns whether this mark was stored with the last outcome of a step.
    func isDone(_ step: MigrationGate.Step, with mark: String) throws -> Bool {
        try read().checks?.done[step.rawValue] == mark
    }

    /// Records interrupted attempts, and returns whether the guard blocks a step.
    ///
    /// If the guard blocks a step that changes a store, the method also adds an event with the outcome `held`, once
    /// for each version of the app.
    /// - Returns: Whether the guard blocks the step.
    private func recordInterruptionsAndGuard(before step: MigrationGate.Step, in state: inout State) -> Bool {
        recordInterruptions(in: &state)
        if step.isCheck { return state.isHeld(versions.app, step) }
        guard state.isHeld(versions.app) else { return false }
        if state.heldVersion != versions.app {
            state.heldVersion = versions.app
            let attempt = Attempt(
                id: UUID(),
                number: state.attempts,
                step: .apply,
                source: .other,
                versions: versions,
                followsReset: nil
            )
            state.add(event(attempt, .held, guardHeld: true))
        }
        return true
    }

    private func recordInterruptions(in state: inout State) {
        let here = Self.openHere.withValue(\.self)
        let ended = state.open.filter { !here.contains($0.id) }
        state.open.removeAll { !here.contains($0.id) }
        // Attempts that ran at the same time were interrupted together. So all interrupted migrations count
        // as one, and all interrupted checks count as one.
        if let last = ended.last(where: { !$0.step.isCheck }) { state.interrupt(last) }
        if let last = ended.last(where: \.step.isCheck) { state.interrupt(last) }
        for attempt in ended {
            state.add(event(attempt, .interrupted, guardHeld: state.isHeld(versions.app, attempt.step)))
        }
    }

    private func event(
        _ attempt: Attempt,
        _ result: Swift.Result<AttemptResult, any Error>,
        _ duration: MigrationEvent.Duration
    ) -> MigrationEvent {
        switch result {
        case .success(.records(let records)):
            let outcome: MigrationEvent.Outcome =
                if records.isWhole, records.records.allSatisfy(\.isRetirable) {
                    .complete
                } else {
                    records.records.contains { $0.result.outcome == .locked } ? .locked : .partial
                }
            return event(attempt, outcome, records: records, duration: duration)
        case .success(.nothing), .success(.noAttempt):
            return event(attempt, .nothingToDo, duration: duration)
        case .failure(let error):
            let reason = MigrationReason(error)
            let outcome: MigrationEvent.Outcome =
                reason == .sourceLocked || reason == .storeLocked ? .locked : .failed
            return event(attempt, outcome, reason: reason, duration: duration)
        }
    }

    private func event(
        _ attempt: Attempt,
        _ outcome: MigrationEvent.Outcome,
        records: AttemptResult.Records? = nil,
        reason: MigrationReason? = nil,
        duration: MigrationEvent.Duration? = nil,
        guardHeld: Bool = false
    ) -> MigrationEvent {
        var tallies = MigrationEvent.tallies(records?.records ?? [])
        let reset = attempt.followsReset == true ? MigrationReason.stateReset : nil
        if let removed = records?.removed, removed > 0 {
            tallies.reasons.append(.init(code: .noCredential, count: removed))
        }
        return MigrationEvent(
            schema: 1,
            attemptId: attempt.id,
            attempt: attempt.number,
            step: attempt.step,
            outcome: outcome,
            counts: tallies.counts,
            reasons: tallies.reasons + [reason, reset].compactMap(\.self).map { .init(code: $0, count: 1) },
            duration: duration,
            source: records.map { .init(container: $0.container) } ?? attempt.source,
            versions: attempt.versions,
            day: today,
            guardHeld: guardHeld,
            push: nil
        )
    }

    private var today: String { clock().formatted(.iso8601.year().month().day()) }
}

/// The result of an attempt, from which the attempt's event is created.
package enum AttemptResult {
    /// There was nothing to do.
    case nothing
    /// All records were read and none of them was new, or the attempt was stopped.
    ///
    /// At a start, usually no record is new, so no event is needed.
    case noAttempt
    /// The outcomes of records.
    case records(Records)

    /// The outcomes of the records in a container.
    package struct Records {
        let container: String
        let records: [MigrationRecord]
        /// The number of records that were migrated but are no longer in the destination.
        var removed = 0
        /// Whether all records were read.
        var isWhole = true
    }

    /// Returns the records of a receipt.
    package static func receipt(_ receipt: MigrationReceipt) -> AttemptResult {
        .records(Records(container: receipt.container, records: receipt.records))
    }
}
