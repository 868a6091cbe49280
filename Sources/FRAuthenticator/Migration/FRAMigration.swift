public import CredentialMigration
import FRCore
public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// Decides whether the API works on the legacy SDK's own records, and when the records move into the shared
/// store.
///
/// By default the API works on the legacy SDK's own keychain items. The app's previous release can still read these
/// items, so a release can be withdrawn. The property ``mode`` determines whether and when the records move. A
/// migration never removes records from the legacy store. A migrated record is not imported again, so a record that
/// the user removed stays removed. If the keychain has not changed since the last import, a start of the app opens
/// no keychain item. If the app has its own ``StorageClient``, there is no migration.
///
/// The class is safe to use from any thread.
public final class FRAMigration: NSObject, Sendable {
    /// Whether a release works in place or migrates the records.
    public enum Mode: Sendable {
        /// The API works in place, on the legacy SDK's own items.
        ///
        /// The records move only when the app calls ``FRAMigration/run()``.
        case inPlace
        /// The API works in place until the gate allows a migration, and then migrates as with ``atOnce``.
        ///
        /// ``FRAClient/start()`` queries the gate in the background and does not wait for the answer. If the
        /// app passes no gate here, only the gate and conditions of ``FRAMigration/rollout`` decide.
        case gated(MigrationGate = MigrationGate { _ in .go })
        /// ``FRAClient/start()`` migrates the records, and blocks until the migration ends.
        case atOnce
    }

    /// The result of a start or an import.
    public enum Outcome: Sendable {
        /// No start or import has run yet.
        case notRun
        /// The API works on the legacy SDK's own items.
        case inPlace
        /// There was nothing to import, for example because all records had already been imported.
        case nothingToDo
        /// Records were imported; the associated value contains the outcome of each new record.
        case done(MigrationReceipt)
        /// The import continues later, because the device is locked, an answer is being sent, or items cannot be read.
        ///
        /// Until then, the API works on the same records as before. The next call to ``FRAClient/getAllAccounts()``
        /// and the next received push retry the import if the mode allows it, or if the records have already moved.
        /// The associated value contains the outcomes of the records that could be read.
        case later(MigrationReceipt?)
        /// The whole import failed, and the API works on the same records as before; the next start retries.
        case failed(any Error)
        /// The guard stopped the migration, because two attempts of this version of the app had no outcome.
        ///
        /// The app crashed or was killed during these attempts. The API works on the same records as before. See
        /// ``FRAMigration/rollout``.
        case held
    }

    static let shared = FRAMigration()

    let state = Lock(State())
    private let running = Lock(0)

    override package init() {}

    /// The mode of the release; set it before ``FRAClient/start()``.
    ///
    /// The default is ``Mode/inPlace``, or ``Mode/atOnce`` for an app that set its own store with
    /// ``FRAClient/setCredentialStore(_:)``, because that store should contain the accounts. After the
    /// records have moved, the API uses the store in every mode. If the previous release adds records later,
    /// the next start imports them.
    public var mode: Mode {
        get { state.withValue { $0.mode ?? ($0.hasOwnStore ? .atOnce : .inPlace) } }
        set { state.withValue { $0.mode = newValue } }
    }

    /// The source of legacy records; with `nil` there is no migration.
    ///
    /// The default is the legacy SDK's keychain, or `nil` on platforms without a keychain.
    ///
    /// Only a keychain can be used in place. The records of any other source are available only after their
    /// migration.
    public var source: MigrationSource? {
        get { state.withValue(\.source) }
        set {
            state.withValue { state in
                state.source = newValue
                state.ownRollout = nil
            }
        }
    }

    /// The roll-out counts attempts, stops the migration after two attempts in a row without an outcome, and
    /// delivers events.
    ///
    /// Set this property before ``FRAClient/start()``.
    ///
    /// The default is a roll-out whose state is stored in the keychain of the source and whose events have no
    /// receiver. If the source is not a keychain, the default is `nil`. The mode ``Mode/gated(_:)`` evaluates
    /// the roll-out's gate and conditions in addition to its own gate.
    ///
    /// A roll-out that you set also runs two checks: `MigrationGate.Step.rehearse` while the app works in
    /// place, and `MigrationGate.Step.compare` at a start after the records have moved. The checks run in the
    /// background. A check begins when the app has not used its accounts for a second, and ends when the app
    /// uses them again. A check writes only its event and the state of the roll-out.
    public var rollout: MigrationRollout? {
        get {
            state.withValue { state in
                if let rollout = state.rollout ?? state.ownRollout { return rollout }
                guard let keychain = state.source?.legacyKeychain else { return nil }
                let storage = KeychainRolloutStorage(keychain.keychain, accessGroup: keychain.accessGroup)
                state.ownRollout = MigrationRollout(storage)
                return state.ownRollout
            }
        }
        set { state.withValue { $0.rollout = newValue } }
    }

    /// The result of the last start or import.
    public var outcome: Outcome { state.withValue(\.outcome) }

    /// Imports, in any mode, the records that have not been imported yet; the call blocks until the import ends.
    ///
    /// After a successful import, the API works on the store. A call in an extension does not move the legacy
    /// keychain items into the store; only the app can do this.
    ///
    /// - Returns: The result. If the import failed, the result ``Outcome/failed(_:)`` contains the error.
    @discardableResult
    public func run() -> Outcome { run(on: .shared) }

    /// Migrates or checks the records at a start, as the mode requires.
    /// - Returns: The task that queries the gate in the background, or `nil` if no gate is queried.
    @discardableResult
    package func runIfDue(on authenticator: Authenticator) -> Task<Void, Never>? {
        deliverEvents()
        switch outcome {
        case .notRun, .inPlace, .later, .failed, .held: break
        case .nothingToDo, .done: return nil
        }
        if case .atOnce = mode {
            run(on: authenticator)
            checkLater(on: authenticator)
            return nil
        }
        // Only a keychain is used in place. The API shows the records of any other source only after the gate
        // has allowed the migration.
        if source?.legacyKeychain != nil {
            do {
                guard try authenticator.isInPlace else {
                    // The records moved at an earlier start. This run imports the records that the previous
                    // release has added since then.
                    run(on: authenticator)
                    checkLater(on: authenticator)
                    return nil
                }
                state.withValue { $0.outcome = .inPlace }
            } catch {
                // The state of the move cannot be read. Nothing is run, because a run could move the records although
                // the mode does not allow a move.
                state.withValue { $0.outcome = Outcome(error) }
                return nil
            }
        }
        guard case .gated(let gate) = mode else {
            checkLater(on: authenticator)
            return nil
        }
        return Task {
            guard await mayApply(gate) else { return checkLater(on: authenticator) }
            state.withValue { $0.isAllowed = true }
            run(on: authenticator)
        }
    }

    /// Repeats the last import if it may now import more records, or if another process has moved the records.
    func runAgainIfDue(on authenticator: Authenticator) {
        if isDue(on: authenticator), mayRun(on: authenticator) { run(on: authenticator) }
    }

    /// Returns whether the mode or its gate allows a run at this start, or the records have already moved.
    private func mayRun(on authenticator: Authenticator) -> Bool {
        switch mode {
        case .atOnce: return true
        case .gated where state.withValue(\.isAllowed): return true
        case .inPlace, .gated:
            guard source?.legacyKeychain != nil else { return false }
            return authenticator.loggingFailure("Opening the storage", default: false) {
                try !authenticator.isInPlace
            }
        }
    }

    private func isDue(on authenticator: Authenticator) -> Bool {
        let (outcome, sawNothing) = state.withValue { ($0.outcome, $0.sawNothing) }
        let place = authenticator.loggingFailure("Opening the storage", default: nil) {
            try authenticator.place()
        }
        switch outcome {
        case .later: return true
        case .nothingToDo: return sawNothing
        case .done(let receipt): return sawNothing || place?.canReadRefused(of: receipt) == true
        case .inPlace:
            return authenticator.loggingFailure("Opening the storage", default: false) {
                try place?.lastState().isInPlace == false
            }
        case .notRun, .failed, .held: return false
        }
    }

    @discardableResult
    package func run(on authenticator: Authenticator) -> Outcome {
        running.withValue { _ in
            let outcome = source.map { newOutcome($0, on: authenticator) } ?? .nothingToDo
            state.withValue { $0.outcome = outcome }
            deliverEvents()
            return outcome
        }
    }

    private func deliverEvents() {
        guard let rollout = state.withValue(\.rollout) else { return }
        Task { await rollout.deliver() }
    }

    /// Returns whether the move is allowed by a gate and also by the roll-out's own gate and conditions.
    private func mayApply(_ gate: MigrationGate) async -> Bool {
        guard let rollout else { return await gate.answer(to: .apply).isAllowed }
        do {
            return try await rollout.answer(to: .apply, asking: gate).isAllowed
        } catch {
            FRALog.w("The state of the roll-out cannot be read: \(LegacyError.reason(error))")
            return false
        }
    }

    /// Runs `body`, as an attempt of the roll-out if there is a roll-out.
    private func attempt(
        _ source: MigrationSource,
        _ body: (_ began: () throws -> Void) throws -> Outcome
    ) throws -> Outcome {
        guard let rollout else { return try body {} }
        let container = source.legacyKeychain == nil ? nil : "keychain"
        return try rollout.attempt(.apply, source: container, yield: \.result, body)
    }

    /// Notes that the app has set its own store, into which nothing has been imported yet.
    package func recordOwnStore() {
        state.withValue { state in
            state.hasOwnStore = true
            (state.outcome, state.sawNothing) = (.notRun, false)
        }
    }

    package func reset() {
        state.withValue { $0 = State() }
    }

    private func newOutcome(_ source: MigrationSource, on authenticator: Authenticator) -> Outcome {
        guard authenticator.configuration.migration != nil else { return .nothingToDo }
        do {
            return try attempt(source) { began in
                if let place = try authenticator.place() {
                    return try move(place, willRead: began)
                }
                let migration = CredentialMigration(from: source, to: try authenticator.store())
                guard let receipt = try migration.migrateNew(willRead: began) else { return .nothingToDo }
                return Outcome(receipt)
            }
        } catch {
            return Outcome(error)
        }
    }

    private func move(_ place: RecordPlace, willRead: () throws -> Void) throws -> Outcome {
        switch try place.move(willRead: willRead) {
        case .later(let receipt): return .later(receipt)
        case .inPlace: return .inPlace
        case .moved(let receipt, let sawNothing):
            state.withValue { $0.sawNothing = sawNothing }
            return receipt.map(Outcome.init) ?? .nothingToDo
        }
    }

    /// Moves all records of the store back into the legacy SDK's own items, so that the API works in place
    /// again.
    ///
    /// Call this method in a release that prepares the return to the legacy SDK. The method first imports the
    /// changes of the previous release into the store. It then writes the records into the items, and reads them back
    /// to prove them. It empties the store only after every record has been written. If a call fails or is
    /// interrupted, the call can be repeated. Other processes switch to the legacy items automatically. The method
    /// blocks until the move ends; call it from any thread.
    /// - Returns: How many records of each kind were written.
    /// - Throws: `LegacyStoreError` if the legacy items cannot be read, and `StoreError`. Its code is `missing` if
    ///   there is no legacy keychain; `locked` if the device is locked or was unlocked only during the call, if the
    ///   device's key fails, or if an access group of the legacy items is not accessible; `notWritable` in an extension of the app, if two
    ///   records have the same legacy key, or if a record cannot be read; `failed` if an item contains a credential
    ///   that was not imported, or if the records moved to another store. The keychain and the store may throw
    ///   further errors.
    @discardableResult
    public func moveBack() throws -> ExportSummary { try moveBack(on: .shared) }

    package func moveBack(on authenticator: Authenticator) throws -> ExportSummary {
        guard !authenticator.configuration.isExtension else {
            let reason = "Only the app can move records back; an extension may lack access to items."
            throw StoreError(.notWritable, reason: reason)
        }
        guard let place = try authenticator.place() else {
            throw StoreError(.missing, reason: "There is no legacy keychain to move the records to.")
        }
        let summary = try place.moveBack()
        state.withValue { $0.outcome = .inPlace }
        return summary
    }

    struct State {
        var mode: Mode?
        var hasOwnStore = false
        var source = MigrationSource.ofThisDevice
        var rollout: MigrationRollout?
        /// The default roll-out, if the app has not set a roll-out.
        var ownRollout: MigrationRollout?
        var outcome = Outcome.notRun
        /// Whether the gate of the mode has allowed the move since the app started.
        var isAllowed = false
        /// Whether the last import found no item, perhaps because the keychain was not readable yet.
        var sawNothing = false
        /// The task of the rehearsal or comparison that follows this start of the app.
        var check: Task<Void, Never>?
    }
}

extension FRAMigration.Outcome {
    /// Creates the outcome for an error: `later` if the device is locked, `held` if the guard stopped the migration,
    /// otherwise `failed`.
    ///
    /// The error of the outcome `failed` is logged.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as MigrationError where error.code == .held:
            self = .held
        case let error as LegacyStoreError where error.code == .locked:
            self = .later(nil)
        case let error as StoreError where error.code == .locked:
            // The destination may also be a keychain, and a keychain is locked together with the device.
            self = .later(nil)
        default:
            FRALog.e("The legacy store could not be imported: \(LegacyError.reason(error))")
            self = .failed(error)
        }
    }

    /// Creates the outcome for a receipt: `later` if a record was locked, otherwise `done`.
    fileprivate init(_ receipt: MigrationReceipt) {
        self = receipt.records.contains(where: \.isLocked) ? .later(receipt) : .done(receipt)
    }

    fileprivate var result: AttemptResult {
        switch self {
        case .done(let receipt), .later(let receipt?): .receipt(receipt)
        case .nothingToDo: .noAttempt
        case .notRun, .inPlace, .later(nil), .failed, .held: .nothing
        }
    }
}

extension MigrationSource {
    /// The legacy SDK's keychain; `nil` on platforms without Apple's keychain.
    static var ofThisDevice: MigrationSource? {
        #if canImport(Security)
        .keychain
        #else
        nil
        #endif
    }
}
