public import Foundation

/// The right to answer a push, held while the answer is on its way.
///
/// Stored with the push and not in memory, because an app and its notification extension share a store and no
/// memory. It ends by itself, so that a process killed on the way does not keep the push from ever being
/// answered; should the server have accepted that answer, it refuses the second, a message id being single use.
public struct AnswerClaim: Codable, Equatable, Sendable {
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

    private enum CodingKeys: Int, CodingKey {
        case id = 1
        case expiresAt
    }

    /// Whether the claim stands.
    ///
    /// One that ends later than any claim can was made before the clock was set back, and has ended.
    public func isLive(at now: Date) -> Bool {
        let remaining = expiresAt.timeIntervalSince(now)
        return remaining > 0 && remaining <= Self.longest
    }
}

/// What the user answers to a push.
public enum PushAnswer: Equatable, Sendable {
    /// Approves a push of type ``PushType/default``.
    case approve
    /// Approves a push of type ``PushType/challenge`` with the number that the user chose.
    case approveChallenge(String)
    /// Approves a push of type ``PushType/biometric``, after local authentication.
    case approveBiometric
    /// Denies a push of any type.
    case deny

    /// Whether this approves.
    public var isApproval: Bool { self != .deny }

    /// Whether a push of this type takes this answer.
    public func suits(_ type: PushType) -> Bool {
        switch (self, type) {
        case (.deny, _), (.approve, .default): true
        case (.approveChallenge, .challenge), (.approveBiometric, .biometric): true
        default: false
        }
    }
}

/// Why a push cannot be answered; no request was made.
public enum PushAnswerError: Error, Equatable, Sendable {
    /// No push with this id is stored.
    case notificationNotFound
    /// The credential of the push is gone.
    case credentialNotFound
    /// The push was answered, or an answer is on its way.
    case notPending
    /// The answer is not for pushes of this type.
    case wrongKind(PushType)
    /// A policy locked the credential.
    case locked(policy: String?)
    /// The stored challenge is not base64, so there is nothing to sign.
    case invalidChallenge
}
