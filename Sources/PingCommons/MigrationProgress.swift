/// A step of a migration, by whose id it is told from others.
public struct MigrationStep: Sendable, Identifiable, Hashable, CustomStringConvertible {
    /// What tells the step from others.
    public let id: String
    /// A few words for a human.
    public let description: String

    /// Names a step.
    /// - Parameters:
    ///   - id: What tells the step from others.
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

/// How far a migration is; an app's own migration may tell it in the same words.
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
