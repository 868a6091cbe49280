public import FRCore
import PushBridgeCore
import PushBridgePlatform

// Exactly one callback per call. What goes wrong before anything is sent is told at once on the caller's thread,
// everything else on a background queue. After a failure the push is still pending.
extension PushNotification {
    /// Approves a push of type `default`; see ``PushNotificationError``, ``AccountError`` and `NetworkError`.
    public func accept(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {
        (origin ?? .shared).answer(.approve, to: self, Callbacks(onSuccess, onError))
    }

    /// Approves a push of type `challenge` with the number that the user chose.
    public func accept(
        challengeResponse: String,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        let answer = PushAnswer.approveChallenge(challengeResponse)
        (origin ?? .shared).answer(answer, to: self, Callbacks(onSuccess, onError))
    }

    /// Approves a push of type `biometric` after local authentication, for which `title` is the reason shown.
    public func accept(
        title: String,
        allowDeviceCredentials: Bool,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        let prompt = AuthenticationPrompt(title: title, allowsDeviceCredentials: allowDeviceCredentials)
        (origin ?? .shared).approve(self, after: prompt, Callbacks(onSuccess, onError))
    }

    /// Denies a push of any type.
    public func deny(onSuccess: @escaping SuccessCallback, onError: @escaping ErrorCallback) {
        (origin ?? .shared).answer(.deny, to: self, Callbacks(onSuccess, onError))
    }
}
