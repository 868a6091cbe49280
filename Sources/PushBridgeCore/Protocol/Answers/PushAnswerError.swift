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
