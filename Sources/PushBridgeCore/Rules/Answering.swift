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
    /// The credential's secret is not base64, so nothing can be signed with it.
    case unusableSecret
}

/// An answer that may be sent, once; only ``CredentialWriting/claimAnswer(_:to:claim:now:platformsOfHandlers:)`` makes
/// one.
///
/// Whoever holds it ends it: with ``CredentialWriting/complete(_:as:at:)`` after the server accepted, with
/// ``CredentialWriting/release(_:)`` after anything else.
public struct ClaimedAnswer: Equatable, Sendable {
    /// The answer.
    public let answer: PushAnswer
    /// The push, as it is stored while the answer is on its way.
    public let notification: PushNotification
    /// The credential that answers, as it is stored.
    public let credential: PushCredential
    /// What to send; `nil` if the app's own handler answers.
    public let request: PushRequest?
    let claim: AnswerClaim

    /// Whether the answer approves with a number that the push does not show: a server takes that for a denial and
    /// accepts the request all the same.
    package var isDenialByNumber: Bool {
        guard case .approveChallenge(let response) = answer, !notification.numbers.isEmpty else {
            return false
        }
        // The server compares text, so `034` and `+34` are not `34`.
        let shown = (notification.numbersChallenge ?? "").split(separator: ",")
        return !shown.contains { $0.trimmingCharacters(in: .whitespaces) == response }
    }
}

extension CredentialReading {
    /// The push as it will be while an answer is on its way, and its credential; throws why it takes none.
    package func answerable(
        _ answer: PushAnswer,
        to notificationId: String,
        claim: AnswerClaim,
        now: Date
    ) throws -> (PushNotification, PushCredential) {
        guard let stored = try notification(id: notificationId) else {
            throw PushAnswerError.notificationNotFound
        }
        return try answerable(answer, to: stored, claim: claim, now: now)
    }

    /// As above, for a push that need not be stored.
    package func answerable(
        _ answer: PushAnswer,
        to stored: PushNotification,
        claim: AnswerClaim,
        now: Date
    ) throws -> (PushNotification, PushCredential) {
        let notification = try stored.claimed(by: claim, for: answer, now: now)
        guard let credential = try pushCredential(id: stored.credentialId) else {
            throw PushAnswerError.credentialNotFound
        }
        guard !credential.isLocked else { throw PushAnswerError.locked(policy: credential.lockingPolicy) }
        return (notification, credential)
    }
}

extension CredentialWriting {
    /// Claims the right to answer a push, and builds the request.
    ///
    /// One write transaction looks and claims, so of any number of concurrent calls, also from other processes
    /// on the same file, one succeeds. There is no request for `platformsOfHandlers`, whose pushes the app's own
    /// handlers answer. Throws ``PushAnswerError``, or the store's errors.
    package func claimAnswer(
        _ answer: PushAnswer,
        to notificationId: String,
        claim: AnswerClaim,
        now: Date,
        platformsOfHandlers: Set<PushPlatform> = []
    ) throws -> ClaimedAnswer {
        let (notification, credential) = try answerable(answer, to: notificationId, claim: claim, now: now)
        let isOurs = notification.customHandler == nil && !platformsOfHandlers.contains(credential.platform)
        let request = isOurs ? try credential.answerRequest(answer, to: notification) : nil
        try save(notification)
        return ClaimedAnswer(
            answer: answer,
            notification: notification,
            credential: credential,
            request: request,
            claim: claim
        )
    }

    /// Stores that the server accepted an answer.
    ///
    /// Holds even if the claim ended meanwhile, because the server has decided. A push that was removed
    /// meanwhile stays removed.
    /// - Parameters:
    ///   - claimed: The answer that was sent.
    ///   - answer: What the server took it for, if that is something else.
    ///   - now: The time.
    /// - Returns: The push as it now is.
    /// - Throws: The store's errors.
    @discardableResult
    package func complete(
        _ claimed: ClaimedAnswer,
        as answer: PushAnswer? = nil,
        at now: Date
    ) throws -> PushNotification {
        let answer = answer ?? claimed.answer
        guard let stored = try notification(id: claimed.notification.id) else {
            return claimed.notification.answered(answer, at: now)
        }
        let answered = stored.answered(answer, at: now)
        try save(answered)
        return answered
    }

    /// Gives the claim back after a failure, so that the push can be answered again.
    package func release(_ claimed: ClaimedAnswer) throws {
        guard let stored = try notification(id: claimed.notification.id) else { return }
        let released = stored.released(from: claimed.claim)
        if released != stored { try save(released) }
    }
}
