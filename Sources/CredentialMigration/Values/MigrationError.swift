/// Why a migration as a whole cannot go on; single records never cause one.
public struct MigrationError: Error, Equatable, Sendable {
    /// What can be done about it.
    public enum Code: Sendable {
        /// The legacy store is not the one that was planned; plan again.
        case sourceChanged
    }

    /// What can be done about it.
    public let code: Code
    /// One sentence for a human.
    public let reason: String

    static let sourceChanged = MigrationError(
        code: .sourceChanged,
        reason: "The legacy store changed since the migration was planned; plan again."
    )
}
