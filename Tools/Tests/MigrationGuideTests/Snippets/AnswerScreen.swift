import FRAuthenticator
import Foundation

/// A screen as Swift 6 wants it, which the legacy API calls back on a background queue.
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
