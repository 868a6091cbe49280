import LegacyStore
import PushBridgeCore

/// Why a record does not become a value of the new model, as the result to report.
struct Refusal: Error {
    let result: MigrationResult

    init(_ error: LegacyRecordError) {
        let outcome: MigrationOutcome =
            switch error.code {
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .locked: .locked
            case .undecryptable: .undecryptable
            }
        result = MigrationResult(outcome, reason: error.reason)
    }

    init(_ error: ConversionError) {
        let outcome: MigrationOutcome =
            switch error.code {
            case .damaged: .damaged
            case .unsupported: .unsupported
            }
        result = MigrationResult(outcome, reason: error.reason)
    }
}
