public import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A mechanism that makes one-time passwords.
#if canImport(ObjectiveC)
@objcMembers
#endif
public class OathMechanism: Mechanism, @unchecked Sendable {
    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// The length of a code; setting it changes this object only.
    public var digits: Int {
        get { parameters?.digits ?? 0 }
        set {
            content.withValue { content in
                switch content.factor {
                case .totp(var parameters, let period):
                    parameters.digits = newValue
                    content.factor = .totp(parameters, period: period)
                case .hotp(var parameters, let counter):
                    parameters.digits = newValue
                    content.factor = .hotp(parameters, counter: counter)
                case .push: break
                }
            }
        }
    }

    /// The name of the hash function, in lower case.
    public var algorithm: String { parameters?.algorithm.lowercased() ?? "" }

    private var parameters: LegacyOathParameters? {
        switch value.factor {
        case .totp(let parameters, _), .hotp(let parameters, _): parameters
        case .push: nil
        }
    }
}

/// A mechanism whose codes follow time.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TOTPMechanism: OathMechanism, @unchecked Sendable {
    override class var kind: LegacyRecordKind? { .totp }

    /// `true`.
    override public class var supportsSecureCoding: Bool { true }

    /// Seconds per code; setting them changes this object only.
    public var period: Int {
        get { if case .totp(_, let period) = value.factor { period } else { 0 } }
        set {
            content.withValue { content in
                guard case .totp(let parameters, _) = content.factor else { return }
                content.factor = .totp(parameters, period: newValue)
            }
        }
    }

    /// The code of this moment, after RFC 6238.
    /// - Returns: The code, and when it begins and ends to hold.
    /// - Throws: ``AccountError/accountLocked(_:)``; ``CryptoError/failToConvertData`` if the secret is not base32 (RFC
    ///   4648); ``OathError/invalidSecret`` if no code exists, for example for a period of 0;
    ///   ``MechanismError/failedToUpdateInformation(_:)`` if the storage fails.
    public func generateCode() throws -> OathTokenCode {
        try (origin ?? .shared).code(for: self)
    }
}

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

    /// The next code, after RFC 4226; the next counter is stored before the code is returned.
    ///
    /// Where RFC 4226 has no code for a counter (a digest too short to truncate, as with MD5) the counter moves on too,
    /// so the next call may succeed.
    /// - Returns: The code; it holds until it is used.
    /// - Throws: ``AccountError/accountLocked(_:)``; ``CryptoError/failToConvertData`` if the secret is not base32 (RFC
    ///   4648); ``OathError/invalidSecret`` if no code exists, or if the counter is at its end;
    ///   ``MechanismError/failedToUpdateInformation(_:)`` if the storage fails, or if the mechanism was removed from
    ///   a store that is not an app's own ``StorageClient``.
    public func generateCode() throws -> OathTokenCode {
        try (origin ?? .shared).nextCode(for: self)
    }

    /// Takes over the counter that is stored.
    func move(to counter: Int) {
        content.withValue { content in
            guard case .hotp(let parameters, _) = content.factor else { return }
            content.factor = .hotp(parameters, counter: counter)
        }
    }
}

/// A one-time password and how long it holds.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class OathTokenCode: NSObject, Codable, Sendable {
    /// `totp` or `hotp`.
    public let tokenType: String
    /// The code.
    public let code: String
    /// When the code began to hold, in seconds since 1970.
    public let start: TimeInterval
    /// When the code stops to hold, in seconds since 1970; `nil` for a code that follows a counter.
    public let until: TimeInterval?

    init(tokenType: String, code: String, start: TimeInterval, until: TimeInterval?) {
        self.tokenType = tokenType
        self.code = code
        self.start = start
        self.until = until
    }

    /// Whether the code is valid now; one that follows a counter always is.
    public var isValid: Bool {
        guard tokenType.lowercased() != "hotp", let until else { return true }
        let now = Date().timeIntervalSince1970
        return start <= now && now < until
    }

    /// How much of its time is over, 0...1; 0 for a code that follows a counter.
    public var progress: Float {
        guard let until, until > start else { return 0 }
        let elapsed = Date().timeIntervalSince1970 - start
        return Float(min(max(0, elapsed / (until - start)), 1))
    }

    /// The code as JSON text, its dates in seconds since 1970.
    /// - Returns: The text; `nil` for a date that JSON cannot express.
    public func toJson() -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
