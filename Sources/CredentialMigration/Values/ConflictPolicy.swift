/// What to do when the destination holds another secret under a record's id.
public enum ConflictPolicy: String, CaseIterable, Sendable {
    /// Leave the destination as it is and report the conflict.
    case keep
    /// Let the legacy record win.
    case replace
}
