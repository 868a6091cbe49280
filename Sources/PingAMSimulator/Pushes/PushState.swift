/// What became of a login push.
public enum PushState: String, CaseIterable, Sendable {
    /// No answer came yet.
    case waiting
    /// The user approved; of a challenge, with the right number.
    case approved
    /// The user denied, or answered a challenge with another number than the one shown.
    case denied
    /// No answer came in time.
    case expired
}
