import Crypto
package import Foundation

/// HOTP (RFC 4226) and TOTP (RFC 6238) over a shared secret.
package struct OneTimePassword: Equatable, Sendable {
    /// The secret from which the one-time passwords are computed.
    package let secret: SharedSecret
    /// The hash function.
    package let algorithm: OathAlgorithm
    /// The number of digits of a one-time password; a number outside 1...9 cannot be used.
    package let digits: Int

    /// Creates a generator of one-time passwords.
    ///
    /// - Throws: ``OneTimePasswordError/unsupportedDigits(_:)`` if `digits` is outside 1...9.
    package init(
        secret: SharedSecret,
        algorithm: OathAlgorithm = .sha1,
        digits: Int = 6
    ) throws(OneTimePasswordError) {
        guard (1...9).contains(digits) else { throw .unsupportedDigits(digits) }
        self.init(unchecked: secret, algorithm: algorithm, digits: digits)
    }

    /// Creates a generator without validating the parameters, because the successor SDK's values may be
    /// invalid.
    package init(unchecked secret: SharedSecret, algorithm: OathAlgorithm, digits: Int) {
        self.secret = secret
        self.algorithm = algorithm
        self.digits = digits
    }

    /// Returns the one-time password for a counter (RFC 4226).
    ///
    /// - Throws: ``OneTimePasswordError`` if `counter` is negative, the number of digits is outside 1...9, the
    ///   secret cannot be used, or an MD5 digest is too short to truncate.
    package func code(counter: Int) throws(OneTimePasswordError) -> String {
        guard counter >= 0 else { throw .negativeCounter }
        guard (1...9).contains(digits) else { throw .unsupportedDigits(digits) }
        guard secret.isUsable else { throw .unusableSecret }
        let message = withUnsafeBytes(of: UInt64(counter).bigEndian) { Data($0) }
        let digest = algorithm.authenticationCode(for: message, secret: secret)
        return try truncated(digest)
    }

    /// Returns the one-time password that is valid at a time; the period is in seconds (RFC 6238).
    ///
    /// - Throws: ``OneTimePasswordError`` if `period` is not positive or the time is before 1970, and the errors of
    ///   ``code(counter:)``.
    package func code(at date: Date, period: Int) throws(OneTimePasswordError) -> String {
        guard period > 0 else { throw .unsupportedPeriod(period) }
        guard let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)), seconds >= 0 else {
            throw .negativeCounter
        }
        return try code(counter: seconds / period)
    }

    private func truncated(_ digest: [UInt8]) throws(OneTimePasswordError) -> String {
        let offset = Int(digest[digest.count - 1] & 0x0F)
        guard offset + 4 <= digest.count else { throw .truncationOutOfBounds }
        let word = digest[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt32(1)) { power, _ in power * 10 }
        let text = String(word % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }
}

/// The reason why a one-time password cannot be computed.
package enum OneTimePasswordError: Error, Equatable, Sendable {
    /// The number of digits is outside 1...9.
    case unsupportedDigits(Int)
    /// The period in seconds is not positive.
    case unsupportedPeriod(Int)
    /// The counter is negative, or the time is before 1970.
    case negativeCounter
    /// The secret is text from which no key can be decoded.
    case unusableSecret
    /// The truncation of RFC 4226 reads beyond the end of a 16-byte MD5 digest, so there is no correct
    /// one-time password.
    case truncationOutOfBounds
}

/// The hash function of a one-time password.
public enum OathAlgorithm: String, CaseIterable, Codable, Sendable {
    /// HMAC-MD5, for old servers.
    ///
    /// Some one-time passwords cannot be computed with MD5; see `OneTimePasswordError`.
    case md5 = "MD5"
    /// HMAC-SHA1, the default.
    case sha1 = "SHA1"
    /// HMAC-SHA224.
    case sha224 = "SHA224"
    /// HMAC-SHA256.
    case sha256 = "SHA256"
    /// HMAC-SHA384.
    case sha384 = "SHA384"
    /// HMAC-SHA512.
    case sha512 = "SHA512"

    /// Creates the hash function with a name; the name may be in upper or lower case.
    /// - Parameter name: The name, such as `sha256`; the result is `nil` for an unknown name.
    public init?(name: String) {
        self.init(rawValue: name.uppercased())
    }

    /// The name in the legacy SDK's spelling.
    package var name: String { rawValue.lowercased() }

    /// Decodes a name, which may be in upper or lower case.
    ///
    /// - Throws: `DecodingError` if the name is unknown.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let known = OathAlgorithm(name: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The hash function is unknown."
            )
        }
        self = known
    }

    /// Returns the HMAC of `message`.
    package func authenticationCode(for message: Data, secret: SharedSecret) -> [UInt8] {
        switch self {
        case .md5: Array(secret.authenticationCode(for: message, using: Insecure.MD5.self))
        case .sha1: Array(secret.authenticationCode(for: message, using: Insecure.SHA1.self))
        case .sha224: secret.withUnsafeBytes { SHA224.authenticationCode(for: message, key: $0) }
        case .sha256: Array(secret.authenticationCode(for: message, using: SHA256.self))
        case .sha384: Array(secret.authenticationCode(for: message, using: SHA384.self))
        case .sha512: Array(secret.authenticationCode(for: message, using: SHA512.self))
        }
    }
}
