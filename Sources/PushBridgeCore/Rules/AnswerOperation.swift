package import Foundation

/// The right to answer a push; a process holds the right while it sends the answer.
///
/// The claim is stored with the push, because an app and its notification extension share a store but no
/// memory. The claim expires, so that the push can still be answered if the process ends while it sends the
/// answer. If the server has accepted the first answer, it rejects a second answer, because a message id can
/// be used only once.
package struct AnswerClaim: Codable, Equatable, Sendable {
    /// The maximum duration of a claim, in seconds; requests time out earlier, see ``longestRequest``.
    package static let longest: TimeInterval = 300

    /// The maximum time-out of an answer's request, in seconds.
    ///
    /// A claim lasts ten seconds longer than twice the time-out, because an interceptor can double the time-out. With
    /// this maximum, a claim lasts 270 seconds. That is 30 less than ``longest``, so that a process whose clock is
    /// slightly behind does not ignore the claim (``isLive(at:)``).
    package static let longestRequest: TimeInterval = (longest - 40) / 2

    /// The id that distinguishes this claim from all others.
    package let id: String
    /// The date when the claim expires.
    package let expiresAt: Date

    /// Creates a claim that lasts for `seconds`, at most for ``longest``.
    ///
    /// The claim should last longer than the request's time-out.
    package init(id: String, from now: Date, lasting seconds: TimeInterval = 120) {
        self.id = id
        expiresAt = now.addingTimeInterval(min(max(0, seconds), Self.longest))
    }

    /// Creates a claim from its stored values.
    package init(id: String, expiresAt: Date) {
        self.id = id
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: Int, CodingKey {
        case id = 1
        case expiresAt
    }

    /// Returns whether the claim is in force.
    ///
    /// If a claim expires later than any new claim could, the clock has been set back since the claim was made, so the
    /// claim is ignored.
    package func isLive(at now: Date) -> Bool {
        let remaining = expiresAt.timeIntervalSince(now)
        return remaining > 0 && remaining <= Self.longest
    }
}

/// The user's answer to a push.
package enum PushAnswer: Equatable, Sendable {
    /// Approves a push of type ``PushType/default``.
    case approve
    /// Approves a push of type ``PushType/challenge`` with the number that the user chose.
    case approveChallenge(String)
    /// Approves a push of type ``PushType/biometric``, after local authentication.
    case approveBiometric
    /// Denies a push of any type.
    case deny

    /// Whether the answer is an approval.
    package var isApproval: Bool { self != .deny }

    /// Returns whether this answer is possible for a push of this type.
    package func suits(_ type: PushType) -> Bool {
        guard isApproval else { return true }
        switch type {
        case .default: return self == .approve
        case .challenge:
            guard case .approveChallenge = self else { return false }
            return true
        case .biometric: return self == .approveBiometric
        }
    }
}

/// The reason why a push cannot be answered; no request was sent.
package enum PushAnswerError: Error, Equatable, Sendable {
    /// No push with this id is stored.
    case notificationNotFound
    /// The credential of the push no longer exists.
    case credentialNotFound
    /// The push was answered, an answer is being sent, or only an app's own handler can answer the push.
    case notPending
    /// The answer is not for pushes of this type.
    case wrongKind(PushType)
    /// The credential is locked by a policy or, if `policy` is `nil`, by the app.
    case locked(policy: String?)
    /// The stored challenge is not base64, so there is nothing to sign.
    case invalidChallenge
    /// The credential's secret is not base64, so nothing can be signed with it.
    case unusableSecret
}

/// The error if a server refuses the number of a challenge with status 400, as AM 8.1.0 does.
///
/// The push can be answered again until it expires.
///
/// The server also responds with 400 if the message is unknown or was already used, or if the signature is
/// wrong. So this error is thrown only for stored pushes, whose signature was verified, and not for expired
/// pushes. Nevertheless, the message may already have been used, for example if the server's response to an earlier
/// answer was lost.
package struct WrongNumber: Error, Equatable {
    /// The server's own message, if it sent one.
    package let message: String?
}

/// A push, and whether it is stored.
///
/// A push that was not stored before is stored while its answer is sent, and removed again unless the server accepts
/// the answer.
package struct AnswerablePush: Sendable {
    package let notification: PushNotification
    let isStored: Bool

    package init(_ notification: PushNotification, isStored: Bool = true) {
        self.notification = notification
        self.isStored = isStored
    }
}

/// The operation that sends an answer to a push, from the claim to the result.
///
/// Only ``CredentialWriting/answering(_:to:claim:now:handlers:settling:)`` creates this operation. The driver that
/// sends the request (see ``StoredOperation``) ends the claim that ``CredentialWriting/claim(_:)`` stored.
package struct AnswerOperation: StoredOperation, Equatable {
    /// The answer.
    package let answer: PushAnswer
    /// The push as it is stored while the answer is being sent.
    package let notification: PushNotification
    /// The credential that signs the answer, as it is stored.
    package let credential: PushCredential
    /// The request to send; `nil` if the app's own handler answers.
    package let request: PushRequest?
    /// Whether the push is stored as denied if ``isDenialByNumber`` is true; the legacy API stores it as approved.
    package var takesNumberForDenial = false
    private let claim: AnswerClaim
    /// Whether the push had expired when the answer began.
    private let isExpired: Bool
    /// Whether the push was stored before the answer began.
    private let wasStored: Bool

    fileprivate init(
        _ answer: PushAnswer,
        to push: AnswerablePush,
        of known: PushCredential?,
        claim: AnswerClaim,
        now: Date,
        handlers: Set<PushPlatform>?
    ) throws(PushAnswerError) {
        let isOfHandler = push.notification.customHandler != nil
        // A push for an app's own handler can be answered only through an API that has handlers.
        guard !isOfHandler || handlers != nil else { throw .notPending }
        notification = try push.notification.claimed(by: claim, for: answer, now: now)
        isExpired = notification.isExpired(at: now)
        guard let credential = known else { throw .credentialNotFound }
        guard !credential.isLocked else { throw .locked(policy: credential.lockingPolicy) }
        let isHandled = isOfHandler || handlers?.contains(credential.platform) == true
        request = isHandled ? nil : try credential.answerRequest(answer, to: notification)
        self.answer = answer
        self.credential = credential
        self.claim = claim
        wasStored = push.isStored
    }

    /// Returns the request of the answer.
    ///
    /// - Throws: ``PushAnswerError/notPending`` if the app's own handler answers.
    package func firstRequest() throws(PushAnswerError) -> PushRequest {
        guard let request else { throw .notPending }
        return request
    }

    /// Ends the operation if the server accepted the answer.
    ///
    /// AM 8.1.0 and later refuse a wrong number with 400.
    /// - Throws: ``WrongNumber`` if the server refuses the number of a stored, unexpired challenge with 400, and
    ///   ``PushResponseError`` for any other refusal.
    package func request(after response: PushResponse) throws -> PushRequest? {
        do {
            try response.accepted()
        } catch {
            // If the push has expired, the server refuses every number with 400. A push that is not stored may
            // be of any age and origin. So 400 shows a wrong number only for a stored push that has not expired.
            guard case .approveChallenge = answer, wasStored, !isExpired,
                case .refused(status: 400, let message) = error
            else { throw error }
            throw WrongNumber(message: message)
        }
        return nil
    }

    /// Whether the answer approves with a number that is none of the push's numbers; `false` if the push has none.
    ///
    /// Servers before AM 8.1.0 accept the request, but treat it as a denial.
    package var isDenialByNumber: Bool {
        guard case .approveChallenge(let response) = answer, !notification.numbers.isEmpty else {
            return false
        }
        // The server compares text, so `034` and `+34` are not `34`.
        let shown = (notification.numbersChallenge ?? "").split(separator: ",")
        return !shown.contains { $0.trimmingCharacters(in: .whitespaces) == response }
    }

    /// Whether an accepted answer is stored as a denial; for the app's own handlers, a number is never a denial.
    package var isStoredAsDenial: Bool { takesNumberForDenial && request != nil && isDenialByNumber }
}

extension CredentialWriting {
    /// Reads the records that an answer requires, and builds the request; stores only the changes that
    /// `settle` makes.
    ///
    /// The caller stores the claim with ``claim(_:)`` in the same write transaction, so that only one of several
    /// concurrent calls succeeds, even if other processes use the same file.
    /// - Parameters:
    ///   - answer: The answer.
    ///   - push: The push.
    ///   - claim: The claim that is in force while the answer is sent.
    ///   - now: The time.
    ///   - handlers: The platforms whose pushes are answered by the app's own handlers; `nil` if the API has no
    ///     handlers.
    ///   - settle: Locks or unlocks the credential as its policies require, whether or not the push can be answered.
    /// - Returns: The answer, or the reason why the push cannot be answered. The reason is not thrown, because that
    ///   would undo the lock.
    /// - Throws: The errors of the store and of `settle`.
    package func answering(
        _ answer: PushAnswer,
        to push: AnswerablePush,
        claim: AnswerClaim,
        now: Date,
        handlers: Set<PushPlatform>? = nil,
        settling settle: (inout PushCredential) throws -> Void = { _ in }
    ) throws -> Result<AnswerOperation, PushAnswerError> {
        var credential = try pushCredential(id: push.notification.credentialId)
        if var known = credential {
            try settle(&known)
            credential = known
        }
        do throws(PushAnswerError) {
            return .success(
                try AnswerOperation(
                    answer,
                    to: push,
                    of: credential,
                    claim: claim,
                    now: now,
                    handlers: handlers
                )
            )
        } catch {
            return .failure(error)
        }
    }

    /// Stores the claim of an answer that is about to be sent.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func claim(_ answering: AnswerOperation) throws {
        try save(answering.notification)
    }
}

extension AnswerOperation {
    package var isClaimed: Bool { true }
    package var recordId: String { notification.id }

    package func milestone(isAccepted: Bool, at now: Date) -> PushMilestone? {
        let isApproval = answer.isApproval && (request == nil || !isDenialByNumber)
        let result: PushMilestone.Result = isAccepted ? (isApproval ? .approved : .denied) : .failed
        let delay = PushMilestone.Delay(seconds: now.timeIntervalSince(notification.orderedAt))
        return PushMilestone(.answer, result, delay: delay)
    }

    /// Stores the answer, which the server accepted.
    ///
    /// The answer is stored even if the claim has expired, because the server has decided. If the push was removed in
    /// the meantime, it is not stored again.
    /// - Parameters:
    ///   - view: The store.
    ///   - now: The time.
    /// - Returns: The updated push.
    /// - Throws: The store's errors.
    @discardableResult
    package func complete(in view: any CredentialWriting, at now: Date) throws -> PushNotification {
        guard let stored = try stored(in: view) else { return outcome(at: now) }
        let answered = stored.answered(taken, at: now)
        try view.save(answered)
        return answered
    }

    /// Returns the push as it is stored now; `nil` if it was removed.
    ///
    /// A move back to the legacy items may have changed the push's id.
    private func stored(in view: any CredentialReading) throws -> PushNotification? {
        if let stored = try view.notification(id: notification.id) { return stored }
        let moved = try view.notification(messageId: notification.messageId)
        return moved?.credentialId == notification.credentialId ? moved : nil
    }

    package func outcome(at now: Date) -> PushNotification { notification.answered(taken, at: now) }

    /// The answer as it is stored after the server has accepted it.
    private var taken: PushAnswer { isStoredAsDenial ? .deny : answer }

    /// Releases the claim after a failure, so that the push can be answered again.
    ///
    /// If the push was not stored before the answer began, the push is removed.
    package func abandon(in view: any CredentialWriting) throws {
        guard let stored = try stored(in: view) else { return }
        let released = stored.released(from: claim)
        guard released != stored else { return }
        if wasStored {
            try view.save(released)
        } else {
            _ = try view.removeNotification(id: stored.id)
        }
    }
}
