import Foundation
import PingLogger
import PushBridgeClients
public import PushBridgeCore
import PushBridgePlatform

extension PushClient {
    /// Registers the device with the server that made a code, and stores the credential once the server accepted.
    ///
    /// Reads `pushauth`, and `mfauth`, whose one-time-password half is stored as well where the storage has a place
    /// for it.
    ///
    /// ```swift
    /// try await client.setDeviceToken(deviceToken)
    /// let credential = try await client.addCredentialFromUri(scanned.absoluteString)
    /// show(credential.displayAccountName)
    /// ```
    ///
    /// - Parameter uri: The text of the code.
    /// - Returns: The credential as stored.
    /// - Throws: With nothing stored: ``PushError/deviceTokenNotSet``; ``PushError/invalidUri(_:)`` and its like for a
    ///   code that cannot be read; ``PushError/policyViolation(_:)``; ``PushError/duplicateCredential(issuer:accountName:)`` for
    ///   a credential with the same issuer, account and secret; ``PushError/registrationFailed(_:)`` if the server
    ///   refused; ``PushError/networkFailure(_:_:)``, also if the task was cancelled.
    @discardableResult
    public func addCredentialFromUri(_ uri: String) async throws -> PushCredential {
        try core.checkOpen()
        let (registration, oath) = try Self.registrations(uri)
        let checkVacancy: PushEnrolment.VacancyCheck = { try $0.refuseDuplicate(of: registration) }
        let token = try await core.read { view in
            try checkVacancy(view)
            return try view.deviceToken()
        }
        guard let token else { throw PushError.deviceTokenNotSet }
        if let policy = await core.violation(of: registration.account.policies) {
            throw PushError.policyViolation(policy)
        }
        if oath != nil, !core.isCredentialStore {
            configuration.logger.w(
                "The storage has no place for the code's one-time-password half.",
                error: nil
            )
        }
        let enrolment = PushEnrolment(
            of: registration,
            beside: core.isCredentialStore ? oath : nil,
            token: token,
            device: await describe(token),
            at: configuration.now(),
            checkingVacancy: checkVacancy
        )
        return try await complete(try await register(enrolment, registration, token))
    }

    /// Stores a changed credential.
    ///
    /// What it says of its account (display names, image, colour, policies, lock) then holds for all credentials of the
    /// account, over a `CredentialStore` also for those for one-time passwords. The credential is locked if the device
    /// does not comply with its policies. One without a secret keeps the stored one.
    /// - Parameter credential: The credential, whether or not one with its id is stored.
    /// - Returns: The credential as stored.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func saveCredential(_ credential: PushCredential) async throws -> PushCredential {
        try await core.save(credential) { _, _ in }
    }

    /// All credentials that can be read, oldest first, locked and unlocked as their policies demand.
    ///
    /// A damaged one is logged and left out, so that the user can still use all the others.
    /// - Returns: The credentials.
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

    /// The credential with an id, locked or unlocked as its policies demand.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: ``PushStorageError`` if the storage fails.
    public func getCredential(_ credentialId: String) async throws -> PushCredential? {
        try await core.credential(credentialId)
    }

    /// The credential with an id; see ``getCredential(_:)``.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @_disfavoredOverload
    public func getCredential(credentialId: String) async throws -> PushCredential? {
        try await core.credential(credentialId)
    }

    /// Removes a credential and its notifications, and its account with its last credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether there was one.
    /// - Throws: ``PushStorageError`` if the storage fails.
    @discardableResult
    public func deleteCredential(_ credentialId: String) async throws -> Bool {
        try await core.write { try $0.deletePushCredential(id: credentialId) }
    }

    /// Removes a credential; see ``deleteCredential(_:)``.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether there was one.
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
            // The account is one, and has the colour in the spelling of push credentials.
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
