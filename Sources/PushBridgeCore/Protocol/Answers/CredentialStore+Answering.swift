public import Foundation

extension CredentialStore {
    /// Claims the right to answer a push in a transaction of its own; see
    /// ``CredentialWriting/claimAnswer(_:to:claim:now:)``.
    public func claimAnswer(
        _ answer: PushAnswer,
        to notificationId: String,
        claim: AnswerClaim,
        now: Date
    ) throws -> ClaimedAnswer {
        try write { try $0.claimAnswer(answer, to: notificationId, claim: claim, now: now) }
    }

    /// Stores that the server accepted an answer, in a transaction of its own.
    @discardableResult
    public func complete(_ claimed: ClaimedAnswer, at now: Date) throws -> PushNotification {
        try write { try $0.complete(claimed, at: now) }
    }

    /// Gives the claim back after a failure, in a transaction of its own.
    public func release(_ claimed: ClaimedAnswer) throws {
        try write { try $0.release(claimed) }
    }
}
