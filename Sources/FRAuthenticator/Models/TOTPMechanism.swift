import PushBridgeCore

/// A mechanism whose codes follow time.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TOTPMechanism: OathMechanism, @unchecked Sendable {
    override class var kind: LegacyRecordKind? { .totp }

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// Seconds per code.
    public var period: Int {
        if case .totp(_, let period) = value.factor { period } else { 0 }
    }

    /// The code of this moment.
    ///
    /// Throws ``AccountError/accountLocked(_:)``, and ``OathError/invalidSecret`` if no code exists.
    public func generateCode() throws -> OathTokenCode {
        try (origin ?? .shared).code(for: self)
    }
}
