import PushBridgeCore

/// A mechanism whose codes follow a counter.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class HOTPMechanism: OathMechanism, @unchecked Sendable {
    override class var kind: LegacyRecordKind? { .hotp }

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The counter of the next code.
    public var counter: Int {
        if case .hotp(_, let counter) = value.factor { counter } else { 0 }
    }

    /// The next code; the counter after it is stored before the code is handed out.
    ///
    /// Throws ``AccountError/accountLocked(_:)``, ``OathError/invalidSecret`` if no code exists, and
    /// ``MechanismError/failedToUpdateInformation(_:)`` if the counter cannot be stored.
    public func generateCode() throws -> OathTokenCode {
        try (origin ?? .shared).nextCode(for: self)
    }

    /// Takes over the counter that is stored.
    func move(to counter: Int) {
        content.withValue { content in
            guard case .hotp(let parameters, _) = content.factor else { return }
            content = content.with(.hotp(parameters, counter: counter))
        }
    }
}
