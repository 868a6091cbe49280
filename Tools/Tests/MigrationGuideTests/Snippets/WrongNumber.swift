import FRAuthenticator
import PingPush

/// Lets the user choose again after a wrong number in a challenge.
///
/// Servers from AM 8.1.0 on reject a wrong number.
enum WrongNumber {
    // guide: begin
    /// Sends the number that the user chose; returns `false` if the user has to choose again.
    static func isTaken(_ number: String, for id: String, by client: PushClient) async throws -> Bool {
        do {
            return try await client.approveChallengeNotification(id, challengeResponse: number)
        } catch PushError.pushNumberChallengeError {
            return false
        }
    }

    /// The same with the legacy API.
    static func send(
        _ number: String,
        for push: FRAuthenticator.PushNotification,
        isTaken: @escaping (Bool) -> Void,
        onError: @escaping (any Error) -> Void
    ) {
        push.accept(challengeResponse: number, onSuccess: { isTaken(true) }) { error in
            if case PushNotificationError.pushNumberChallengeError = error { return isTaken(false) }
            onError(error)
        }
    }
    // guide: end
}
