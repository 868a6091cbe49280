import Foundation

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
    var answerTimeout: TimeInterval { min(configuration.timeout, AnswerClaim.longestRequest) }

    /// Sends a claimed answer; `false` if the app's own handler says that it could not.
    func deliver(_ claimed: ClaimedAnswer, _ authenticationMethod: String?) async throws -> Bool {
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
