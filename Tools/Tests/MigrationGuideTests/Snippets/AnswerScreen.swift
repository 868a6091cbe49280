import FRAuthenticator
import Foundation

/// A screen on the main actor, as Swift 6 requires; the legacy API calls its closures on a background queue.
@MainActor
final class AnswerScreen {
    private(set) var text = ""

    // guide: begin
    func approve(_ push: PushNotification) {
        push.accept(
            onSuccess: { @Sendable in Task { @MainActor in self.text = "Approved." } },
            onError: { @Sendable error in Task { @MainActor in self.text = error.localizedDescription } }
        )
    }
    // guide: end
}
