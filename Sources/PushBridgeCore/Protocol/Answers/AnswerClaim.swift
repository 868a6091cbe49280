public import Foundation

/// The right to answer a push, held while the answer is on its way.
///
/// Stored with the push and not in memory, because an app and its notification extension share a store and no
/// memory. It ends by itself, so that a process killed on the way does not keep the push from ever being
/// answered; should the server have accepted that answer, it refuses the second, a message id being single use.
public struct AnswerClaim: Equatable, Sendable {
    /// The longest a claim lasts, in seconds; requests time out long before.
    public static let longest: TimeInterval = 300

    /// The longest that the request of an answer may take, in seconds: an interceptor may double it, and the claim
    /// still stands when it ends.
    public static let longestRequest: TimeInterval = (longest - 10) / 2

    /// Tells this claim from all others.
    public let id: String
    /// When the claim ends.
    public let expiresAt: Date

    /// Creates a claim that lasts for `seconds`, which should exceed the request's time-out, and for
    /// ``longest`` at most.
    public init(id: String, from now: Date, lasting seconds: TimeInterval = 120) {
        self.id = id
        expiresAt = now.addingTimeInterval(min(max(0, seconds), Self.longest))
    }

    /// A claim as a store holds it.
    package init(id: String, expiresAt: Date) {
        self.id = id
        self.expiresAt = expiresAt
    }

    /// Whether the claim stands.
    ///
    /// One that ends later than any claim can was made before the clock was set back, and has ended.
    public func isLive(at now: Date) -> Bool {
        let remaining = expiresAt.timeIntervalSince(now)
        return remaining > 0 && remaining <= Self.longest
    }
}
