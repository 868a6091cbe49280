/// The server's half of a push: the message's id and the challenge to sign.
public struct PushMessage: Equatable, Sendable {
    /// The server's id of the message; single use.
    public let id: String
    /// The challenge in base64, as the server spelled it.
    public let challenge: String

    /// Creates a message.
    public init(id: String, challenge: String) {
        self.id = id
        self.challenge = challenge
    }
}
