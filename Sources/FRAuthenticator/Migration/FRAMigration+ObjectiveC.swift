import CredentialMigration
import Foundation

// Objective-C has no enums with associated values. For the mode and the outcome, the members below therefore use
// enums without associated values. Swift code uses `mode`, `outcome` and `run()` instead.

/// The mode of a release, for Objective-C; see ``FRAMigration/Mode``.
#if canImport(ObjectiveC)
@objc
#endif
public enum FRAMigrationMode: Int, CaseIterable, Sendable {
    /// The API works in place, on the legacy SDK's own items.
    case inPlace
    /// The API works in place until the gate allows a migration.
    case gated
    /// ``FRAClient/start()`` migrates the records.
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
    /// There was nothing to import, for example because all records had already been imported.
    case nothingToDo
    /// Records were imported.
    case done
    /// Some records could not be imported yet; a later call continues the import.
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
    /// Exposes ``mode`` to Objective-C under the name `mode`.
    ///
    /// The mode `gated` uses the gate of ``rollout``. If the app has called ``useGate(_:)``, the mode also
    /// uses the gate from that call.
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
    /// - Parameter ask: The gate. It is called on any thread, at most once for each start; if the source is a
    ///   keychain, only until the records have moved. If the app has set ``rollout``, the gate is also called before
    ///   each check. The gate must call its argument within ten seconds: with `true` if the records may move or be
    ///   checked now, otherwise with `false`. Only the first call to the argument counts.
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

    /// Exposes ``outcome`` to Objective-C under the name `outcome`.
    #if canImport(ObjectiveC)
    @objc(outcome)
    #endif
    public var outcomeWithoutReceipt: FRAMigrationOutcome { FRAMigrationOutcome(outcome) }

    /// The error of the outcome ``Outcome/failed(_:)``, or `nil` for every other outcome.
    #if canImport(ObjectiveC)
    @objc(error)
    #endif
    public var failure: (any Error)? { if case .failed(let error) = outcome { error } else { nil } }

    /// The number of records in the receipt of ``outcome`` that were not proven; 0 if the outcome has no receipt.
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

    /// Exposes ``run()`` to Objective-C under the name `run`; the call blocks until the import ends.
    /// - Returns: The outcome.
    #if canImport(ObjectiveC)
    @objc(run)
    #endif
    @discardableResult
    public func runWithoutReceipt() -> FRAMigrationOutcome { FRAMigrationOutcome(run()) }

    /// Exposes ``moveBack()`` to Objective-C under the name `moveBackAndReturnError:`; the call blocks until
    /// the move ends.
    /// - Throws: The errors of ``moveBack()``.
    #if canImport(ObjectiveC)
    @objc(moveBackAndReturnError:)
    #endif
    public func moveBackWithoutSummary() throws { try moveBack() }
}
