package import Foundation
package import PushBridgeCore

// The steps of an answer, each in a separate transaction.
extension CredentialStore {
    /// Claims the right to answer a push, in a separate transaction.
    package func claimAnswer(
        _ answer: PushAnswer,
        to notificationId: String,
        claim: AnswerClaim,
        now: Date
    ) throws -> AnswerOperation {
        try write { view in
            guard let push = try view.notification(id: notificationId) else {
                throw PushAnswerError.notificationNotFound
            }
            let answering = try view.answering(answer, to: AnswerablePush(push), claim: claim, now: now).get()
            try view.claim(answering)
            return answering
        }
    }

    /// Notes that the server accepted an answer, in a separate transaction.
    @discardableResult
    package func complete(_ claimed: AnswerOperation, at now: Date) throws -> PushNotification {
        try write { try claimed.complete(in: $0, at: now) }
    }

    /// Releases the claim after a failure, in a separate transaction.
    package func release(_ claimed: AnswerOperation) throws {
        try write { try claimed.abandon(in: $0) }
    }
}
