import PushBridgeCore

/// A difference between the APIs that is meant, and why; or the same behaviour in a form of each API's own.
public struct Divergence: Sendable {
    /// The name, which does not change from version to version.
    public let id: String
    /// The behaviour of the legacy API.
    public let legacy: String
    /// The behaviour of the new API.
    public let async: String
    /// Why the difference stays.
    public internal(set) var reason = "Each API tells it in a form of its own."
    /// Whether a difference is this one; narrow, so that nothing else hides behind it.
    let explains: @Sendable (Observation) -> Bool

    /// Its place in the project's documents: a path in the repository, and the id of the row.
    public var place: String {
        let isInPlace = Self.inPlace.contains { $0.id == id }
        return "docs/\(isInPlace ? "roll-out" : "divergences").md#\(id)"
    }

    /// Every difference between the APIs that is meant; the only place where one is.
    ///
    /// The first that explains a difference is the one that counts.
    public static let register = ofCredentials + ofTokens + ofPushes
}
