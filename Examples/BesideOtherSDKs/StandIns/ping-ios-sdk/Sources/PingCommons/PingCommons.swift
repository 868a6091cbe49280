// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public struct MigrationStep: Sendable, Identifiable, Equatable, Hashable, CustomStringConvertible {
    public let id: String
    public let description: String

    public init(id: String, description: String) {
        self.id = id
        self.description = description
    }

    public static func == (one: MigrationStep, other: MigrationStep) -> Bool { one.id == other.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum MigrationProgress: Sendable {
    case started
    case inProgress(step: MigrationStep, current: Int, total: Int)
    case stepCompleted(step: MigrationStep)
    case success(message: String)
    case error(step: MigrationStep, underlyingError: Error)
}
