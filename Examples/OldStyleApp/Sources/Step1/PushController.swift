import FRAuthenticator
import Foundation

/// The screen on which the user answers a login.
class PushController {
    // guide: begin
    func pending() -> [PushNotification] {
        (FRAClient.shared?.getAllNotifications() ?? []).filter { $0.isPending && !$0.isExpired }
    }
    // guide: end

    // guide: begin
    func approve(_ push: PushNotification, completion: @escaping (String?) -> Void) {
        push.accept(
            onSuccess: { completion(nil) },
            onError: { error in completion(error.localizedDescription) }
        )
    }
    // guide: end

    // guide: begin
    func approveWithFace(_ push: PushNotification, completion: @escaping (String?) -> Void) {
        push.accept(
            title: "Log in",
            allowDeviceCredentials: true,
            onSuccess: { completion(nil) },
            onError: { error in completion(error.localizedDescription) }
        )
    }
    // guide: end

    func choose(_ number: Int, for push: PushNotification, completion: @escaping (String?) -> Void) {
        push.accept(
            challengeResponse: String(number),
            onSuccess: { completion(nil) },
            onError: { error in completion(error.localizedDescription) }
        )
    }

    func deny(_ push: PushNotification, completion: @escaping (String?) -> Void) {
        push.deny(
            onSuccess: { completion(nil) },
            onError: { error in completion(error.localizedDescription) }
        )
    }
}
