public import Foundation
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgePlatform

extension PushClient {
    /// Stores the APNs token and sends it to the servers; see ``setDeviceToken(_:credentialId:)-(String,_)``.
    ///
    /// ```swift
    /// try await client.setDeviceToken(deviceToken)
    /// ```
    ///
    /// - Parameters:
    ///   - deviceToken: The token's bytes, as UIKit provides them.
    ///   - credentialId: The credential whose server receives the token; `nil` means all credentials.
    /// - Returns: `true`; failures of this call are thrown. If `credentialId` is `nil`, servers that recently rejected
    ///   the token are skipped; see ``tokenState(of:)``.
    /// - Throws: The errors of ``setDeviceToken(_:credentialId:)-(String,_)``.
    @discardableResult
    public func setDeviceToken(_ deviceToken: Data, credentialId: String? = nil) async throws -> Bool {
        try await setDeviceToken(deviceToken.hexadecimal, credentialId: credentialId)
    }

    /// Stores an APNs token, and sends it to the servers of all credentials or to the server of one credential.
    ///
    /// An app can call this method at every launch, because servers that have accepted the token receive no request.
    /// If a server does not respond to its first request, or accepts no tokens, the requests for its other credentials
    /// are skipped. After the requests to all servers, the first failure is thrown. The next call sends the token again
    /// to servers that did not respond; for servers that rejected it, see ``tokenState(of:)``.
    ///
    /// Calls run one after another, so that servers receive the newest token last.
    /// - Parameters:
    ///   - deviceToken: The token in hexadecimal. Servers receive it without surrounding white space; an app's own
    ///     handlers receive it unchanged.
    ///   - credentialId: The credential whose server receives the token; `nil` means all credentials.
    /// - Returns: `true`; failures of this call are thrown. If `credentialId` is `nil`, servers that recently rejected
    ///   the token are skipped; see ``tokenState(of:)``.
    /// - Throws: ``PushError/networkFailure(_:_:)`` if a server did not accept the token or the caller's task was
    ///   cancelled, ``PushError/credentialNotFound(_:)``, ``PushError/invalidParameterValue(_:)`` for a blank token, or
    ///   ``PushStorageError``.
    @discardableResult
    public func setDeviceToken(_ deviceToken: String, credentialId: String? = nil) async throws -> Bool {
        let sending = tokens.enqueue { [self] in try await send(deviceToken, to: credentialId) }
        return try await withTaskCancellationHandler {
            try await sending.value
        } onCancel: {
            sending.cancel()
        }
    }

    private func send(_ deviceToken: String, to credentialId: String?) async throws -> Bool {
        let tokenId = deviceToken.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !tokenId.isEmpty else {
            throw PushError.invalidParameterValue("The device token is empty.")
        }
        let (token, credentials) = try await store(tokenId, for: credentialId)
        if let failure = try await send(token, spelled: deviceToken, credentials) { throw failure }
        return true
    }

    /// Sends a token to servers one after another.
    ///
    /// About once a second, and at the end, this method stores the results.
    /// - Parameters:
    ///   - token: The token.
    ///   - spelling: The token as the app passed it, for the app's handlers.
    ///   - credentials: The credentials whose servers have to receive the token.
    /// - Returns: The reason why the method stopped early or, if it did not, the first failure; `nil` if all servers
    ///   accepted the token.
    /// - Throws: Nothing.
    private func send(
        _ token: PushDeviceToken,
        spelled spelling: String,
        _ credentials: [PushCredential]
    ) async throws -> (any Error)? {
        var tokenUpdate = TokenUpdate(await describe(token), to: credentials)
        var (failure, storedAt) = ((any Error)?.none, configuration.now())
        while let refresh = tokenUpdate.next() {
            if configuration.now().timeIntervalSince(storedAt) >= 1 {
                await recordAnswers(tokenUpdate.removeAnswers(), token)
                storedAt = configuration.now()
            }
            do {
                try core.checkOpen()
            } catch {
                failure = error
                break
            }
            let refusal = await send(spelling, by: refresh)
            if let refusal, refusal.cause is CancellationError {
                failure = refusal.named
                break
            }
            tokenUpdate.take(TokenAnswer(refresh.credential, refusal))
            if let error = refusal?.named {
                configuration.logger.e(
                    "The server of the credential \(refresh.credential.id) did not accept the device token.",
                    error: error
                )
                failure = failure ?? error
            }
        }
        await recordAnswers(tokenUpdate.removeAnswers(), token)
        return failure
    }

    /// Stores which servers accepted or rejected the token, even if the client was closed during the requests.
    private func recordAnswers(_ answers: [TokenAnswer], _ token: PushDeviceToken) async {
        guard !answers.isEmpty else { return }
        let now = configuration.now()
        let store: UnsavedOutcomes.Storing = { try $0.recordAnswers(answers, to: token, at: now) }
        do {
            try await core.write(isCompleting: true, store)
        } catch {
            let ids = answers.map(\.credential.id).joined(separator: " ")
            hold("The server's response to the device token", "\(token.tokenId) \(ids)", error, store)
        }
    }

    /// Stores the APNs token and sends it to the servers in the background.
    ///
    /// Use this method in callbacks that cannot wait, such as UIKit's callbacks.
    ///
    /// A failure is logged, and a later call sends the token again; see ``tokenState(of:)``.
    /// - Parameters:
    ///   - deviceToken: The token's bytes, as UIKit provides them.
    ///   - credentialId: The credential whose server receives the token; `nil` means all credentials.
    /// - Returns: The task, which throws the errors of ``setDeviceToken(_:credentialId:)-(String,_)``. The
    ///   caller need not keep the task.
    @discardableResult
    public func setDeviceToken(_ deviceToken: Data, credentialId: String? = nil) -> Task<Bool, any Error> {
        tokens.enqueue { [self] in
            do {
                return try await send(deviceToken.hexadecimal, to: credentialId)
            } catch {
                configuration.logger.e("The device token was not set.", error: error)
                throw error
            }
        }
    }

    /// Returns whether the server of a credential has the device token and, if it does not, why.
    ///
    /// The token is sent again only when the app calls ``setDeviceToken(_:credentialId:)-(String,_)``. A call for all
    /// credentials skips a server that rejected the token less than an hour ago or, after further rejections, less than
    /// seven and a half days ago. A call for a single credential does not skip its server.
    /// - Parameter credentialId: The credential.
    /// - Returns: The state. If it is `userUnknown`, set the user name with ``setUserId(_:credentialId:)``.
    /// - Throws: ``PushError/credentialNotFound(_:)`` and ``PushStorageError``.
    public func tokenState(of credentialId: String) async throws -> DeviceTokenState {
        try await core.read { view in
            guard let credential = try view.pushCredential(id: credentialId) else {
                throw PushError.credentialNotFound(credentialId)
            }
            return try view.tokenState(of: credential)
        }
    }

    /// Stores the name that a credential's user has at the server.
    ///
    /// Servers with AM 8.0.1 or later accept a new device token only with this name. The next call of
    /// ``setDeviceToken(_:credentialId:)-(String,_)`` sends the name.
    /// - Parameters:
    ///   - userId: The user name at the server.
    ///   - credentialId: The credential.
    /// - Throws: ``PushError/credentialNotFound(_:)`` and ``PushStorageError``.
    public func setUserId(_ userId: String, credentialId: String) async throws {
        let isKnown = try await core.write { try $0.setUserId(userId, ofCredential: credentialId) }
        guard isKnown else { throw PushError.credentialNotFound(credentialId) }
    }

    /// Handles UIKit's report that there is no APNs token.
    ///
    /// A stored token is removed only if the app cannot have a token, because it lacks the entitlement or runs in a
    /// simulator without push support.
    /// - Parameter error: The error of `didFailToRegisterForRemoteNotificationsWithError`.
    /// - Returns: The reason why there is no token.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func didFailToRegister(_ error: any Error) async throws -> PushRegistrationFailure {
        let failure = PushRegistrationFailure(error)
        if !failure.keepsToken { _ = try await core.write { try $0.removeDeviceToken() } }
        return failure
    }

    /// Returns the stored APNs token, even if some servers do not have it.
    /// - Returns: The token; `nil` if no token is stored.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getDeviceToken() async throws -> String? {
        try await core.read { try $0.deviceToken()?.tokenId }
    }

    func describe(_ token: PushDeviceToken) async -> DeviceDescription {
        DeviceDescription(deviceId: token.tokenId, deviceName: await configuration.sentDeviceName())
    }

    /// Sends a token to one server.
    /// - Returns: The failure; `nil` if the server accepted the token.
    private func send(_ spelling: String, by refresh: TokenRefresh) async -> PushFailure? {
        let credential = refresh.credential
        guard let handler = configuration.customPushHandlers.handler(of: credential.platform) else {
            do {
                _ = try await perform(refresh)
                return nil
            } catch {
                return error
            }
        }
        var parameters = ["deviceName": await configuration.sentDeviceName()]
        parameters["providerName"] = configuration.providerName
        do {
            try Task.checkCancellation()
            let isSent = try await handler.setDeviceToken(
                credential: credential,
                deviceToken: spelling,
                params: parameters
            )
            guard !isSent else { return nil }
            throw PushError.networkFailure("The handler could not deliver the device token.", nil)
        } catch {
            return PushFailure(ofHandler: error, to: refresh.firstRequest())
        }
    }

    /// Stores a token, and determines which servers have to receive it now.
    /// - Returns: The token, and the requested credentials whose servers have to receive it now.
    private func store(
        _ tokenId: String,
        for credentialId: String?
    ) async throws -> (PushDeviceToken, credentials: [PushCredential]) {
        let (now, settings) = (configuration.now(), configuration)
        return try await core.write { view in
            let token = try view.replaceDeviceToken(
                tokenId,
                environment: settings.environment,
                at: now,
                resyncs: settings.tokenResync
            )
            if let credentialId, try view.pushCredential(id: credentialId) == nil {
                throw PushError.credentialNotFound(credentialId)
            }
            guard let credentialId else { return (token, try view.credentials(lacking: token, at: now)) }
            // A call for one credential sends the token even if the next attempt is not due yet.
            let isUnconfirmed = token.unconfirmedCredentialIds.contains(credentialId)
            return (token, isUnconfirmed ? try view.pushCredential(id: credentialId).map { [$0] } ?? [] : [])
        }
    }
}
