import PushBridgeCore

/// Whether what is stored does all that the source record did.
enum Proof: Equatable {
    /// Read back and equivalent.
    case proven
    /// The destination does not have it.
    case absent
    /// The destination has something else, for this reason.
    case different(String)

    /// Proven if `condition` holds.
    init(_ condition: Bool, else reason: @autoclosure () -> String) {
        self = condition ? .proven : .different(reason())
    }

    /// The grounds to report when it is not proven.
    var reason: String? {
        switch self {
        case .proven: nil
        case .absent: "The destination does not have this record."
        case .different(let reason): reason
        }
    }
}

extension MigrationResult {
    /// This result, verified if the proof succeeded, else with the proof's grounds.
    func verified(by proof: Proof) -> MigrationResult {
        MigrationResult(
            outcome,
            credentialId: credentialId,
            reason: reason ?? proof.reason,
            isVerified: proof == .proven
        )
    }
}
