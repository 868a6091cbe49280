import Crypto
public import Foundation

extension SharedSecret {
    /// Signs `claims` (JSON) as a compact HS256 JWT: `{"typ":"JWT","alg":"HS256"}`, base64url without padding.
    public func signedToken(claims: Data) -> String {
        let input = "\(Self.encodedHeader).\(Base64.encodeURLSafe(claims))"
        let signature = authenticationCode(for: Data(input.utf8), using: SHA256.self)
        return "\(input).\(Base64.encodeURLSafe(signature))"
    }

    /// Whether `signature` is the HS256 signature of `input`; takes the same time for every wrong signature.
    func isSignature(_ signature: Data, of input: String) -> Bool {
        authenticationCode(for: Data(input.utf8), using: SHA256.self) == signature
    }

    private static let encodedHeader = Base64.encodeURLSafe(#"{"typ":"JWT","alg":"HS256"}"#.utf8)
}
