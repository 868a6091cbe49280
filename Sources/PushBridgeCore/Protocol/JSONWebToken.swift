import Crypto
public import Foundation

/// A compact JWT (RFC 7519) with a valid structure and an unverified signature.
///
/// Other modules can read the token's claims only through ``verified(with:)``.
package struct JSONWebToken: Sendable {
    private let signingInput: String
    /// The unverified claims; used only to find the key and the message id.
    let payload: Data
    private let signature: Data

    /// Parses a compact serialisation (RFC 7515, section 7.1).
    ///
    /// - Throws: ``TokenError/malformed``, or ``TokenError/unsupportedAlgorithm`` for any algorithm except
    ///   HS256, including `none`.
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

    /// Verifies the signature in constant time and returns the claims.
    ///
    /// - Throws: ``TokenError/signatureMismatch`` if the token was changed or signed with a different secret.
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

/// Claims with a verified signature; only ``JSONWebToken/verified(with:)`` creates them.
package struct VerifiedToken: Equatable, Sendable {
    /// The claims, as JSON.
    package let claims: Data

    fileprivate init(claims: Data) {
        self.claims = claims
    }
}

/// The response that PingAM requires at registration and login, to prove possession of the secret.
package enum ChallengeResponse {
    /// Returns the HMAC-SHA256 of the challenge's bytes under the shared secret, in standard base64 with padding.
    ///
    /// The server compares the text, so the padding is required.
    package static func compute(challenge: some DataProtocol, secret: SharedSecret) -> String {
        Data(secret.authenticationCode(for: challenge, using: SHA256.self)).base64EncodedString()
    }

    /// Returns the response for a challenge in either base64 alphabet; `nil` if `challenge` is not base64.
    package static func compute(base64Challenge challenge: String, secret: SharedSecret) -> String? {
        Base64.decode(challenge).map { compute(challenge: $0, secret: secret) }
    }
}

extension SharedSecret {
    /// Signs `claims` (JSON) as a compact HS256 JWT with the header `{"typ":"JWT","alg":"HS256"}`, in base64url
    /// without padding.
    public func signedToken(claims: Data) -> String {
        let input = "\(Self.encodedHeader).\(Base64.encodeURLSafe(claims))"
        let signature = authenticationCode(for: Data(input.utf8), using: SHA256.self)
        return "\(input).\(Base64.encodeURLSafe(signature))"
    }

    /// Returns whether `signature` is the HS256 signature of `input`; takes the same time for every signature
    /// of the right length.
    func isSignature(_ signature: Data, of input: String) -> Bool {
        isUsable && authenticationCode(for: Data(input.utf8), using: SHA256.self) == signature
    }

    private static let encodedHeader = Base64.encodeURLSafe(#"{"typ":"JWT","alg":"HS256"}"#.utf8)
}

/// The reason why a compact JWT was refused.
package enum TokenError: Error, Equatable, Sendable {
    /// The token does not consist of three base64 parts, or its header is not a JSON object that names an
    /// algorithm.
    case malformed
    /// The header names an algorithm other than HS256, for example `none`.
    case unsupportedAlgorithm
    /// The signature does not belong to this content and secret.
    case signatureMismatch
}
