public import CredentialMigration
import FRCore
public import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform

/// The import of the legacy SDK's own store, which ``FRAClient/start()`` runs by itself; nothing is removed there.
///
/// Records that arrived once are not imported again, so what the user removed stays removed. A start that finds the
/// keychain as the last import left it opens none of its items. Does nothing where an app brings its own
/// ``StorageClient``. Safe to use from any thread.
public final class FRAMigration: NSObject, Sendable {
    /// What an import did.
    public enum Outcome: Sendable {
        /// None ran yet, or it is switched off.
        case notRun
        /// There is nothing that was not imported before.
        case nothingToDo
        /// Records were imported; what became of each.
        case done(MigrationReceipt)
        /// The keychain, or some of the legacy store, is locked until the user unlocks the device; another try
        /// follows when accounts or pushes are next asked for, unless switched off. What became of the rest, if it
        /// could be read.
        case later(MigrationReceipt?)
        /// The import failed as a whole; another try follows at the next start.
        case failed(any Error)
    }

    static let shared = FRAMigration()

    private let state = Lock(State())
    private let running = Lock(0)

    override package init() {}

    /// Whether the client imports by itself, at its start and after something was locked; `true` unless switched off.
    ///
    /// ``run()`` imports either way.
    public var isEnabled: Bool {
        get { state.withValue(\.isEnabled) }
        set { state.withValue { $0.isEnabled = newValue } }
    }

    /// Where legacy records come from: the legacy SDK's keychain, where there is one; `nil` is nowhere.
    public var source: MigrationSource? {
        get { state.withValue(\.source) }
        set { state.withValue { $0.source = newValue } }
    }

    /// What the last import did.
    public var outcome: Outcome { state.withValue(\.outcome) }

    /// Imports what was not imported yet; blocks until it is done.
    /// - Returns: What the import did; an error is ``Outcome/failed(_:)``.
    @discardableResult
    public func run() -> Outcome { run(on: .shared) }

    /// Imports on the first start, and again as long as something is locked.
    func runIfDue(on authenticator: Authenticator) {
        guard isEnabled else { return }
        switch outcome {
        case .notRun, .later, .failed: run(on: authenticator)
        case .nothingToDo, .done: return
        }
    }

    /// Imports if the last import found something locked.
    func runAgainIfLocked(on authenticator: Authenticator) {
        if isEnabled, case .later = outcome { run(on: authenticator) }
    }

    @discardableResult
    package func run(on authenticator: Authenticator) -> Outcome {
        running.withValue { _ in
            let outcome = source.map { newOutcome($0, on: authenticator) } ?? .nothingToDo
            state.withValue { $0.outcome = outcome }
            return outcome
        }
    }

    package func reset() {
        state.withValue { $0 = State() }
    }

    private func newOutcome(_ source: MigrationSource, on authenticator: Authenticator) -> Outcome {
        guard authenticator.configuration.migration != nil else { return .nothingToDo }
        do {
            let store = try authenticator.store()
            let migration = CredentialMigration(from: source, to: store)
            guard let receipt = try migration.migrateNew() else { return .nothingToDo }
            return receipt.totals[.locked] > 0 ? .later(receipt) : .done(receipt)
        } catch let error as LegacyStoreError where error.code == .locked {
            return .later(nil)
        } catch let error as StoreError where error.code == .locked {
            // The keychain is where credentials go to as well.
            return .later(nil)
        } catch {
            FRALog.e("The legacy store could not be imported: \(LegacyError.reason(error))")
            return .failed(error)
        }
    }

    private struct State {
        var isEnabled = true
        var source = MigrationSource.legacyKeychain
        var outcome = Outcome.notRun
    }
}

extension MigrationSource {
    /// The legacy SDK's keychain; `nil` where there is none.
    static var legacyKeychain: MigrationSource? {
        #if canImport(Security)
        .keychain
        #else
        nil
        #endif
    }
}
