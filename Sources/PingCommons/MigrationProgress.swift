/// A step of a migration.
///
/// Two steps with the same id are equal.
public struct MigrationStep: Sendable, Identifiable, Hashable, CustomStringConvertible {
    /// The unique id of the step.
    public let id: String
    /// A short description for people.
    public let description: String

    /// Creates a step.
    /// - Parameters:
    ///   - id: The unique id of the step.
    ///   - description: A short description for people.
    public init(id: String, description: String) {
        self.id = id
        self.description = description
    }

    /// Whether two steps have the same id.
    public static func == (one: MigrationStep, other: MigrationStep) -> Bool { one.id == other.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The progress of a migration.
///
/// An app's own migration can also report its progress with this type.
public enum MigrationProgress: Sendable {
    /// The migration begins.
    case started
    /// A step begins.
    ///
    /// `current` is the number of the step, counted from 1, and `total` is the number of all steps.
    case inProgress(step: MigrationStep, current: Int, total: Int)
    /// A step ended successfully.
    case stepCompleted(step: MigrationStep)
    /// The migration ended successfully; `message` is a sentence for people.
    case success(message: String)
    /// The migration failed at a step.
    case error(step: MigrationStep, underlyingError: any Error)
}
