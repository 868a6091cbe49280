import Foundation
import PingLogger
import PushBridgeClients
public import PushBridgeCore
import PushBridgePlatform

extension PushClient {
    /// Registers the device with the server that a registration URI names, and then stores the credential.
    ///
    /// The URI may be a `pushauth` or an `mfauth` code. The one-time-password credential of an `mfauth` code is stored
    /// too, unless the storage is an app's own.
    ///
    /// ```swift
    /// try await client.setDeviceToken(deviceToken)
    /// let credential = try await client.addCredentialFromUri(scanned.absoluteString)
    /// show(credential.displayAccountName)
    /// ```
    ///
    /// - Parameter uri: The registration URI.
    /// - Returns: The credential as it was stored.
    /// - Throws: ``PushError/deviceTokenNotSet`` if no device token is stored; ``PushError/invalidUri(_:)``
    ///   and similar errors for an invalid registration URI; ``PushError/policyViolation(_:)`` if the device
    ///   does not comply with a policy; ``PushError/duplicateCredential(issuer:accountName:)`` if a
    ///   credential with the same issuer, account and secret is already stored;
    ///   ``PushError/registrationFailed(_:)`` if the server rejected the registration;
    ///   ``PushError/networkFailure(_:_:)`` if the request failed or the task was cancelled. After each of
    ///   these errors, nothing is stored.
    @discardableResult
    public func addCredentialFromUri(_ uri: String) async throws -> PushCredential {
        try core.checkOpen()
        let (registration, oath) = try Self.registrations(uri)
        let checkVacancy: PushEnrolment.VacancyCheck = { try $0.refuseDuplicate(of: registration) }
        let (isOwnStorage, held) = (!core.isCredentialStore, core.held)
        let (token, neighbours) = try await core.read { view in
            try checkVacancy(view)
            let ids = try isOwnStorage ? view.ids(of: .push, where: .all).filter { !held.holds($0) } : nil
            return (try view.deviceToken(), ids)
        }
        guard let token else { throw PushError.deviceTokenNotSet }
        if let policy = await core.violation(of: registration.account.policies) {
            throw PushError.policyViolation(policy)
        }
        if oath != nil, !core.isCredentialStore {
            configuration.logger.w(
                "The storage cannot store the one-time-password credential of the registration URI.",
                error: nil
            )
        }
        var enrolment = PushEnrolment(
            of: registration,
            beside: core.isCredentialStore ? oath : nil,
            token: token,
            device: await describe(token),
            at: configuration.now(),
            checkingVacancy: checkVacancy
        )
        enrolment.neighbours = neighbours
        return try await complete(try await register(enrolment, registration, token))
    }

    /// Stores a changed credential.
    ///
    /// The credential's account data (display names, image, colour, policies, lock) is stored for all push credentials
    /// of the account and, if the storage is based on a `CredentialStore`, also for the account's one-time-password
    /// credentials. If the credential's lock or policies are weaker than the account's, they may apply only to this
    /// credential. The credential is locked if the device does not comply with its policies. If the credential has no
    /// secret, the stored secret is kept.
    /// - Parameter credential: The credential, which may be new or already stored.
    /// - Returns: The credential as it was stored.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func saveCredential(_ credential: PushCredential) async throws -> PushCredential {
        try await core.save(credential) { _, _ in }
    }

    /// Returns all readable credentials; unreadable credentials are skipped and logged.
    ///
    /// Each credential is locked or unlocked according to its policies.
    /// - Returns: The credentials, oldest first or in the order of the app's own storage.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getCredentials() async throws -> [PushCredential] {
        let found = try await core.credentials()
        for error in found.unreadable {
            configuration.logger.e(
                "The credential \(error.record ?? "") cannot be read: \(error.reason)",
                error: nil
            )
        }
        return found.values
    }

    /// Returns the credential with an id, locked or unlocked according to its policies.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getCredential(_ credentialId: String) async throws -> PushCredential? {
        try await core.credential(credentialId)
    }

    /// Returns the credential with an id; see ``getCredential(_:)``.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @_disfavoredOverload
    public func getCredential(credentialId: String) async throws -> PushCredential? {
        try await core.credential(credentialId)
    }

    /// Removes a credential and its notifications.
    ///
    /// If the credential is the last credential of its account, the account is removed too.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func deleteCredential(_ credentialId: String) async throws -> Bool {
        try await core.remove(credentialId) { try $0.deletePushCredential(id: credentialId) }
    }

    /// Removes a credential; see ``deleteCredential(_:)``.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @_disfavoredOverload
    @discardableResult
    public func deleteCredential(credentialId: String) async throws -> Bool {
        try await deleteCredential(credentialId)
    }

    private static func registrations(_ uri: String) throws -> (PushRegistration, OathRegistration?) {
        let code: RegistrationURI
        do {
            code = try RegistrationURI(uri)
        } catch {
            throw PushError(error)
        }
        switch code {
        case .push(let push): return (push.asSuccessor, nil)
        case .combined(let push, var oath):
            // Both credentials share one account, whose colour must have the format of push credentials. So only the
            // push credential sets the colour.
            oath.account.backgroundColor = nil
            return (push.asSuccessor, oath)
        case .oath: throw PushError(.unsupported)
        }
    }

    private func register(
        _ enrolment: PushEnrolment,
        _ registration: PushRegistration,
        _ token: PushDeviceToken
    ) async throws -> PushEnrolment {
        if let handler = configuration.customPushHandlers.handler(of: enrolment.credential.platform) {
            try await register(enrolment.credential, registration, token, with: handler)
            return enrolment
        }
        do {
            return try await perform(enrolment)
        } catch {
            guard case let refusal as PushResponseError = error.cause, case .refused = refusal else {
                throw error.named
            }
            throw PushError.registrationFailed("\(PushResponseError.codeHint) \(refusal.reason)")
        }
    }

    private func register(
        _ credential: PushCredential,
        _ registration: PushRegistration,
        _ token: PushDeviceToken,
        with handler: any PushHandler
    ) async throws {
        try await callingHandler { try Task.checkCancellation() }
        var parameters = registration.parameters
        parameters["deviceId"] = token.token
        parameters["deviceName"] = await configuration.sentDeviceName()
        parameters["providerName"] = configuration.providerName
        let sent = parameters
        let isRegistered = try await callingHandler {
            try await handler.register(credential: credential, params: sent)
        }
        guard isRegistered else {
            throw PushError.registrationFailed("The handler could not register the device.")
        }
    }
}

extension CredentialReading {
    fileprivate func refuseDuplicate(of registration: PushRegistration) throws {
        let account = registration.account.key
        let known = try pushCredentials(account: account)
        guard !known.contains(where: { $0.sharedSecret == registration.sharedSecret }) else {
            throw PushError.duplicateCredential(issuer: account.issuer, accountName: account.accountName)
        }
    }
}
