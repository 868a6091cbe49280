import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Verifies and stores a push; `nil` if it is not ours.
    ///
    /// Untyped because the platform hands payloads out so; it becomes a typed value at once.
    func receive(_ userInfo: [AnyHashable: Any]) throws -> PushNotification? {
        guard let payload = PushPayload(.payload(userInfo)), let push = try UnverifiedPush(payload) else {
            return nil
        }
        return received(try receive(push, at: configuration.now()).notification)
    }

    func receive(_ push: UnverifiedPush, at date: Date) throws -> ReceivedPush {
        try store().receive(push, id: UUID().uuidString, receivedAt: date)
    }

    /// The object of a push that was just received.
    func received(_ push: PushBridgeCore.PushNotification) -> PushNotification {
        // An app's own storage keeps pushes under their legacy key.
        let isAppsOwn = attempt("Opening the storage", or: false) { try ownStorage() != nil }
        return PushNotification(push.legacyNotification, storedId: isAppsOwn ? nil : push.id, origin: self)
    }

    func notifications(_ query: RecordQuery) throws -> [PushNotification] {
        try read { try $0.notifications(query).logged() }.map(object)
    }

    /// The notifications of a mechanism.
    func notifications(of mechanism: Mechanism) throws -> [PushNotification] {
        let query = RecordQuery(owner: mechanism.mechanismUUID)
        return try read(beginningWith: mechanism) { try $0.notifications(query).logged() }.map(object)
    }

    func notification(identifier: String) throws -> PushNotification? {
        try read { try $0.notification(legacyIdentifier: identifier) }.map(object)
    }

    func remove(_ notification: PushNotification) throws -> Bool {
        try write(beginningWith: notification) { view in
            guard let stored = try view.stored(notification) else { return false }
            return try view.removeNotification(id: stored.id)
        }
    }

    /// The push mechanism with an id, with its notifications.
    func pushMechanism(id: String) throws -> PushMechanism? {
        let isAppsOwn = try ownStorage() != nil
        let found = try read { view in
            try view.first(PushCredential.self, where: RecordQuery(id: id)).map { credential in
                let query = RecordQuery(owner: id)
                return (credential, isAppsOwn ? nil : try view.notifications(query).logged())
            }
        }
        return found.map { credential, notifications in
            PushMechanism(credential.legacyMechanism, notifications: notifications, origin: self)
        }
    }

    /// Removes a mechanism and its notifications; its account stays, even without any mechanism.
    func remove(_ mechanism: LegacyMechanism) throws -> Bool {
        let id = mechanism.mechanismUUID
        return try write { view in
            if try view.dismissCredential(mechanism.kind, id: id, of: mechanism.account) { return true }
            let kept = try view.keptMechanisms { $0.mechanismUUID == id && $0.account == mechanism.account }
            for mechanism in kept { try view.dropVerbatim(of: mechanism.entry) }
            return !kept.isEmpty
        }
    }

    private func object(_ notification: PushBridgeCore.PushNotification) -> PushNotification {
        PushNotification(notification, origin: self)
    }
}

// MARK: - Answering

extension Authenticator {
    /// Sends an answer; what goes wrong before that is reported at once.
    func answer(_ answer: PushAnswer, to notification: PushNotification, _ callbacks: Callbacks<Void>) {
        callbacks.failing { send(try claim(answer, to: notification), for: notification, callbacks) }
    }

    /// Approves a push after local authentication; for a push that cannot be answered the user is not asked.
    func approve(
        _ notification: PushNotification,
        after prompt: AuthenticationPrompt,
        _ callbacks: Callbacks<Void>
    ) {
        callbacks.failing {
            _ = try prepare(notification) { view, push, claim, now in
                try view.answerable(.approveBiometric, to: push.value, claim: claim, now: now)
            }
            let authentication = configuration.localAuthentication ?? FRAClient.localAuthentication
            authentication.authenticate(prompt) { [self] error in
                if let error { return callbacks.fail(error) }
                callbacks.failing(on: .global()) {
                    send(try claim(.approveBiometric, to: notification), for: notification, callbacks)
                }
            }
        }
    }

    private func claim(_ answer: PushAnswer, to notification: PushNotification) throws -> Claim {
        try prepare(notification) { view, push, claim, now in
            // Told before anything is stored.
            _ = try view.answerable(answer, to: push.value, claim: claim, now: now)
            if !push.isStored { try view.save(push.value) }
            let claimed = try view.claimAnswer(answer, to: push.value.id, claim: claim, now: now)
            guard let request = claimed.request else { throw PushAnswerError.notPending }
            return Claim(claimed: claimed, request: request, wasStored: push.isStored)
        }
    }

    /// Locks the account if its policies demand it, and then, in the same transaction, calls `body` with the push, a
    /// new claim and the time.
    private func prepare<Value>(
        _ notification: PushNotification,
        _ body: (any CredentialWriting, AnswerablePush, AnswerClaim, Date) throws -> Value
    ) throws -> Value {
        let now = configuration.now()
        let claim = AnswerClaim(
            id: UUID().uuidString,
            from: now,
            lasting: Request.standardTimeout * 2 + 10
        )
        let outcome = try judging { evaluate in
            try write(beginningWith: notification) { view -> Swift.Result<Value, PushAnswerError> in
                if let credential = try view.pushCredential(id: notification.mechanismUUID) {
                    _ = try view.lockIfViolated(credential.account, evaluate)
                }
                do {
                    return .success(try body(view, try view.answerable(notification), claim, now))
                } catch let error as PushAnswerError {
                    // Not thrown, which would undo the lock.
                    return .failure(error)
                }
            }
        }
        return try outcome.get()
    }

    private func release(_ answer: Claim) throws {
        try write { view in
            try view.release(answer.claimed)
            if !answer.wasStored { try view.removeNotification(id: answer.claimed.notification.id) }
        }
    }

    private func send(
        _ answer: Claim,
        for notification: PushNotification,
        _ callbacks: Callbacks<Void>
    ) {
        send(answer.request) { [self] refusal in
            if let refusal {
                // Logged, because the caller has to learn why there was no answer; the claim ends by itself.
                attempt("Releasing the claim of an answer", or: ()) { try release(answer) }
                return callbacks.failNow(refusal)
            }
            callbacks.failing {
                let answered = try write { try $0.complete(answer.claimed, at: configuration.now()) }
                notification.content.withValue { $0 = answered.legacyNotification }
                callbacks.succeedNow(())
            }
        }
    }
}

/// The right to answer a push, and what to send.
private struct Claim {
    let claimed: ClaimedAnswer
    let request: PushRequest
    /// Whether the push was stored before; one that was not is stored only if the server takes the answer.
    let wasStored: Bool
}

/// A push that may be answered, as it is stored or, if it is not, as its object tells.
private struct AnswerablePush {
    let value: PushBridgeCore.PushNotification
    let isStored: Bool
}

// MARK: - Looking up

extension CredentialReading {
    /// The stored push that an object stands for; objects that were decoded know no stored id.
    fileprivate func stored(_ object: PushNotification) throws -> PushBridgeCore.PushNotification? {
        let value = object.value
        func isSame(_ stored: PushBridgeCore.PushNotification) -> Bool {
            stored.messageId == value.message.id && stored.credentialId == value.mechanismUUID
        }
        for id in [object.storedId, value.identifier] {
            if let id, let stored = try notification(id: id), isSame(stored) { return stored }
        }
        return try notification(messageId: value.message.id).flatMap { isSame($0) ? $0 : nil }
    }

    /// The push that an object stands for, to be answered; one that was answered elsewhere shows it now.
    fileprivate func answerable(_ object: PushNotification) throws -> AnswerablePush {
        guard let stored = try stored(object) else {
            guard object.isPending else { throw PushAnswerError.notPending }
            return AnswerablePush(value: try PushBridgeCore.PushNotification(object.value), isStored: false)
        }
        if !stored.pending { object.content.withValue { $0 = stored.legacyNotification } }
        // A push of another format is its own handler's to answer, through the new API.
        guard stored.customHandler == nil else { throw PushAnswerError.notPending }
        return AnswerablePush(value: stored, isStored: true)
    }

    /// The first push whose legacy key is `identifier`, `{mechanismUUID}-{timeAdded in ms}`.
    fileprivate func notification(
        legacyIdentifier identifier: String
    ) throws -> PushBridgeCore.PushNotification? {
        if let stored = try notification(id: identifier) { return stored }
        guard
            let dash = identifier.lastIndex(of: "-"),
            let milliseconds = Int64(identifier[identifier.index(after: dash)...])
        else { return nil }
        var query = RecordQuery(owner: String(identifier[..<dash]))
        query.dates = .around(milliseconds: milliseconds)
        return try notifications(query).first { $0.legacyNotification.identifier == identifier }
    }
}

extension ClosedRange<Date> {
    /// The dates that are rounded to a number of milliseconds since 1970, and a few beside them; `nil` where the number
    /// is too great to tell them apart.
    fileprivate static func around(milliseconds: Int64) -> ClosedRange? {
        guard milliseconds.magnitude < 1 << 50 else { return nil }
        return Date(millisecondsSince1970: milliseconds - 1)...Date(millisecondsSince1970: milliseconds + 1)
    }
}
