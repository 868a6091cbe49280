import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Verifies and stores a push; returns `nil` if another sender sent the push.
    func receive(_ userInfo: [AnyHashable: Any]) throws -> PushNotification? {
        guard let payload = PushPayload(.payload(userInfo)), let push = try UnverifiedPush(payload) else {
            return nil
        }
        return received(try receive(push, at: configuration.now()).notification)
    }

    /// Creates the object of a push that has just been received.
    func received(_ push: PushBridgeCore.PushNotification) -> PushNotification {
        PushNotification(push, storedId: push.id, origin: self)
    }

    func notifications(_ query: RecordQuery) throws -> [PushNotification] {
        try read { try $0.notifications(query).logged() }.map(object)
    }

    /// Returns the notifications of a mechanism.
    func notifications(of mechanism: Mechanism) throws -> [PushNotification] {
        let query = RecordQuery(owner: mechanism.value.mechanismUUID)
        return try read(preloaded: mechanism) { try $0.notifications(query).logged() }.map(object)
    }

    func notification(identifier: String) throws -> PushNotification? {
        try read { try $0.notification(legacyIdentifier: identifier) }.map(object)
    }

    func remove(_ notification: PushNotification) throws -> Bool {
        try write(preloaded: notification) { view in
            guard let stored = try view.stored(notification) else { return false }
            return try view.removeNotification(id: stored.id)
        }
    }

    /// Returns the push mechanism with an id.
    ///
    /// The result contains the notifications of the mechanism. If the notifications are in an app's own storage,
    /// they are read when they are first used.
    func pushMechanism(id: String) throws -> PushMechanism? {
        let isAppsOwn = try hasOwnStorage
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

    /// Removes a mechanism and its notifications.
    ///
    /// The account of the mechanism stays, even if no mechanism is left.
    ///
    /// As in the SDK, the notifications are removed even if the mechanism is not stored or cannot be removed.
    func remove(_ mechanism: LegacyMechanism) throws -> Bool {
        do {
            let isRemoved = try removeStored(mechanism)
            if !isRemoved { try removeNotifications(of: mechanism) }
            return isRemoved
        } catch {
            try removeNotifications(of: mechanism)
            throw error
        }
    }

    private func removeNotifications(of mechanism: LegacyMechanism) throws {
        guard mechanism.kind == .push else { return }
        try write { view in
            let orphans = try view.fetch(PushBridgeCore.PushNotification.self, where: .all)
            for orphan in orphans where orphan.credentialId == mechanism.mechanismUUID {
                _ = try view.removeNotification(id: orphan.id)
            }
        }
    }

    private func removeStored(_ mechanism: LegacyMechanism) throws -> Bool {
        let id = mechanism.mechanismUUID
        return try write { view in
            if try view.dismissCredential(mechanism.kind, id: id, of: mechanism.account) { return true }
            let kept = try view.keptMechanisms { $0.mechanismUUID == id && $0.account == mechanism.account }
            for mechanism in kept { try view.dropVerbatim(of: mechanism.entry) }
            return !kept.isEmpty
        }
    }

    private func object(_ notification: PushBridgeCore.PushNotification) -> PushNotification {
        PushNotification(notification, storedId: notification.id, origin: self)
    }
}

// MARK: - Answering

extension Authenticator {
    /// Sends an answer.
    ///
    /// Errors that occur before the request is sent are reported immediately.
    func answer(_ answer: PushAnswer, to notification: PushNotification, _ callbacks: Callbacks<Void>) {
        callbacks.failing {
            send(try prepare(answer, to: notification, isClaiming: true), for: notification, callbacks)
        }
    }

    /// Approves a push after local authentication.
    ///
    /// If the push cannot be answered, the local authentication does not start.
    func approve(
        _ notification: PushNotification,
        after prompt: AuthenticationPrompt,
        _ callbacks: Callbacks<Void>
    ) {
        callbacks.failing {
            _ = try prepare(.approveBiometric, to: notification, isClaiming: false)
            let authentication = configuration.localAuthentication ?? FRAClient.localAuthentication
            authentication.authenticate(prompt) { [self] error in
                if let error {
                    // As in the SDK, a failed local authentication is reported as invalid information.
                    return callbacks.fail(AuthenticationFailures.error(for: error))
                }
                callbacks.failing(on: .global()) {
                    let answering = try prepare(.approveBiometric, to: notification, isClaiming: true)
                    send(answering, for: notification, callbacks)
                }
            }
        }
    }

    /// Reads the records for an answer and, if `isClaiming` is `true`, claims the answer in the same transaction.
    ///
    /// This transaction also locks the account if the device violates one of the account's policies.
    ///
    /// As in the SDK, the type is checked first: an answer of the wrong type is reported even if the push has
    /// already been answered.
    private func prepare(
        _ answer: PushAnswer,
        to notification: PushNotification,
        isClaiming: Bool
    ) throws -> AnswerOperation {
        let type = notification.value.pushType
        guard answer.suits(type) else { throw PushAnswerError.wrongKind(type) }
        let outcome = try withPolicyOutcomes { evaluate in
            try write(preloaded: notification) { view -> Swift.Result<AnswerOperation, PushAnswerError> in
                let push = try view.answerable(notification)
                // A held outcome is an answer that the server accepted but the store failed to save. So the push is
                // no longer pending.
                guard !held.holds(push.notification.id) else { return .failure(.notPending) }
                // The clock is read inside the transaction. Otherwise, another process could claim the answer after
                // `now` was read. Its claim would then seem to come from the future, and could be ignored.
                let now = configuration.now()
                let claim = AnswerClaim(
                    id: UUID().uuidString,
                    from: now,
                    lasting: Request.standardTimeout * 2 + 10
                )
                let outcome = try view.answering(answer, to: push, claim: claim, now: now) { credential in
                    credential.account = try view.lockIfViolated(credential.account, evaluate)
                }
                if isClaiming, case .success(let answering) = outcome { try view.claim(answering) }
                return outcome
            }
        }
        return try outcome.get()
    }

    private func send(
        _ answering: AnswerOperation,
        for notification: PushNotification,
        _ callbacks: Callbacks<Void>
    ) {
        performAndStore(answering, reportingTo: callbacks) { answered in
            notification.content.withValue { $0 = answered.legacyNotification }
        }
    }
}

// MARK: - Looking up

extension CredentialReading {
    /// Returns the stored push of an object.
    ///
    /// A decoded object has no stored id. Its push is found by the legacy key or by the message id.
    fileprivate func stored(_ object: PushNotification) throws -> PushBridgeCore.PushNotification? {
        let value = object.value
        func isSame(_ stored: PushBridgeCore.PushNotification) -> Bool {
            stored.messageId == value.messageId && stored.credentialId == value.credentialId
        }
        for id in [object.storedId, value.id] {
            if let id, let stored = try notification(id: id), isSame(stored) { return stored }
        }
        return try notification(messageId: value.messageId).flatMap { isSame($0) ? $0 : nil }
    }

    /// Returns the push to answer: the stored push of an object or, if none is stored, the object's own push.
    ///
    /// If another object or process has answered the stored push, this method also updates the object.
    fileprivate func answerable(_ object: PushNotification) throws -> AnswerablePush {
        guard let stored = try stored(object) else {
            return AnswerablePush(try object.value.checked(), isStored: false)
        }
        if !stored.pending { object.content.withValue { $0 = stored.legacyNotification } }
        return AnswerablePush(stored)
    }

    /// Returns the push whose id is `identifier`, or else the first push with this legacy key.
    ///
    /// A legacy key has the form `{mechanismUUID}-{timeAdded in ms}`.
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
        return try notifications(query).first { $0.legacyIdentifier == identifier }
    }
}

extension ClosedRange<Date> {
    /// Returns the range of dates that differ by at most one millisecond from a time in milliseconds since
    /// 1970.
    ///
    /// The result is `nil` if the number is so large that a `Date` cannot represent single milliseconds.
    fileprivate static func around(milliseconds: Int64) -> ClosedRange? {
        guard milliseconds.magnitude < 1 << 50 else { return nil }
        return Date(millisecondsSince1970: milliseconds - 1)...Date(millisecondsSince1970: milliseconds + 1)
    }
}
