/// A step of a migration, identified by its id.
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

/// The progress of a migration; an app's own migration may also report its progress with this type.
public enum MigrationProgress: Sendable {
    /// The migration begins.
    case started
    /// A step begins: the number `current`, counted from 1, of `total`.
    case inProgress(step: MigrationStep, current: Int, total: Int)
    /// A step ended successfully.
    case stepCompleted(step: MigrationStep)
    /// The migration ended successfully; `message` is a sentence for people.
    case success(message: String)
    /// The migration failed at a step.
    case error(step: MigrationStep, underlyingError: any Error)
}
