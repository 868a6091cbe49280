import Crypto
import Foundation

/// The hash function of a one-time password.
///
/// SHA-224 is known by name only: no code can be made with it.
public enum OathAlgorithm: String, CaseIterable, Sendable {
    /// HMAC-MD5, of old servers; some codes cannot be computed, see ``OneTimePasswordError``.
    case md5
    /// HMAC-SHA1, the default.
    case sha1
    /// HMAC-SHA256.
    case sha256
    /// HMAC-SHA384.
    case sha384
    /// HMAC-SHA512.
    case sha512

    /// Reads a name in any case.
    public init?(name: String) {
        self.init(rawValue: name.lowercased())
    }

    /// The HMAC of `message` as plain bytes.
    func authenticationCode(for message: Data, secret: SharedSecret) -> [UInt8] {
        switch self {
        case .md5: Array(secret.authenticationCode(for: message, using: Insecure.MD5.self))
        case .sha1: Array(secret.authenticationCode(for: message, using: Insecure.SHA1.self))
        case .sha256: Array(secret.authenticationCode(for: message, using: SHA256.self))
        case .sha384: Array(secret.authenticationCode(for: message, using: SHA384.self))
        case .sha512: Array(secret.authenticationCode(for: message, using: SHA512.self))
        }
    }
}
