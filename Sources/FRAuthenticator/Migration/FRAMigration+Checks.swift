package import CredentialMigration
import PushBridgePlatform

// The two checks change no record: a rehearsal while the app works in place, and a comparison after the records
// have moved.

extension FRAMigration {
    /// The task of the rehearsal or comparison that follows this start of the app.
    ///
    /// Only tests wait for this task.
    package var check: Task<Void, Never>? { state.withValue { $0.check } }

    /// Starts a task that runs the due check when the app is idle.
    ///
    /// No check runs in an extension, or in an app that has not set a roll-out.
    func checkLater(on authenticator: Authenticator) {
        guard state.withValue({ $0.rollout != nil }), !authenticator.configuration.isExtension else { return }
        let check = Task(priority: .utility) { await checkWhenIdle(on: authenticator) }
        state.withValue { $0.check = check }
    }

    /// Waits until the app is not using its accounts, and then runs a check if the gates and conditions allow it.
    private func checkWhenIdle(on authenticator: Authenticator) async {
        guard let rollout else { return }
        let gate: MigrationGate? = if case .gated(let gate) = mode { gate } else { nil }
        var isAllowed = false
        do {
            // If the app uses its accounts all the time, the check runs after a later start.
            for _ in 0..<60 {
                let uses = authenticator.uses
                try await authenticator.configuration.clock.sleep(for: .seconds(1))
                guard authenticator.uses == uses else { continue }
                if !isAllowed {
                    // The gate may send a request, so it is queried only if a check is due.
                    guard let (step, migration) = try due(on: authenticator),
                        try rollout.isDue(step, of: migration),
                        try await rollout.answer(to: step, asking: gate).isAllowed
                    else { return }
                    isAllowed = true
                }
                let result = await blocking { [self] in try checkNow(on: authenticator) }
                if case .ended = try result.get() { continue }
                break
            }
        } catch let error as MigrationError where error.code == .held {
            return
        } catch {
            FRALog.w("The migration could not be checked: \(LegacyError.reason(error))")
        }
        await rollout.deliver()
    }

    /// The result of a check.
    package enum CheckResult: Sendable {
        /// No check ran, for example because none is due or because it has already run.
        case nothing
        /// The check ended because the app began to use its accounts.
        case ended
        /// The records that were checked.
        case records([MigrationRecord])
    }

    /// Runs the check that is due, without querying a gate; the call blocks until the check ends.
    /// - Returns: The result.
    /// - Throws: The errors of the stores and of the roll-out's state.
    @discardableResult
    package func checkNow(on authenticator: Authenticator) throws -> CheckResult {
        guard let rollout, let (step, migration) = try due(on: authenticator) else { return .nothing }
        let uses = authenticator.uses
        let isIdle: @Sendable () -> Bool = { authenticator.uses == uses }
        let limit = Duration.seconds(2)
        let records =
            switch step {
            case .compare:
                try rollout.check(step, of: migration, limit, while: isIdle) { try $0.compare(while: $1) }?
                    .records
            default:
                try rollout.check(step, of: migration, limit, while: isIdle) { try $0.rehearse(while: $1) }?
                    .records
            }
        return records.map(CheckResult.records) ?? (isIdle() ? .nothing : .ended)
    }

    private func due(
        on authenticator: Authenticator
    ) throws -> (step: MigrationGate.Step, migration: CredentialMigration)? {
        guard authenticator.configuration.migration != nil, let source else { return nil }
        switch outcome {
        // No check is due if this start has just imported and proven records, or if some records have not been
        // imported.
        case .done, .later, .held, .failed: return nil
        case .notRun, .inPlace, .nothingToDo: break
        }
        if let place = try authenticator.place() { return try place.check() }
        let isMoved = if case .nothingToDo = outcome { true } else { false }
        return (
            isMoved ? .compare : .rehearse, CredentialMigration(from: source, to: try authenticator.store())
        )
    }
}
