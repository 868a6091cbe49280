/// What the user has to do to approve a push.
public enum PushType: String, CaseIterable, Codable, Sendable {
    /// Tap.
    case `default`
    /// Pick the number that the login page shows.
    case challenge
    /// Pass biometric authentication.
    case biometric
}
