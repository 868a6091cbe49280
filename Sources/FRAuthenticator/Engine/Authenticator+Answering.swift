import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Sends an answer; what goes wrong before that is told at once.
    func answer(_ answer: PushAnswer, to notification: PushNotification, _ callbacks: Callbacks<Void>) {
        do {
            send(try claim(answer, to: notification), for: notification, callbacks)
        } catch {
            callbacks.failNow(LegacyError.translated(error))
        }
    }

    /// Approves a push after local authentication; a push that cannot be answered is told at once, and nobody
    /// is asked.
    func approve(
        _ notification: PushNotification,
        after prompt: AuthenticationPrompt,
        _ callbacks: Callbacks<Void>
    ) {
        do {
            try check(.approveBiometric, to: notification)
        } catch {
            return callbacks.failNow(LegacyError.translated(error))
        }
        let authentication = configuration.localAuthentication ?? FRAClient.localAuthentication
        authentication.authenticate(prompt) { [self] error in
            if let error { return callbacks.fail(error) }
            do {
                send(try claim(.approveBiometric, to: notification), for: notification, callbacks)
            } catch {
                callbacks.fail(LegacyError.translated(error))
            }
        }
    }

    private func check(_ answer: PushAnswer, to notification: PushNotification) throws {
        try applyPolicies(for: notification)
        _ = try read { view in
            let stored = try view.answerable(notification)
            return try view.answerable(answer, to: stored.id, claim: newClaim(), now: configuration.now())
        }
    }

    private func claim(
        _ answer: PushAnswer,
        to notification: PushNotification
    ) throws -> (ClaimedAnswer, PushRequest) {
        try applyPolicies(for: notification)
        return try write { view in
            let stored = try view.answerable(notification)
            let now = configuration.now()
            let claimed = try view.claimAnswer(answer, to: stored.id, claim: newClaim(), now: now)
            // A push of another format is its own handler's to answer, through the new API.
            guard let request = claimed.request else { throw PushAnswerError.notPending }
            return (claimed, request)
        }
    }

    private func newClaim() -> AnswerClaim {
        AnswerClaim(
            id: UUID().uuidString,
            from: configuration.now(),
            lasting: Request.standardTimeout * 2 + 10
        )
    }

    private func applyPolicies(for notification: PushNotification) throws {
        let id = notification.mechanismUUID
        if let profile = try read({ try $0.pushCredential(id: id)?.account }) { try lockIfViolated(profile) }
    }

    private func send(
        _ answer: (claimed: ClaimedAnswer, request: PushRequest),
        for notification: PushNotification,
        _ callbacks: Callbacks<Void>
    ) {
        send(answer.request) { [self] refusal in
            if let refusal {
                release(answer.claimed)
                return callbacks.failNow(refusal)
            }
            do {
                let answered = try store().complete(answer.claimed, at: configuration.now())
                notification.content.withValue { $0 = answered.legacyNotification }
                callbacks.succeedNow(())
            } catch {
                callbacks.failNow(LegacyError.translated(error))
            }
        }
    }

    /// A failure is logged, because the caller has to learn why there was no answer; the claim ends by itself.
    private func release(_ claimed: ClaimedAnswer) {
        attempt("Giving an answer's claim back", or: ()) { try store().release(claimed) }
    }
}

extension CredentialReading {
    /// The stored push that an object stands for, to be answered; one that was answered elsewhere shows it now.
    fileprivate func answerable(_ object: PushNotification) throws -> PushBridgeCore.PushNotification {
        guard let stored = try stored(object) else {
            throw object.isPending ? PushAnswerError.notificationNotFound : .notPending
        }
        if !stored.pending { object.content.withValue { $0 = stored.legacyNotification } }
        return stored
    }
}
