import Foundation
import Logging
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

extension PushClient {
    /// Approves a push of type `default`, which changes only after the server accepted.
    /// - Parameter notificationId: The notification's id.
    /// - Returns: `false` if the push was answered already, or an answer is on its way.
    /// - Throws: ``PushError/networkFailure(_:_:)`` or `CancellationError` with the push still pending, and
    ///   ``PushError/invalidPushType(_:)``, ``PushError/credentialLocked(_:)`` or
    ///   ``PushError/notificationNotFound(_:)`` before anything is sent.
    @discardableResult
    public func approveNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.approve, to: notificationId)
    }

    /// Approves a push of type `challenge` with the number the user chose; see ``approveNotification(_:)``.
    @discardableResult
    public func approveChallengeNotification(
        _ notificationId: String,
        challengeResponse: String
    ) async throws -> Bool {
        guard !challengeResponse.isEmpty else {
            throw PushError.invalidParameterValue("The challenge response is empty.")
        }
        return try await answer(.approveChallenge(challengeResponse), to: notificationId)
    }

    /// Approves a push of type `biometric` after local authentication; see ``approveNotification(_:)``.
    ///
    /// The method of authentication is logged and not sent: servers have no field for it.
    @discardableResult
    public func approveBiometricNotification(
        _ notificationId: String,
        authenticationMethod: String
    ) async throws -> Bool {
        configuration.logger?.debug("Local authentication: \(authenticationMethod).")
        return try await answer(
            .approveBiometric,
            to: notificationId,
            authenticationMethod: authenticationMethod
        )
    }

    /// Denies a push of any type; see ``approveNotification(_:)``.
    @discardableResult
    public func denyNotification(_ notificationId: String) async throws -> Bool {
        try await answer(.deny, to: notificationId)
    }

    private func answer(
        _ answer: PushAnswer,
        to notificationId: String,
        authenticationMethod: String? = nil
    ) async throws -> Bool {
        guard let claimed = try await claim(answer, to: notificationId) else { return false }
        do {
            guard try await deliver(claimed, authenticationMethod) else {
                await release(claimed)
                return false
            }
        } catch {
            await release(claimed)
            throw error
        }
        let now = configuration.now()
        _ = try await core.write(isCompleting: true) { try $0.complete(claimed, at: now) }
        return true
    }

    /// A failure is logged, because the caller has to learn why there was no answer; the claim ends by itself.
    private func release(_ claimed: ClaimedAnswer) async {
        do {
            try await core.write(isCompleting: true) { try $0.release(claimed) }
        } catch {
            let id = claimed.notification.id
            configuration.logger?.error("\(id) takes no answer for a while: \(error.localizedDescription)")
        }
    }

    /// The right to send an answer; `nil` if there is nothing to answer any more.
    private func claim(_ answer: PushAnswer, to notificationId: String) async throws -> ClaimedAnswer? {
        let now = configuration.now()
        let claim = AnswerClaim(id: UUID().uuidString, from: now, lasting: answerTimeout * 2 + 10)
        let evaluator = core.evaluator
        let result = try await core.write { view -> Result<ClaimedAnswer, PushError>? in
            let notification = try view.notification(id: notificationId)
            // The lock that a policy demands is stored, whether or not the push can be answered.
            if let id = notification?.credentialId, var credential = try view.pushCredential(id: id),
                evaluator.apply(to: &credential)
            {
                try view.save(credential)
            }
            do {
                return .success(try view.claimAnswer(answer, to: notificationId, claim: claim, now: now))
            } catch PushAnswerError.notPending {
                return nil
            } catch let error as PushAnswerError {
                return .failure(PushError(error, notificationId, notification?.credentialId))
            }
        }
        return try result?.get()
    }
}

extension PushClient {
    /// Sends a request and returns once the server accepted it.
    func send(_ request: PushRequest, timeout: TimeInterval? = nil) async throws {
        try Task.checkCancellation()
        do {
            let (timeout, hooks) = (timeout ?? configuration.timeout, configuration.hooks)
            try await transport.deliver(request, timeout: timeout, hooks: hooks).accepted()
        } catch let error as PushResponseError {
            throw PushError.networkFailure(error.reason, error)
        } catch let error as PushTransportError {
            throw PushError.networkFailure(error.reason, error)
        }
    }

    /// How long an answer may take; never so long that its claim could end before.
    private var answerTimeout: TimeInterval { min(configuration.timeout, AnswerClaim.longestRequest) }

    /// Sends a claimed answer.
    /// - Returns: `false` if the app's own handler says that it could not.
    private func deliver(_ claimed: ClaimedAnswer, _ authenticationMethod: String?) async throws -> Bool {
        if let request = claimed.request {
            try await send(request, timeout: answerTimeout)
            return true
        }
        let name = claimed.notification.customHandler ?? claimed.credential.platform.rawValue
        guard let handler = configuration.customPushHandlers[name] else {
            throw PushError.noHandlerForPlatform(name)
        }
        try Task.checkCancellation()
        return try await handler.answer(claimed, authenticationMethod: authenticationMethod)
    }
}

extension PushHandler {
    fileprivate func answer(_ claimed: ClaimedAnswer, authenticationMethod: String?) async throws -> Bool {
        guard claimed.answer.isApproval else {
            return try await sendDenial(
                credential: claimed.credential,
                notification: claimed.notification,
                params: [:]
            )
        }
        var parameters: [String: String] = [:]
        if case .approveChallenge(let response) = claimed.answer {
            parameters["challengeResponse"] = response
        }
        parameters["authenticationMethod"] = authenticationMethod
        return try await sendApproval(
            credential: claimed.credential,
            notification: claimed.notification,
            params: parameters
        )
    }
}
