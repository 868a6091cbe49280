import Crypto
public import Foundation

/// A compact JWT (RFC 7519) whose structure was checked and whose signature was not.
///
/// The only way to its claims from outside the core is ``verified(with:)``.
package struct JSONWebToken: Sendable {
    private let signingInput: String
    /// The claims, unverified; only for finding the key.
    let payload: Data
    private let signature: Data

    /// Parses a compact serialisation (RFC 7515, section 7.1).
    ///
    /// - Throws: ``TokenError/malformed``, or ``TokenError/unsupportedAlgorithm`` for any algorithm but HS256, `none`
    ///   included.
    package init(_ compact: String) throws(TokenError) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard
            parts.count == 3,
            let header = Base64.decode(String(parts[0])),
            let payload = Base64.decode(String(parts[1])),
            let signature = Base64.decode(String(parts[2]))
        else { throw .malformed }
        guard try Header(header).alg == "HS256" else { throw .unsupportedAlgorithm }
        signingInput = "\(parts[0]).\(parts[1])"
        self.payload = payload
        self.signature = signature
    }

    /// Checks the signature, comparing in constant time, and gives access to the claims.
    ///
    /// - Throws: ``TokenError/signatureMismatch`` if another secret signed the token, or it was changed.
    package func verified(with secret: SharedSecret) throws(TokenError) -> VerifiedToken {
        guard secret.isSignature(signature, of: signingInput) else { throw .signatureMismatch }
        return VerifiedToken(claims: payload)
    }

    private struct Header: Decodable {
        let alg: String

        init(_ json: Data) throws(TokenError) {
            do {
                self = try JSONDecoder().decode(Header.self, from: json)
            } catch {
                throw .malformed
            }
        }
    }
}

/// Claims whose signature was checked; only ``JSONWebToken/verified(with:)`` makes one.
package struct VerifiedToken: Equatable, Sendable {
    /// The claims, as JSON.
    package let claims: Data

    fileprivate init(claims: Data) {
        self.claims = claims
    }
}

/// The proof of possession that PingAM asks for at registration and login.
package enum ChallengeResponse {
    /// HMAC-SHA256 of the challenge's bytes under the shared secret, in standard base64 with padding.
    ///
    /// The server compares strings, so the spelling is exact.
    package static func compute(challenge: some DataProtocol, secret: SharedSecret) -> String {
        Data(secret.authenticationCode(for: challenge, using: SHA256.self)).base64EncodedString()
    }

    /// As above, for a challenge in either base64 alphabet; `nil` if `challenge` is not base64.
    package static func compute(base64Challenge challenge: String, secret: SharedSecret) -> String? {
        Base64.decode(challenge).map { compute(challenge: $0, secret: secret) }
    }
}

extension SharedSecret {
    /// Signs `claims` (JSON) as a compact HS256 JWT: `{"typ":"JWT","alg":"HS256"}`, base64url without padding.
    public func signedToken(claims: Data) -> String {
        let input = "\(Self.encodedHeader).\(Base64.encodeURLSafe(claims))"
        let signature = authenticationCode(for: Data(input.utf8), using: SHA256.self)
        return "\(input).\(Base64.encodeURLSafe(signature))"
    }

    /// Whether `signature` is the HS256 signature of `input`; takes the same time for every wrong signature.
    func isSignature(_ signature: Data, of input: String) -> Bool {
        isUsable && authenticationCode(for: Data(input.utf8), using: SHA256.self) == signature
    }

    private static let encodedHeader = Base64.encodeURLSafe(#"{"typ":"JWT","alg":"HS256"}"#.utf8)
}

/// Why a compact JWT was refused.
package enum TokenError: Error, Equatable, Sendable {
    /// Not three base64url parts with a JSON header.
    case malformed
    /// The header names another algorithm than HS256, `none` included.
    case unsupportedAlgorithm
    /// The signature does not belong to this content and secret.
    case signatureMismatch
}
