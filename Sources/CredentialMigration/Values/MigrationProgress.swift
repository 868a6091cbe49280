/// How far a migration is; reported on the thread that runs it, every few hundred records.
public struct MigrationProgress: Equatable, Sendable {
    /// The steps of a migration.
    public enum Step: Sendable {
        /// Reading the legacy store.
        case planning
        /// Writing and proving credentials.
        case applying
        /// Proving credentials again.
        case verifying
    }

    /// What is being done.
    public let step: Step
    /// How many records are done.
    public let completed: Int
    /// How many there are; `nil` while that is not known.
    public let total: Int?

    /// Creates a progress.
    public init(step: Step, completed: Int, total: Int?) {
        self.step = step
        self.completed = completed
        self.total = total
    }
}
