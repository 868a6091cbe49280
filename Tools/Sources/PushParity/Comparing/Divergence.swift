import PushBridgeCore

/// A difference between the APIs that is meant, and why.
public struct Divergence: Sendable {
    /// Whose behaviour the bridge keeps.
    public enum Kept: String, CaseIterable, Codable, Sendable {
        /// Each API keeps its own, because its call sites depend on it.
        case both
        /// The legacy API's.
        case legacy
        /// The new API's.
        case async
    }

    /// The name, which does not change from version to version.
    public let id: String
    /// What the legacy API does.
    public let legacy: String
    /// What the new API does.
    public let async: String
    /// Why the difference stays.
    public let reason: String
    /// Whose behaviour is kept.
    public let kept: Kept
    /// Whether a difference is this one; narrow, so that nothing else hides behind it.
    let explains: @Sendable (Observation) -> Bool

    init(
        _ id: String,
        legacy: String,
        async: String,
        reason: String,
        kept: Kept = .both,
        explains: @escaping @Sendable (Observation) -> Bool
    ) {
        self.id = id
        self.legacy = legacy
        self.async = async
        self.reason = reason
        self.kept = kept
        self.explains = explains
    }
}
