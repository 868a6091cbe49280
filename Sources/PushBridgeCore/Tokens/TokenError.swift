/// Why a compact JWT was refused.
public enum TokenError: Error, Equatable, Sendable {
    /// Not three base64url parts with a JSON header.
    case malformed
    /// The header names another algorithm than HS256, `none` included.
    case unsupportedAlgorithm
    /// The signature does not belong to this content and secret.
    case signatureMismatch
}
