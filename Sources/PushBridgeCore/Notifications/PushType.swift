/// What the user has to do to approve a push.
public enum PushType: String, CaseIterable, Sendable {
    /// Tap.
    case `default`
    /// Pick the number that the login page shows.
    case challenge
    /// Pass biometric authentication.
    case biometric

    /// Reads a server's spelling, in any case; an unknown or absent one is ``default``.
    public init(name: String?) {
        self = name.flatMap { PushType(rawValue: $0.lowercased()) } ?? .default
    }
}
