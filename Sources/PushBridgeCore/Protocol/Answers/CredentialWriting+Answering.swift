public import Foundation

extension CredentialWriting {
    /// Claims the right to answer a push, and builds the request.
    ///
    /// One write transaction looks and claims, so of any number of concurrent calls, also from other processes
    /// on the same file, one succeeds. Throws ``PushAnswerError``, or the store's errors.
    public func claimAnswer(
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
    public func complete(_ claimed: ClaimedAnswer, at now: Date) throws -> PushNotification {
        guard let stored = try notification(id: claimed.notification.id) else {
            return claimed.notification.answered(claimed.answer, at: now)
        }
        let answered = stored.answered(claimed.answer, at: now)
        try save(answered)
        return answered
    }

    /// Gives the claim back after a failure, so that the push can be answered again.
    public func release(_ claimed: ClaimedAnswer) throws {
        guard let stored = try notification(id: claimed.notification.id) else { return }
        let released = stored.released(from: claimed.claim)
        if released != stored { try save(released) }
    }
}
