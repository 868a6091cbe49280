import PushBridgeSymbols

/// A difference between the APIs.
///
/// The difference is either intended and has a reason, or concerns only the form.
public struct Divergence: Sendable {
    /// The identifier, which is stable across versions.
    public let id: String
    /// The behaviour of the legacy API.
    public let legacy: String
    /// The behaviour of the async API.
    public let async: String
    /// The reason for the difference.
    public internal(set) var reason = "The APIs differ only in form; the information is the same."
    /// Returns whether this divergence explains a difference.
    ///
    /// The condition is narrow, because it must not hide any other difference.
    let explains: @Sendable (Observation) -> Bool

    /// The place in the project's documents: the path of the page in the repository, and the id of the row.
    public var place: String {
        let isInPlace = Self.inPlace.contains { $0.id == id }
        return "docs/\(isInPlace ? "roll-out" : "divergences").md#\(id)"
    }

    /// Every intended difference between the APIs, except for ``inPlace``, with the condition that recognises it.
    ///
    /// The texts are in `RegisteredDivergence.Register.betweenAPIs`.
    ///
    /// If several divergences explain a difference, only the first divergence counts.
    public static let register = ofCredentials + ofTokens + ofPushes
}

extension Divergence {
    /// Creates a divergence whose texts are in the register of the differences between the APIs.
    ///
    /// If the register does not contain the id, the texts are empty; `RegisterTests` then fails.
    /// - Parameters:
    ///   - id: The id of a row in the register.
    ///   - explains: The condition that recognises the divergence.
    init(registered id: String, explains: @escaping @Sendable (Observation) -> Bool) {
        let row = RegisteredDivergence.Register.betweenAPIs.divergences.first { $0.id == id }
        self.init(
            id: id,
            legacy: row?.legacy ?? "",
            async: row?.here ?? "",
            reason: row?.why ?? "",
            explains: explains
        )
    }
}
