import PushBridgeCore

/// A mechanism that makes one-time passwords.
#if canImport(ObjectiveC)
@objcMembers
#endif
public class OathMechanism: Mechanism, @unchecked Sendable {
    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The length of a code.
    public var digits: Int { parameters?.digits ?? 0 }

    /// The name of the hash function, in lower case.
    public var algorithm: String { parameters?.algorithm.lowercased() ?? "" }

    private var parameters: LegacyOathParameters? {
        switch value.factor {
        case .totp(let parameters, _), .hotp(let parameters, _): parameters
        case .push: nil
        }
    }
}
