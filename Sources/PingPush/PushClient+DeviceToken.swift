public import Foundation
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgePlatform

extension PushClient {
    /// Stores the APNs token and sends it to the servers; see ``setDeviceToken(_:credentialId:)-(String,_)``.
    ///
    /// ```swift
    /// let isKnownToAllServers = try await client.setDeviceToken(deviceToken)
    /// ```
    ///
    /// - Parameters:
    ///   - deviceToken: The token's bytes, as UIKit hands them out.
    ///   - credentialId: The only credential whose server is told; `nil` is all.
    /// - Returns: `true`; every failure is thrown.
    /// - Throws: The errors of ``setDeviceToken(_:credentialId:)-(String,_)``.
    @discardableResult
    public func setDeviceToken(_ deviceToken: Data, credentialId: String? = nil) async throws -> Bool {
        try await setDeviceToken(deviceToken.hexadecimal, credentialId: credentialId)
    }

    /// Stores the APNs token, in hexadecimal, and tells the servers of all credentials, or of one.
    ///
    /// Servers that accepted a token are remembered, so calling at every launch tells only the others. Every server is
    /// asked before the first failure is thrown, one that does not answer for the first of its credentials only; those
    /// that failed are asked again next time. One call after the other is served, so that the newest token is the last
    /// that servers hear of.
    /// - Parameters:
    ///   - deviceToken: The token; white space around it does not count.
    ///   - credentialId: The only credential whose server is told; `nil` is all.
    /// - Returns: `true`; every failure is thrown.
    /// - Throws: ``PushError/networkFailure(_:_:)`` if a server did not accept the token or the caller's task was
    ///   cancelled, ``PushError/credentialNotFound(_:)``, ``PushError/invalidParameterValue(_:)`` for a blank token, and
    ///   ``PushStorageError``.
    @discardableResult
    public func setDeviceToken(_ deviceToken: String, credentialId: String? = nil) async throws -> Bool {
        let telling = tokens.enqueue { [self] in try await tell(deviceToken, to: credentialId) }
        return try await withTaskCancellationHandler {
            try await telling.value
        } onCancel: {
            telling.cancel()
        }
    }

    private func tell(_ deviceToken: String, to credentialId: String?) async throws -> Bool {
        let deviceToken = deviceToken.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !deviceToken.isEmpty else {
            throw PushError.invalidParameterValue("The device token is empty.")
        }
        let (token, owed) = try await store(deviceToken, for: credentialId)
        if let failure = try await tell(token, owed) { throw failure }
        return true
    }

    /// Sends a token to servers one after the other; their answers are stored about every second, and in the end.
    /// - Returns: The first failure, or why not all were asked.
    private func tell(_ token: PushDeviceToken, _ owed: [PushCredential]) async throws -> (any Error)? {
        var telling = TokenTelling(await describe(token), to: owed)
        var (failure, storedAt) = ((any Error)?.none, configuration.now())
        while let refresh = telling.next() {
            if configuration.now().timeIntervalSince(storedAt) >= 1 {
                await note(telling.removeAnswers(), token)
                storedAt = configuration.now()
            }
            do {
                try core.checkOpen()
            } catch {
                failure = error
                break
            }
            let refusal = await tell(token, by: refresh)
            if let refusal, refusal.cause is CancellationError {
                failure = refusal.named
                break
            }
            telling.take(TokenAnswer(refresh.credential, refusal))
            if let error = refusal?.named {
                configuration.logger.e("\(refresh.credential.id) has an old device token.", error: error)
                failure = failure ?? error
            }
        }
        await note(telling.removeAnswers(), token)
        return failure
    }

    /// Stores what servers said, also if the client was closed meanwhile.
    private func note(_ answers: [TokenAnswer], _ token: PushDeviceToken) async {
        guard !answers.isEmpty else { return }
        let now = configuration.now()
        let store: HeldOutcomes.Storing = { try $0.note(answers, to: token, at: now) }
        do {
            try await core.write(isCompleting: true, store)
        } catch {
            let ids = answers.map(\.credential.id).joined(separator: " ")
            hold("What a server said to the device token", "\(token.tokenId) \(ids)", error, store)
        }
    }

    /// Stores the APNs token and sends it to the servers in the background; for callbacks that cannot wait, such as
    /// UIKit's.
    ///
    /// A failure is logged; servers that do not know the token are told when it is set next time.
    /// - Parameters:
    ///   - deviceToken: The token's bytes, as UIKit hands them out.
    ///   - credentialId: The only credential whose server is told; `nil` is all.
    /// - Returns: The task, which throws the errors of ``setDeviceToken(_:credentialId:)-(String,_)``; it need not be
    ///   kept.
    @discardableResult
    public func setDeviceToken(_ deviceToken: Data, credentialId: String? = nil) -> Task<Bool, any Error> {
        tokens.enqueue { [self] in
            do {
                return try await tell(deviceToken.hexadecimal, to: credentialId)
            } catch {
                configuration.logger.e("The device token was not set.", error: error)
                throw error
            }
        }
    }

    /// How far the device token came with the server of a credential.
    ///
    /// A server that refuses is asked again by ``setDeviceToken(_:credentialId:)-(String,_)`` after an hour, and from
    /// then on after seven and a half days; one that could not be reached, at the next call.
    /// - Parameter credentialId: The credential.
    /// - Returns: The state; of `userUnknown`, ``setUserId(_:credentialId:)`` is the way out.
    /// - Throws: ``PushError/credentialNotFound(_:)`` and ``PushStorageError``.
    public func tokenState(of credentialId: String) async throws -> DeviceTokenState {
        try await core.read { view in
            guard let credential = try view.pushCredential(id: credentialId) else {
                throw PushError.credentialNotFound(credentialId)
            }
            return try view.tokenState(of: credential)
        }
    }

    /// Stores the name under which a credential's server knows its user, which servers since AM 8.0.1 ask for with a
    /// new device token; the next ``setDeviceToken(_:credentialId:)-(String,_)`` sends it.
    /// - Parameters:
    ///   - userId: The name of the user's identity at the server.
    ///   - credentialId: The credential.
    /// - Throws: ``PushError/credentialNotFound(_:)`` and ``PushStorageError``.
    public func setUserId(_ userId: String, credentialId: String) async throws {
        let isKnown = try await core.write { try $0.setUserId(userId, ofCredential: credentialId) }
        guard isKnown else { throw PushError.credentialNotFound(credentialId) }
    }

    /// Takes what UIKit tells when there is no APNs token.
    ///
    /// A token that the client knows already stays, unless the app can have none: without the entitlement, or in a
    /// simulator that has no pushes.
    /// - Parameter error: The error of `didFailToRegisterForRemoteNotificationsWithError`.
    /// - Returns: Why there is no token.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func didFailToRegister(_ error: any Error) async throws -> PushRegistrationFailure {
        let failure = PushRegistrationFailure(error)
        if !failure.keepsToken { _ = try await core.write { try $0.removeDeviceToken() } }
        return failure
    }

    /// The APNs token in hexadecimal, whether or not every server knows it.
    /// - Returns: The token; `nil` if none is stored.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getDeviceToken() async throws -> String? {
        try await core.read { try $0.deviceToken()?.tokenId }
    }

    func describe(_ token: PushDeviceToken) async -> DeviceDescription {
        DeviceDescription(deviceId: token.tokenId, deviceName: await configuration.sentDeviceName())
    }

    /// Tells one server a token.
    /// - Returns: Why it did not take it; `nil` if it did.
    private func tell(_ token: PushDeviceToken, by refresh: TokenRefresh) async -> PushFailure? {
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
            let isTold = try await handler.setDeviceToken(
                credential: credential,
                deviceToken: token.tokenId,
                params: parameters
            )
            guard !isTold else { return nil }
            throw PushError.networkFailure("The handler could not deliver the device token.", nil)
        } catch {
            return PushFailure(ofHandler: error, to: refresh.firstRequest())
        }
    }

    /// Stores a new token as known to no server.
    /// - Returns: The token, and which of the credentials asked for are owed it.
    private func store(
        _ tokenId: String,
        for credentialId: String?
    ) async throws -> (PushDeviceToken, owed: [PushCredential]) {
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
            guard let credentialId else { return (token, try view.credentials(owed: token, at: now)) }
            // A call for one credential is not held back by waiting times.
            let isOwed = token.unconfirmedCredentialIds.contains(credentialId)
            return (token, isOwed ? try view.pushCredential(id: credentialId).map { [$0] } ?? [] : [])
        }
    }
}
