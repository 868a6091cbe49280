/// Why an incoming push was refused; nothing of it was stored.
public enum PushReceptionError: Error, Equatable, Sendable {
    /// Far larger than APNs delivers.
    case tooLarge
    /// The token is signed wrongly, or not with HS256.
    case token(TokenError)
    /// A claim is absent that the push cannot do without.
    case missingClaim(String)
    /// A claim is of the wrong type or makes no sense.
    case invalidClaim(String)
    /// No credential has the mechanism UID that the push names.
    case unknownCredential
    /// The push was to be verified with another credential than the one it names.
    case wrongCredential
    /// The message id belongs to a stored push of another credential.
    case messageTaken
}
