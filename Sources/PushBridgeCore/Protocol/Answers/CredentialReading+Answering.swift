package import Foundation

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
