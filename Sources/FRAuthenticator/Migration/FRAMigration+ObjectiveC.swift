import CredentialMigration
import Foundation

// Objective-C has no enums with associated values, so these members use enums without values for mode and outcome.
// Swift code uses `mode`, `outcome` and `run()`.

/// The mode of a release, for Objective-C; see ``FRAMigration/Mode``.
#if canImport(ObjectiveC)
@objc
#endif
public enum FRAMigrationMode: Int, CaseIterable, Sendable {
    /// The API works in place, on the legacy SDK's own items.
    case inPlace
    /// The API works in place until the gate allows a migration.
    case gated
    /// ``FRAClient/start()`` migrates.
    case atOnce
}

/// The result of a start or an import, for Objective-C; see ``FRAMigration/Outcome``.
#if canImport(ObjectiveC)
@objc
#endif
public enum FRAMigrationOutcome: Int, CaseIterable, Sendable {
    /// No start or import has run yet.
    case notRun
    /// The API works on the legacy SDK's own items.
    case inPlace
    /// Everything was imported before.
    case nothingToDo
    /// Records were imported.
    case done
    /// A part of the records is locked; a later call continues.
    case later
    /// The whole import failed.
    case failed
    /// The guard stopped the migration.
    case held

    init(_ outcome: FRAMigration.Outcome) {
        self =
            switch outcome {
            case .notRun: .notRun
            case .inPlace: .inPlace
            case .nothingToDo: .nothingToDo
            case .done: .done
            case .later: .later
            case .failed: .failed
            case .held: .held
            }
    }
}

extension FRAMigration {
    /// ``mode`` in Objective-C, under the name `mode`.
    ///
    /// `gated` uses the gate of ``rollout`` and, if ``useGate(_:)`` was called, also its gate.
    #if canImport(ObjectiveC)
    @objc(mode)
    #endif
    public var modeWithoutGate: FRAMigrationMode {
        get {
            switch mode {
            case .inPlace: .inPlace
            case .gated: .gated
            case .atOnce: .atOnce
            }
        }
        set {
            switch (newValue, mode) {
            case (.inPlace, _): mode = .inPlace
            case (.gated, .gated): break
            case (.gated, _): mode = .gated()
            case (.atOnce, _): mode = .atOnce
            }
        }
    }

    /// Sets the mode to `gated`, with a gate for Objective-C.
    /// - Parameter ask: The gate, called once for each start, on any thread. Within ten seconds it calls its argument
    ///   with whether the records may move now; later calls of the argument have no effect.
    #if canImport(ObjectiveC)
    @objc(useGate:)
    #endif
    public func useGate(_ ask: @escaping @Sendable (_ answer: @escaping @Sendable (Bool) -> Void) -> Void) {
        mode = .gated(
            MigrationGate { _ in
                let (answers, continuation) = AsyncStream<Bool>.makeStream()
                ask {
                    continuation.yield($0)
                    continuation.finish()
                }
                for await mayMove in answers { return mayMove ? .go : .wait }
                return .wait
            }
        )
    }

    /// ``outcome`` in Objective-C, under the name `outcome`.
    #if canImport(ObjectiveC)
    @objc(outcome)
    #endif
    public var outcomeWithoutReceipt: FRAMigrationOutcome { FRAMigrationOutcome(outcome) }

    /// The error of ``Outcome/failed(_:)``; `nil` for other outcomes.
    #if canImport(ObjectiveC)
    @objc(error)
    #endif
    public var failure: (any Error)? { if case .failed(let error) = outcome { error } else { nil } }

    /// The number of records in the last receipt that were not migrated or not proven; 0 without a receipt.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public var unprovenRecords: Int {
        switch outcome {
        case .done(let receipt), .later(let receipt?):
            receipt.records.count { !$0.isRetirable }
        case .notRun, .inPlace, .nothingToDo, .later(nil), .failed, .held: 0
        }
    }

    /// ``run()`` in Objective-C, under the name `run`; blocks until it is done.
    /// - Returns: The outcome.
    #if canImport(ObjectiveC)
    @objc(run)
    #endif
    @discardableResult
    public func runWithoutReceipt() -> FRAMigrationOutcome { FRAMigrationOutcome(run()) }

    /// ``moveBack()`` in Objective-C, under the name `moveBackAndReturnError:`; blocks until it is done.
    /// - Throws: The errors of ``moveBack()``.
    #if canImport(ObjectiveC)
    @objc(moveBackAndReturnError:)
    #endif
    public func moveBackWithoutSummary() throws { try moveBack() }
}
