public import CredentialMigration
import FRCore
public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// Where the legacy SDK's records are worked on, and when they move into the store that both APIs share.
///
/// By default they stay where they are: the API works on the legacy SDK's own keychain items, which the app's previous
/// release reads as before, so that a release can be taken back. Migrating is a separate decision: `mode`.
/// Nothing is ever removed from the legacy store by it. Records that arrived once are not imported again, so what the user
/// removed stays removed. A start that finds the keychain as the last import left it opens none of its items. Does nothing
/// where an app brings its own ``StorageClient``. Safe to use from any thread.
public final class FRAMigration: NSObject, Sendable {
    /// Where a release works, and whether it migrates.
    public enum Mode: Sendable {
        /// On the legacy SDK's own items; nothing moves before ``FRAMigration/run()`` is called.
        case inPlace
        /// On the legacy SDK's own items until the gate allows it; then as ``atOnce``. ``FRAClient/start()`` asks it in
        /// the background, and never waits for it. Without its own gate, those of ``FRAMigration/rollout`` decide.
        case gated(MigrationGate = MigrationGate { _ in .go })
        /// ``FRAClient/start()`` migrates, and blocks until that is done.
        case atOnce
    }

    /// The result of a start or an import.
    public enum Outcome: Sendable {
        /// None ran yet.
        case notRun
        /// The API works on the legacy SDK's own items.
        case inPlace
        /// Everything was imported before.
        case nothingToDo
        /// Records were imported; contains the outcome of each.
        case done(MigrationReceipt)
        /// The keychain, or a part of the legacy store, is locked until the user unlocks the device, or an answer is in
        /// flight. Until then the API works on the legacy SDK's own items, and retries when accounts or pushes are next
        /// read, unless the mode is ``Mode/inPlace``. Contains the outcome of the other records, if they could be read.
        case later(MigrationReceipt?)
        /// The whole import failed, and the API works on the legacy SDK's own items; the next start retries.
        case failed(any Error)
        /// Two attempts of this version of the app ended without an outcome, because it crashed or was killed, so none was
        /// made; the API works where it worked before. See ``FRAMigration/rollout``.
        case held
    }

    static let shared = FRAMigration()

    let state = Lock(State())
    private let running = Lock(0)

    override package init() {}

    /// The mode of the release; set it before ``FRAClient/start()``.
    ///
    /// The default is ``Mode/inPlace``, or ``Mode/atOnce`` for an app that set its own store with
    /// ``FRAClient/setCredentialStore(_:)``, because that store should contain the accounts. After the records have
    /// moved, every mode works on the store, and a start imports what the previous release has added since.
    public var mode: Mode {
        get { state.withValue { $0.mode ?? ($0.hasOwnStore ? .atOnce : .inPlace) } }
        set { state.withValue { $0.mode = newValue } }
    }

    /// The source of legacy records: by default the legacy SDK's keychain, if the platform has one; `nil` means none.
    ///
    /// Only a keychain supports working in place; the records of another source are available only after its migration.
    public var source: MigrationSource? {
        get { state.withValue(\.source) }
        set {
            state.withValue { state in
                state.source = newValue
                state.ownRollout = nil
            }
        }
    }

    /// Counts attempts, blocks them after two that ended without an outcome, and delivers events; set it before
    /// ``FRAClient/start()``.
    ///
    /// By default its state is in the keychain of the source, and its events have no receiver; for another kind of
    /// source the default is `nil`. ``Mode/gated(_:)`` evaluates its gate and conditions in addition to the gate of the
    /// mode.
    ///
    /// A roll-out that you set also gets the steps `MigrationGate.Step.rehearse`, while the app works in place, and
    /// `MigrationGate.Step.compare`, at a start after the records moved. They run in the background when the app has not
    /// used its accounts for a second, end when it does, and write nothing but the event.
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

    /// Imports the records that were not imported yet, in any mode; blocks until it is done.
    ///
    /// In an extension of the app, the legacy keychain items stay in charge until the app has moved them.
    ///
    /// From then on the API works on the store.
    /// - Returns: The result; an error is ``Outcome/failed(_:)``.
    @discardableResult
    public func run() -> Outcome { run(on: .shared) }

    /// Does at a start what the mode says.
    /// - Returns: The task in the background; `nil` if there is none.
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
        // A source that is not a keychain is not used in place: nothing of it is here before the gate allows it.
        if source?.legacyKeychain != nil {
            do {
                guard try authenticator.isInPlace else {
                    // The records moved at an earlier start: the records that the previous release added since are imported.
                    run(on: authenticator)
                    checkLater(on: authenticator)
                    return nil
                }
                state.withValue { $0.outcome = .inPlace }
            } catch {
                // Without the state, a run would move the records although the mode may not allow it.
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

    /// Imports again if the last import left something that can be imported now, or another process moved the records.
    func runAgainIfDue(on authenticator: Authenticator) {
        if isDue(on: authenticator), mayRun(on: authenticator) { run(on: authenticator) }
    }

    /// Returns whether a run is allowed now: by the mode, by its gate at this start, or because the records moved before.
    private func mayRun(on authenticator: Authenticator) -> Bool {
        switch mode {
        case .atOnce: return true
        case .gated where state.withValue(\.isAllowed): return true
        case .inPlace, .gated:
            guard source?.legacyKeychain != nil else { return false }
            return authenticator.attempt("Opening the storage", or: false) { try !authenticator.isInPlace }
        }
    }

    private func isDue(on authenticator: Authenticator) -> Bool {
        let (outcome, sawNothing) = state.withValue { ($0.outcome, $0.sawNothing) }
        let place = authenticator.attempt("Opening the storage", or: nil) { try authenticator.place() }
        switch outcome {
        case .later: return true
        case .nothingToDo: return sawNothing
        case .done(let receipt): return sawNothing || place?.canReadRefused(of: receipt) == true
        case .inPlace:
            return authenticator.attempt("Opening the storage", or: false) {
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

    /// Whether a gate lets the records move, and the roll-out's own gate and conditions do.
    private func mayApply(_ gate: MigrationGate) async -> Bool {
        guard let rollout else { return await gate.answer(to: .apply).lets }
        do {
            return try await rollout.answer(to: .apply, asking: gate).lets
        } catch {
            FRALog.w("The state of the roll-out cannot be read: \(LegacyError.reason(error))")
            return false
        }
    }

    /// Counts an attempt where there is a roll-out.
    private func attempt(
        _ source: MigrationSource,
        _ body: (_ began: () throws -> Void) throws -> Outcome
    ) throws -> Outcome {
        guard let rollout else { return try body {} }
        let container = source.legacyKeychain == nil ? nil : "keychain"
        return try rollout.attempt(.apply, source: container, yield: \.yield, body)
    }

    package func noteOwnStore() {
        state.withValue { $0.hasOwnStore = true }
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

    /// Writes all that the store holds into the legacy SDK's own items, reads it back, and works on these from then on; for a
    /// release that has to go back to the legacy SDK.
    ///
    /// Imports the changes of the previous release first. Empties the store at the end. The store does not change unless every
    /// record arrived; a call that failed or was killed can be repeated. Other processes switch to the legacy items
    /// automatically. Blocks; call it from any thread.
    /// - Returns: How many records were written.
    /// - Throws: `StoreError`: with the code `missing` where there is no legacy keychain, `notWritable` where records have
    ///   no place there, because two of them have one key or cannot be read, and in an extension of the app; `locked` if a
    ///   keychain group of the legacy items is not accessible; and the keychain's own. `LegacyStoreError` if the legacy
    ///   items cannot be read.
    @discardableResult
    public func moveBack() throws -> ExportSummary { try moveBack(on: .shared) }

    package func moveBack(on authenticator: Authenticator) throws -> ExportSummary {
        guard !authenticator.configuration.isExtension else {
            let reason = "Only the app can move records back; it may not see items that an extension adds."
            throw StoreError(.notWritable, reason: reason)
        }
        guard let place = try authenticator.place() else {
            throw StoreError(.missing, reason: "There is no keychain of the legacy SDK to move back into.")
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
        /// The one of an app that set none.
        var ownRollout: MigrationRollout?
        var outcome = Outcome.notRun
        /// Whether the gate of the mode allowed the move since the start.
        var isAllowed = false
        /// Whether the last import found no item: the keychain may not be readable yet.
        var sawNothing = false
        /// The rehearsal or comparison of this start.
        var check: Task<Void, Never>?
    }
}

extension FRAMigration.Outcome {
    /// Later, if the error only means that the device is locked; logs every other one.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as MigrationError where error.code == .held:
            self = .held
        case let error as LegacyStoreError where error.code == .locked:
            self = .later(nil)
        case let error as StoreError where error.code == .locked:
            // The destination may be a keychain too, which is locked with the device.
            self = .later(nil)
        default:
            FRALog.e("The legacy store could not be imported: \(LegacyError.reason(error))")
            self = .failed(error)
        }
    }

    /// Later, if a record only waits for the device to be unlocked.
    fileprivate init(_ receipt: MigrationReceipt) {
        self = receipt.records.contains(where: \.isLocked) ? .later(receipt) : .done(receipt)
    }

    fileprivate var yield: AttemptYield {
        switch self {
        case .done(let receipt), .later(let receipt?): .receipt(receipt)
        case .nothingToDo: .noAttempt
        case .notRun, .inPlace, .later(nil), .failed, .held: .nothing
        }
    }
}

extension MigrationSource {
    /// The legacy SDK's keychain; `nil` where there is none.
    static var ofThisDevice: MigrationSource? {
        #if canImport(Security)
        .keychain
        #else
        nil
        #endif
    }
}
