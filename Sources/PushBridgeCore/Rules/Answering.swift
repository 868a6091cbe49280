package import Foundation

/// An answer that may be sent, once; only ``CredentialWriting/claimAnswer(_:to:claim:now:)`` makes one.
///
/// Whoever holds it ends it: with ``CredentialWriting/complete(_:at:)`` after the server accepted, with
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
    /// on the same file, one succeeds. Throws ``PushAnswerError``, or the store's errors.
    package func claimAnswer(
        _ answer: PushAnswer,
        to notificationId: String,
        claim: AnswerClaim,
        now: Date
    ) throws -> ClaimedAnswer {
        let (notification, credential) = try answerable(answer, to: notificationId, claim: claim, now: now)
        let isOurs = notification.customHandler == nil
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

    /// Stores that the server accepted an answer, and returns the push as it now is.
    ///
    /// Holds even if the claim ended meanwhile, because the server has decided. A push that was removed
    /// meanwhile stays removed.
    @discardableResult
    package func complete(_ claimed: ClaimedAnswer, at now: Date) throws -> PushNotification {
        guard let stored = try notification(id: claimed.notification.id) else {
            return claimed.notification.answered(claimed.answer, at: now)
        }
        let answered = stored.answered(claimed.answer, at: now)
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

extension CredentialStore {
    /// Claims the right to answer a push in a transaction of its own; see
    /// ``CredentialWriting/claimAnswer(_:to:claim:now:)``.
    package func claimAnswer(
        _ answer: PushAnswer,
        to notificationId: String,
        claim: AnswerClaim,
        now: Date
    ) throws -> ClaimedAnswer {
        try write { try $0.claimAnswer(answer, to: notificationId, claim: claim, now: now) }
    }

    /// Stores that the server accepted an answer, in a transaction of its own.
    @discardableResult
    package func complete(_ claimed: ClaimedAnswer, at now: Date) throws -> PushNotification {
        try write { try $0.complete(claimed, at: now) }
    }

    /// Gives the claim back after a failure, in a transaction of its own.
    package func release(_ claimed: ClaimedAnswer) throws {
        try write { try $0.release(claimed) }
    }
}
