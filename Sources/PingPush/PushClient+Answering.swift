import Foundation
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgePlatform

extension PushClient {
    /// Approves a push of type `default`.
    ///
    /// The push is stored as approved only after the server has accepted the answer.
    ///
    /// ```swift
    /// for push in try await client.getPendingNotifications() where push.pushType == .default {
    ///     try await client.approveNotification(push.id)
    /// }
    /// ```
    ///
    /// - Parameter notificationId: The notification's id.
    /// - Returns: Whether the server accepted the answer. `false` if the push has already been answered, if another
    ///   answer to it is being sent, or if the app's own handler returned `false`.
    /// - Throws: ``PushError/networkFailure(_:_:)`` if the request failed or the task was cancelled; the push
    ///   then stays pending. Before a request is sent: ``PushError/notificationNotFound(_:)``,
    ///   ``PushError/credentialNotFound(_:)``, ``PushError/credentialLocked(_:)``, ``PushError/invalidPushType(_:)``
    ///   for a push of another type, ``PushError/invalidParameterValue(_:)`` if the credential's secret or the push's
    ///   challenge is not base64, and ``PushError/noHandlerForPlatform(_:)`` if the handler that parsed the push is
    ///   no longer configured.
    @discardableResult
    public func approveNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.approve, to: notificationId)
    }

    /// Approves a push of type `challenge` with the number that the user chose; see ``approveNotification(_:)``.
    ///
    /// The client does not know which number is right, and sends any number. AM 8.1.0 rejects a wrong number, and the
    /// push can be answered again. Earlier servers accept a wrong number, but treat it as a denial. If the push has
    /// numbers and the accepted number is none of them, the client stores a denial and logs a warning.
    ///
    /// ```swift
    /// do {
    ///     try await client.approveChallengeNotification(push.id, challengeResponse: chosen)
    /// } catch PushError.pushNumberChallengeError {
    ///     show("Another number")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - notificationId: The notification's id.
    ///   - challengeResponse: The number; surrounding white space is ignored.
    /// - Returns: Whether the server accepted the answer. `false` if the push has already been answered, if another
    ///   answer to it is being sent, or if the app's own handler returned `false`.
    /// - Throws: ``PushError/invalidParameterValue(_:)`` for a blank number, ``PushError/pushNumberChallengeError(_:)``
    ///   if the server rejected the number (the push stays pending), and the errors of ``approveNotification(_:)``.
    @discardableResult
    public func approveChallengeNotification(
        _ notificationId: String,
        challengeResponse: String
    ) async throws -> Bool {
        let response = challengeResponse.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !response.isEmpty else {
            throw PushError.invalidParameterValue("The challenge response is empty.")
        }
        return try await answer(.approveChallenge(response), to: notificationId)
    }

    /// Approves a push of type `biometric` after the app has authenticated the user locally; see
    /// ``approveNotification(_:)``.
    ///
    /// The authentication method is logged, and passed to the app's own handler. PingAM has no field for it.
    ///
    /// - Parameters:
    ///   - notificationId: The notification's id.
    ///   - authenticationMethod: The authentication method, for example `face`.
    /// - Returns: Whether the server accepted the answer. `false` if the push has already been answered, if another
    ///   answer to it is being sent, or if the app's own handler returned `false`.
    /// - Throws: ``PushError/invalidParameterValue(_:)`` for a blank method, and the errors of
    ///   ``approveNotification(_:)``.
    @discardableResult
    public func approveBiometricNotification(
        _ notificationId: String,
        authenticationMethod: String
    ) async throws -> Bool {
        let method = authenticationMethod.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !method.isEmpty else {
            throw PushError.invalidParameterValue("The authentication method is empty.")
        }
        configuration.logger.d("The user was authenticated locally: \(method).")
        return try await answer(
            .approveBiometric,
            to: notificationId,
            authenticationMethod: method
        )
    }

    /// Denies a push of any type; see ``approveNotification(_:)``.
    ///
    /// - Parameter notificationId: The notification's id.
    /// - Returns: Whether the server accepted the answer. `false` if the push has already been answered, if another
    ///   answer to it is being sent, or if the app's own handler returned `false`.
    /// - Throws: The errors of ``approveNotification(_:)``.
    @discardableResult
    public func denyNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.deny, to: notificationId)
    }

    func answer(
        _ answer: PushAnswer,
        to notificationId: String,
        authenticationMethod: String? = nil
    ) async throws -> Bool {
        guard let claimed = try await claim(answer, to: notificationId) else { return false }
        let isStored =
            try await performAndStoreIfSent(claimed) { try await send($0, authenticationMethod) } != nil
        if isStored, claimed.isStoredAsDenial {
            configuration.logger.w(
                "The push does not contain this number, so the server treated the answer as a denial.",
                error: nil
            )
        }
        return isStored
    }

    /// Claims a push for an answer; the result is `nil` if the push was already answered or another answer is being
    /// sent.
    private func claim(_ answer: PushAnswer, to notificationId: String) async throws -> AnswerOperation? {
        let (clock, timeout) = (configuration.now, answerTimeout)
        let handlers = configuration.customPushHandlers.platforms
        // The server has accepted an answer that the storage failed to save, so the push is no longer pending.
        guard !core.held.holds(notificationId) else { return nil }
        var verdicts = core.verdicts
        while true {
            let known = verdicts
            do {
                return try await core.write { view -> Swift.Result<AnswerOperation?, PushError> in
                    guard let push = try view.notification(id: notificationId) else {
                        return .failure(.notificationNotFound(notificationId))
                    }
                    // The clock is read inside the transaction. With an earlier time, a claim that another process made
                    // in the meantime could seem too long to be valid, and would be ignored.
                    let now = clock()
                    let claim = AnswerClaim(id: UUID().uuidString, from: now, lasting: timeout * 2 + 10)
                    let outcome = try view.answering(
                        answer,
                        to: AnswerablePush(push),
                        claim: claim,
                        now: now,
                        handlers: handlers,
                        settling: { try known.settle(&$0, in: view) }
                    )
                    switch outcome {
                    case .success(var answering):
                        answering.takesNumberForDenial = true
                        try view.claim(answering)
                        return .success(answering)
                    case .failure(.notPending): return .success(nil)
                    // The error is returned and not thrown, because a thrown error would roll back the
                    // transaction, which may have locked the account.
                    case .failure(let error):
                        return .failure(PushError(error, notificationId, push.credentialId))
                    }
                }.get()
            } catch let unevaluated as UnevaluatedPolicies {
                await verdicts.evaluate(unevaluated.account)
            }
        }
    }
}

extension PushClient {
    /// Performs an operation with the configured transport.
    func perform<Operation: PushOperation>(
        _ operation: Operation,
        timeout: TimeInterval? = nil
    ) async throws(PushFailure) -> Operation {
        let (timeout, provider) = (timeout ?? configuration.timeout, configuration.providerName)
        return try await transport.perform(operation, timeout: timeout, hooks: configuration.hooks) {
            $0.providerName = provider
        }
    }

    /// Sends an operation and stores its outcome.
    ///
    /// If the operation failed, its claim is released.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - send: Performs the operation, or calls the app's own handler; returns `nil` if the handler returned `false`.
    /// - Returns: The stored outcome; `nil` if `send` returned `nil`.
    /// - Throws: The errors of `send` and of ``complete(_:)``.
    func performAndStoreIfSent<Operation: StoredOperation>(
        _ operation: Operation,
        _ send: (Operation) async throws -> Operation?
    ) async throws -> Operation.Outcome? {
        let sent: Operation?
        do {
            sent = try await send(operation)
        } catch {
            measure(operation.milestone(isAccepted: false, at: configuration.now()))
            await abandon(operation)
            throw error
        }
        measure(operation.milestone(isAccepted: sent != nil, at: configuration.now()))
        guard let sent else {
            await abandon(operation)
            return nil
        }
        return try await complete(sent)
    }

    /// Reports a step of a push to the app, if the app has set `onMilestone`.
    func measure(_ milestone: PushMilestone?) {
        if let milestone { configuration.onMilestone?(milestone) }
    }

    /// Stores an outcome that the server accepted, even if the client was closed during the request.
    ///
    /// A storage failure is not reported to the caller, because the server has already decided. Instead, the
    /// outcome is held in memory and stored later; until then, the client's results include it. An enrolment is
    /// also kept in durable storage, so that the next process can complete it. If no durable storage is available,
    /// or if an equal credential was stored in the meantime, the enrolment fails.
    func complete<Operation: StoredOperation>(_ operation: Operation) async throws -> Operation.Outcome {
        let now = configuration.now()
        do {
            return try await core.write(isCompleting: true) { try operation.complete(in: $0, at: now) }
        } catch PushError.duplicateCredential(let issuer, let accountName) {
            throw PushError.duplicateCredential(issuer: issuer, accountName: accountName)
        } catch {
            if let enrolment = operation.pendingEnrolment?.besideOthers {
                try core.held.hold(enrolment, after: error)
                configuration.logger.e(
                    "An enrolment is not stored yet, but is kept in the keychain.",
                    error: error
                )
                return operation.outcome(at: now)
            }
            hold("The outcome of a request", operation.recordId, error) {
                _ = try operation.complete(in: $0, at: now)
            }
            return operation.outcome(at: now)
        }
    }

    /// Keeps an outcome that the server accepted but the storage failed to save, until it can be stored.
    /// - Parameters:
    ///   - subject: The name of the outcome in the log.
    ///   - id: The id of the outcome's record.
    ///   - error: The storage's error.
    ///   - store: Stores the outcome.
    func hold(_ subject: String, _ id: String, _ error: any Error, _ store: @escaping UnsavedOutcomes.Storing)
    {
        configuration.logger.e("\(subject) is not stored yet, and is kept in memory.", error: error)
        core.held.hold(id, store)
    }

    /// Releases the claim of an answer that failed.
    ///
    /// If the release fails, the failure is only logged: the caller receives the error of the request, and
    /// the claim expires.
    private func abandon(_ operation: some StoredOperation) async {
        guard operation.isClaimed else { return }
        do {
            try await core.write(isCompleting: true) { try operation.abandon(in: $0) }
        } catch {
            configuration.logger.e(
                "The claim of the push \(operation.recordId) was not released.",
                error: error
            )
        }
    }

    /// The time-out of a request with an answer; the claim of the answer lasts longer.
    private var answerTimeout: TimeInterval { min(configuration.timeout, AnswerClaim.longestRequest) }

    /// Sends a claimed answer.
    /// - Returns: The sent answer; `nil` if the app's own handler returned `false`.
    private func send(_ answering: AnswerOperation, _ authenticationMethod: String?) async throws
        -> AnswerOperation?
    {
        guard answering.request == nil else {
            do {
                return try await perform(answering, timeout: answerTimeout)
            } catch {
                throw error.named
            }
        }
        let name = answering.notification.customHandler ?? answering.credential.platform.rawValue
        guard let handler = configuration.customPushHandlers.handler(named: name) else {
            throw PushError.noHandlerForPlatform(name)
        }
        let isSent = try await callingHandler {
            try Task.checkCancellation()
            return try await handler.answer(answering, authenticationMethod: authenticationMethod)
        }
        return isSent ? answering : nil
    }
}

extension PushHandler {
    fileprivate func answer(_ answering: AnswerOperation, authenticationMethod: String?) async throws -> Bool
    {
        guard answering.answer.isApproval else {
            return try await sendDenial(
                credential: answering.credential,
                notification: answering.notification,
                params: [:]
            )
        }
        var parameters: [String: String] = [:]
        if case .approveChallenge(let response) = answering.answer {
            parameters["challengeResponse"] = response
        }
        parameters["authenticationMethod"] = authenticationMethod
        return try await sendApproval(
            credential: answering.credential,
            notification: answering.notification,
            params: parameters
        )
    }
}
