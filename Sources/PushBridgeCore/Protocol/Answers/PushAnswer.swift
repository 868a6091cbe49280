/// What the user answers to a push.
public enum PushAnswer: Equatable, Sendable {
    /// Approves a push of type ``PushType/default``.
    case approve
    /// Approves a push of type ``PushType/challenge`` with the number that the user chose.
    case approveChallenge(String)
    /// Approves a push of type ``PushType/biometric``, after local authentication.
    case approveBiometric
    /// Denies a push of any type.
    case deny

    /// Whether this approves.
    public var isApproval: Bool { self != .deny }

    /// Whether a push of this type takes this answer.
    public func suits(_ type: PushType) -> Bool {
        switch (self, type) {
        case (.deny, _), (.approve, .default): true
        case (.approveChallenge, .challenge), (.approveBiometric, .biometric): true
        default: false
        }
    }
}
