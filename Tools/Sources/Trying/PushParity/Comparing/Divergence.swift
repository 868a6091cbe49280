import PushBridgeCore

/// An intended difference between the APIs with its reason, or the same behaviour in a different form.
public struct Divergence: Sendable {
    /// The name, which is stable across versions.
    public let id: String
    /// The behaviour of the legacy API.
    public let legacy: String
    /// The behaviour of the async API.
    public let async: String
    /// The reason for the difference.
    public internal(set) var reason = "Each API has its own form for it."
    /// Whether this divergence explains a difference; the condition is narrow, so that it cannot hide other differences.
    let explains: @Sendable (Observation) -> Bool

    /// The place in the project's documents: a path in the repository, and the id of the row.
    public var place: String {
        let isInPlace = Self.inPlace.contains { $0.id == id }
        return "docs/\(isInPlace ? "roll-out" : "divergences").md#\(id)"
    }

    /// Every intended difference between the APIs; the only register of them.
    ///
    /// The first divergence that explains a difference counts.
    public static let register = ofCredentials + ofTokens + ofPushes
}
