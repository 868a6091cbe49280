import FRAuthenticator
import Foundation

/// A screen that is isolated to the main actor, as Swift 6 requires.
///
/// The legacy API calls the closures on a background queue, so the closures start a task on the main actor.
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
