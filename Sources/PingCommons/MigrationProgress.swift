/// A step of a migration, which its id identifies.
public struct MigrationStep: Sendable, Identifiable, Hashable, CustomStringConvertible {
    /// The unique id of the step.
    public let id: String
    /// A few words for a human.
    public let description: String

    /// Creates a step.
    /// - Parameters:
    ///   - id: The unique id of the step.
    ///   - description: A few words for a human.
    public init(id: String, description: String) {
        self.id = id
        self.description = description
    }

    /// Whether two steps have the same id.
    public static func == (one: MigrationStep, other: MigrationStep) -> Bool { one.id == other.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The progress of a migration; an app's own migration may report it with the same type.
public enum MigrationProgress: Sendable {
    /// The migration begins.
    case started
    /// A step begins: the number `current`, counted from 1, of `total`.
    case inProgress(step: MigrationStep, current: Int, total: Int)
    /// A step is done.
    case stepCompleted(step: MigrationStep)
    /// The migration is done, with a sentence for a human.
    case success(message: String)
    /// The migration ended at a step.
    case error(step: MigrationStep, underlyingError: any Error)
}
