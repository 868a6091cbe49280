package import Foundation
package import PushBridgeCore

// The steps of an answer, each in a transaction of its own.
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
