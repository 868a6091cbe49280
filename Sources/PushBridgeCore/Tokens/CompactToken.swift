public import Foundation

/// A compact JWT whose structure was checked and whose signature was not.
///
/// The only way to its claims from outside the core is ``verified(with:)``.
public struct CompactToken: Sendable {
    private let signingInput: String
    /// The claims, unverified; good for nothing but finding the key.
    let payload: Data
    private let signature: Data

    /// Takes a compact serialisation apart.
    ///
    /// Throws ``TokenError/malformed`` or
    /// ``TokenError/unsupportedAlgorithm``; `none` counts as unsupported.
    public init(_ compact: String) throws(TokenError) {
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
    public func verified(with secret: SharedSecret) throws(TokenError) -> VerifiedToken {
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

/// Claims whose signature was checked; only ``CompactToken/verified(with:)`` makes one.
public struct VerifiedToken: Equatable, Sendable {
    /// The claims, as JSON.
    public let claims: Data

    fileprivate init(claims: Data) {
        self.claims = claims
    }
}
