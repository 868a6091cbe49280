import Foundation
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgePlatform

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
    ///
    /// A number that the push does not show is sent as well. Its server takes that for a denial, so it is stored as one
    /// and logged; which of the numbers shown is the right one, only the server knows.
    /// - Parameters:
    ///   - notificationId: The notification's id.
    ///   - challengeResponse: The number; white space around it does not count.
    /// - Returns: `false` if the push was answered already, or an answer is on its way.
    /// - Throws: ``PushError/invalidParameterValue(_:)`` for a blank number, and what ``approveNotification(_:)``
    ///   throws.
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
    @discardableResult
    public func approveBiometricNotification(
        _ notificationId: String,
        authenticationMethod: String
    ) async throws -> Bool {
        configuration.logger.d("Local authentication: \(authenticationMethod).")
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

    func answer(
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
        let taken: PushAnswer? = claimed.request != nil && claimed.isDenialByNumber ? .deny : nil
        if taken != nil {
            configuration.logger.w(
                "The number is none of the push's: its server took it for a denial.",
                error: nil
            )
        }
        try await core.write(isCompleting: true) { view in
            _ = try view.complete(claimed, as: taken, at: now)
        }
        return true
    }

    /// A failure is logged, because the caller has to learn why there was no answer; the claim ends by itself.
    private func release(_ claimed: ClaimedAnswer) async {
        do {
            try await core.write(isCompleting: true) { try $0.release(claimed) }
        } catch {
            configuration.logger.e("\(claimed.notification.id) takes no answer for a while.", error: error)
        }
    }

    /// The right to send an answer; `nil` if there is nothing to answer any more.
    private func claim(_ answer: PushAnswer, to notificationId: String) async throws -> ClaimedAnswer? {
        let now = configuration.now()
        let claim = AnswerClaim(id: UUID().uuidString, from: now, lasting: answerTimeout * 2 + 10)
        let handled = configuration.customPushHandlers.platforms
        var verdicts = core.verdicts
        while true {
            let known = verdicts
            let attempt = try await core.write { view -> ClaimAttempt in
                let notification = try view.notification(id: notificationId)
                // The lock that a policy demands is stored, whether or not the push can be answered.
                if let id = notification?.credentialId, var credential = try view.pushCredential(id: id) {
                    guard !known.lacks(credential.account) else { return .unevaluated(credential.account) }
                    if known.apply(to: &credential) { try view.save(credential) }
                }
                do {
                    let claimed = try view.claimAnswer(
                        answer,
                        to: notificationId,
                        claim: claim,
                        now: now,
                        platformsOfHandlers: handled
                    )
                    return .claimed(claimed)
                } catch PushAnswerError.notPending {
                    return .claimed(nil)
                } catch let error as PushAnswerError {
                    return .refused(PushError(error, notificationId, notification?.credentialId))
                }
            }
            switch attempt {
            case .claimed(let claimed): return claimed
            case .refused(let error): throw error
            case .unevaluated(let account): await verdicts.evaluate(account)
            }
        }
    }
}

/// How an attempt to claim an answer ended; a refusal is no error, which would undo the lock.
private enum ClaimAttempt: Sendable {
    /// With the right to send it, or with nothing to answer any more.
    case claimed(ClaimedAnswer?)
    /// Without it.
    case refused(PushError)
    /// Before it began, because the account's policies have to be evaluated first.
    case unevaluated(AccountProfile)
}

extension PushClient {
    /// Sends a request and returns once the server accepted it.
    func send(_ request: PushRequest, timeout: TimeInterval? = nil) async throws {
        try Task.checkCancellation()
        var request = request
        request.providerName = configuration.providerName
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
        guard let handler = configuration.customPushHandlers.handler(named: name) else {
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
