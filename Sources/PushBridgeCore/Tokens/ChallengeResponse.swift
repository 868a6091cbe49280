import Crypto
public import Foundation

/// The proof of possession that PingAM asks for at registration and login.
public enum ChallengeResponse {
    /// HMAC-SHA256 of the challenge's bytes under the shared secret, in standard base64 with padding.
    ///
    /// The server compares strings, so the spelling is exact.
    public static func compute(challenge: some DataProtocol, secret: SharedSecret) -> String {
        Data(secret.authenticationCode(for: challenge, using: SHA256.self)).base64EncodedString()
    }

    /// As above, for a challenge in either base64 alphabet; `nil` if `challenge` is not base64.
    public static func compute(base64Challenge challenge: String, secret: SharedSecret) -> String? {
        Base64.decode(challenge).map { compute(challenge: $0, secret: secret) }
    }
}
