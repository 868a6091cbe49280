public import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A mechanism that generates one-time passwords.
#if canImport(ObjectiveC)
@objcMembers
#endif
public class OathMechanism: Mechanism, @unchecked Sendable {
    /// Always `true`, because the class conforms to `NSSecureCoding`.
    override public class var supportsSecureCoding: Bool { true }

    /// The number of digits in a one-time password.
    ///
    /// Setting this property changes only this object.
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

/// A mechanism whose one-time passwords depend on the time (TOTP).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TOTPMechanism: OathMechanism, @unchecked Sendable {
    override class var kind: LegacyRecordKind? { .totp }

    /// Always `true`, because the class conforms to `NSSecureCoding`.
    override public class var supportsSecureCoding: Bool { true }

    /// The number of seconds for which a one-time password is valid.
    ///
    /// Setting this property changes only this object.
    public var period: Int {
        get { if case .totp(_, let period) = value.factor { period } else { 0 } }
        set {
            content.withValue { content in
                guard case .totp(let parameters, _) = content.factor else { return }
                content.factor = .totp(parameters, period: newValue)
            }
        }
    }

    /// Returns the current one-time password (RFC 6238).
    /// - Returns: The one-time password, together with the start and the end of its validity.
    /// - Throws: ``AccountError/accountLocked(_:)``; ``CryptoError/failToConvertData`` if the secret is not base32 (RFC
    ///   4648); ``OathError/invalidSecret`` if generation fails, for example because the period is 0;
    ///   ``MechanismError/failedToUpdateInformation(_:)`` if the storage fails.
    public func generateCode() throws -> OathTokenCode {
        try (origin ?? .shared).code(for: self)
    }
}

/// A mechanism whose one-time passwords depend on a counter (HOTP).
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class HOTPMechanism: OathMechanism, @unchecked Sendable {
    override class var kind: LegacyRecordKind? { .hotp }

    /// Always `true`, because the class conforms to `NSSecureCoding`.
    override public class var supportsSecureCoding: Bool { true }

    /// The counter of the next one-time password.
    public var counter: Int {
        if case .hotp(_, let counter) = value.factor { counter } else { 0 }
    }

    /// Stores the next counter, and then returns the next one-time password (RFC 4226).
    ///
    /// The counter increases even if no one-time password can be generated, so that the next call can succeed. For
    /// example, some counters have no one-time password if the digest is as short as that of MD5.
    /// - Returns: The one-time password, which is valid until it is used.
    /// - Throws: ``AccountError/accountLocked(_:)``; ``CryptoError/failToConvertData`` if the secret is not base32 (RFC
    ///   4648); ``OathError/invalidSecret`` if generation fails, or if the counter is at its maximum;
    ///   ``MechanismError/failedToUpdateInformation(_:)`` if the storage fails, or if the mechanism was removed from a
    ///   store that is not an app's own ``StorageClient``.
    public func generateCode() throws -> OathTokenCode {
        try (origin ?? .shared).nextCode(for: self)
    }

    /// Sets the counter of this object to the stored counter.
    func move(to counter: Int) {
        content.withValue { content in
            guard case .hotp(let parameters, _) = content.factor else { return }
            content.factor = .hotp(parameters, counter: counter)
        }
    }
}

/// A one-time password with its validity.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class OathTokenCode: NSObject, Codable, Sendable {
    /// The kind of the one-time password: `totp` or `hotp`.
    public let tokenType: String
    /// The digits of the one-time password.
    public let code: String
    /// The time from which the one-time password is valid, in seconds since 1970.
    public let start: TimeInterval
    /// The time at which the one-time password expires, in seconds since 1970, or `nil` for HOTP.
    public let until: TimeInterval?

    init(tokenType: String, code: String, start: TimeInterval, until: TimeInterval?) {
        self.tokenType = tokenType
        self.code = code
        self.start = start
        self.until = until
    }

    /// Whether the one-time password is valid now; always `true` for HOTP.
    public var isValid: Bool {
        guard tokenType.lowercased() != "hotp", let until else { return true }
        let now = Date().timeIntervalSince1970
        return start <= now && now < until
    }

    /// The elapsed part of the time in which the one-time password is valid, from 0 to 1; always 0 for HOTP.
    public var progress: Float {
        guard let until, until > start else { return 0 }
        let elapsed = Date().timeIntervalSince1970 - start
        return Float(min(max(0, elapsed / (until - start)), 1))
    }

    /// Returns the one-time password and its validity as JSON text, with dates in seconds since 1970.
    /// - Returns: The text, or `nil` if JSON cannot express one of the dates.
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
