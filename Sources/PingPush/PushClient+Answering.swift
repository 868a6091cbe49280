import Foundation
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgePlatform

extension PushClient {
    /// Approves a push of type `default`, which changes only after the server accepted.
    ///
    /// ```swift
    /// for push in try await client.getPendingNotifications() where push.pushType == .default {
    ///     try await client.approveNotification(push.id)
    /// }
    /// ```
    ///
    /// - Parameter notificationId: The notification's id.
    /// - Returns: `false` if the push was answered already, or an answer is on its way.
    /// - Throws: ``PushError/networkFailure(_:_:)`` with the push still pending, also if the task was cancelled. Before anything is
    ///   sent: ``PushError/notificationNotFound(_:)``, ``PushError/credentialNotFound(_:)``,
    ///   ``PushError/credentialLocked(_:)``, ``PushError/invalidPushType(_:)`` for a push of another type, and
    ///   ``PushError/invalidParameterValue(_:)`` if the credential's secret or the push's challenge is not base64.
    @discardableResult
    public func approveNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.approve, to: notificationId)
    }

    /// Approves a push of type `challenge` with the number the user chose; see ``approveNotification(_:)``.
    ///
    /// A number that the push does not show is sent as well. A server before AM 8.1.0 takes that for a denial, so it is
    /// stored as one and logged; which of the numbers shown is the right one, only the server knows. AM 8.1.0 refuses a
    /// wrong number, and the push can be answered again.
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
    ///   - challengeResponse: The number; white space around it does not count.
    /// - Returns: `false` if the push was answered already, or an answer is on its way.
    /// - Throws: ``PushError/invalidParameterValue(_:)`` for a blank number, ``PushError/pushNumberChallengeError(_:)``
    ///   with the push still pending if the server refused the number, and what ``approveNotification(_:)`` throws.
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

    /// Approves a push of type `biometric` after local authentication; see ``approveNotification(_:)``.
    ///
    /// The method of authentication is logged and not sent: servers have no field for it.
    ///
    /// - Parameters:
    ///   - notificationId: The notification's id.
    ///   - authenticationMethod: How the user was authenticated, as `face`.
    /// - Returns: `false` if the push was answered already, or an answer is on its way.
    /// - Throws: ``PushError/invalidParameterValue(_:)`` for a blank method, and the errors of ``approveNotification(_:)``.
    @discardableResult
    public func approveBiometricNotification(
        _ notificationId: String,
        authenticationMethod: String
    ) async throws -> Bool {
        let method = authenticationMethod.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !method.isEmpty else {
            throw PushError.invalidParameterValue("The authentication method is empty.")
        }
        configuration.logger.d("Local authentication: \(method).")
        return try await answer(
            .approveBiometric,
            to: notificationId,
            authenticationMethod: method
        )
    }

    /// Denies a push of any type; see ``approveNotification(_:)``.
    ///
    /// - Parameter notificationId: The notification's id.
    /// - Returns: `false` if the push was answered already, or an answer is on its way.
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
        let isStored = try await carryOutIfSent(claimed) { try await send($0, authenticationMethod) } != nil
        if isStored, claimed.isStoredAsDenial {
            configuration.logger.w(
                "The push does not show this number, so its server took it for a denial.",
                error: nil
            )
        }
        return isStored
    }

    /// The right to send an answer; `nil` if there is nothing to answer any more.
    private func claim(_ answer: PushAnswer, to notificationId: String) async throws -> Answering? {
        let (clock, timeout) = (configuration.now, answerTimeout)
        let handlers = configuration.customPushHandlers.platforms
        // The server has taken an answer that the storage has not.
        guard !core.held.holds(notificationId) else { return nil }
        var verdicts = core.verdicts
        while true {
            let known = verdicts
            do {
                return try await core.write { view -> Swift.Result<Answering?, PushError> in
                    guard let push = try view.notification(id: notificationId) else {
                        return .failure(.notificationNotFound(notificationId))
                    }
                    // The clock is read while no other answer can be claimed.
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
                    // Not thrown, which would undo the lock.
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
    /// Performs an operation.
    func perform<Operation: PushOperation>(
        _ operation: Operation,
        timeout: TimeInterval? = nil
    ) async throws(PushFailure) -> Operation {
        let (timeout, provider) = (timeout ?? configuration.timeout, configuration.providerName)
        return try await transport.perform(operation, timeout: timeout, hooks: configuration.hooks) {
            $0.providerName = provider
        }
    }

    /// Sends an operation, stores what came of it, and takes back what was stored before if it was not sent.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - send: Performs it, or has the app's own handler do so; returns `nil` if that says that it could not.
    /// - Returns: What was stored; `nil` if it was not sent.
    /// - Throws: What `send` throws, and ``PushStorageError``.
    func carryOutIfSent<Operation: StoredOperation>(
        _ operation: Operation,
        _ send: (Operation) async throws -> Operation?
    ) async throws -> Operation.Outcome? {
        let sent: Operation?
        do {
            sent = try await send(operation)
        } catch {
            await abandon(operation)
            throw error
        }
        guard let sent else {
            await abandon(operation)
            return nil
        }
        return try await complete(sent)
    }

    /// Stores what the server agreed to, also if the client was closed meanwhile.
    ///
    /// A storage that fails then is not the caller's failure: the server has decided. The outcome is held in memory, shown,
    /// and stored at the next chance. The next process also finishes an enrolment; without durable storage for it, the
    /// enrolment fails.
    func complete<Operation: StoredOperation>(_ operation: Operation) async throws -> Operation.Outcome {
        let now = configuration.now()
        do {
            return try await core.write(isCompleting: true) { try operation.complete(in: $0, at: now) }
        } catch PushError.duplicateCredential(let issuer, let accountName) {
            throw PushError.duplicateCredential(issuer: issuer, accountName: accountName)
        } catch {
            if let enrolment = operation.pendingEnrolment {
                try core.held.hold(enrolment, after: error) { try enrolment.complete(in: $0) }
                configuration.logger.e(
                    "An enrolment is not stored yet, and waits in the keychain.",
                    error: error
                )
                return operation.outcome(at: now)
            }
            hold("What the server agreed to", operation.recordId, error) {
                _ = try operation.complete(in: $0, at: now)
            }
            return operation.outcome(at: now)
        }
    }

    /// Notes that the storage did not take what a server agreed to; it is shown, and stored at the next chance.
    /// - Parameters:
    ///   - subject: What was not stored, for the log.
    ///   - id: The id of its record.
    ///   - error: Why.
    ///   - store: Stores it.
    func hold(_ subject: String, _ id: String, _ error: any Error, _ store: @escaping HeldOutcomes.Storing) {
        configuration.logger.e("\(subject) is not stored yet, and kept in memory.", error: error)
        core.held.hold(id, store)
    }

    /// A failure is logged, because the caller has to learn why there was no answer; a claim ends by itself.
    private func abandon(_ operation: some StoredOperation) async {
        guard operation.isClaimed else { return }
        do {
            try await core.write(isCompleting: true) { try operation.abandon(in: $0) }
        } catch {
            configuration.logger.e("\(operation.recordId) takes no answer for a while.", error: error)
        }
    }

    /// How long an answer may take; never so long that its claim could end before.
    private var answerTimeout: TimeInterval { min(configuration.timeout, AnswerClaim.longestRequest) }

    /// Sends a claimed answer.
    /// - Returns: The answer as it is now; `nil` if the app's own handler says that it could not send it.
    private func send(_ answering: Answering, _ authenticationMethod: String?) async throws -> Answering? {
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
    fileprivate func answer(_ answering: Answering, authenticationMethod: String?) async throws -> Bool {
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
