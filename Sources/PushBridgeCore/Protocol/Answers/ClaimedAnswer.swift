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
