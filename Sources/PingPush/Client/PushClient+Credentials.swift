import Foundation
import Logging

extension PushClient {
    /// Registers the device with the server that made a code, and stores the credential once the server accepted.
    ///
    /// Reads `pushauth`, and `mfauth`, whose one-time-password half is stored as well where the storage has a place
    /// for it. Throws, with nothing stored: ``PushError/deviceTokenNotSet``; ``PushError/invalidUri(_:)`` and its
    /// like for a code that cannot be read; ``PushError/policyViolation(_:)``;
    /// ``PushStorageError/duplicateCredential(_:)`` for a credential with the same issuer, account and secret;
    /// ``PushError/registrationFailed(_:)`` if the server refused; ``PushError/networkFailure(_:_:)``;
    /// `CancellationError`.
    @discardableResult
    public func addCredentialFromUri(_ uri: String) async throws -> PushCredential {
        let storage = try openStorage()
        let (registration, oath) = try Self.registrations(uri)
        let token = try await read(.credentials) { view in
            try view.refuseDuplicate(of: registration)
            return try view.deviceToken()
        }
        guard let token else { throw PushError.deviceTokenNotSet }
        if case .violation(let policy) = evaluator.evaluate(registration.account.policies) {
            throw PushError.policyViolation(policy)
        }
        let now = configuration.now()
        let credential = registration.credential(id: UUID().uuidString, createdAt: now)
        try await register(registration, as: credential, token: token)
        if oath != nil, !storage.isCredentialStore {
            configuration.logger?.warning("The storage has no place for the code's one-time-password half.")
        }
        defer { forgetCredentials() }
        return try await storage.write(.credentials) { view in
            try view.refuseDuplicate(of: registration)
            let enrolled = try view.enrol(credential, registeredWith: token)
            if let oath { try view.enrolUnlessKnown(oath.credential(id: UUID().uuidString, createdAt: now)) }
            return enrolled
        }
    }

    /// Stores a changed credential, and returns it as stored; what it says of its account holds for all of the
    /// account's credentials.
    @discardableResult
    public func saveCredential(_ credential: PushCredential) async throws -> PushCredential {
        try await write(.credentials) { view in
            try view.save(credential)
            try view.share(credential.account)
        }
        return credential
    }

    /// All credentials that can be read, oldest first, locked and unlocked as their policies demand.
    ///
    /// A damaged one is logged and left out, so that it does not keep the user from all the others.
    public func getCredentials() async throws -> [PushCredential] {
        var (credentials, unreadable) = try await read(.credentials) { view in
            var credentials: [PushCredential] = []
            let unreadable = try view.forEachReadablePushCredential { credentials.append($0) }
            return (credentials, unreadable)
        }
        for id in unreadable { configuration.logger?.error("The credential \(id) cannot be read.") }
        for index in credentials.indices {
            credentials[index] = try await applyingPolicies(to: credentials[index])
        }
        return credentials
    }

    /// The credential with an id, locked or unlocked as its policies demand.
    public func getCredential(_ credentialId: String) async throws -> PushCredential? {
        let credential = try await cachedCredential(credentialId) {
            try await read(.credentials) { try $0.pushCredential(id: credentialId) }
        }
        guard let credential else { return nil }
        return try await applyingPolicies(to: credential)
    }

    /// The credential with an id, locked or unlocked as its policies demand.
    public func getCredential(credentialId: String) async throws -> PushCredential? {
        try await getCredential(credentialId)
    }

    /// Removes a credential and its notifications; answers whether there was one.
    @discardableResult
    public func deleteCredential(_ credentialId: String) async throws -> Bool {
        try await write(.everything) { try $0.dismissPushCredential(id: credentialId) }
    }

    /// Removes a credential and its notifications; answers whether there was one.
    @discardableResult
    public func deleteCredential(credentialId: String) async throws -> Bool {
        try await deleteCredential(credentialId)
    }

    /// Locks or unlocks a credential as its policies demand, and stores that if it is a change.
    func applyingPolicies(to credential: PushCredential) async throws -> PushCredential {
        var current = credential
        let evaluator = evaluator
        guard evaluator.apply(to: &current) else { return credential }
        let fallback = current
        return try await write(.credentials) { view in
            // Only the lock changes: what another task stored meanwhile stays.
            guard var stored = try view.pushCredential(id: credential.id) else { return fallback }
            guard evaluator.apply(to: &stored) else { return stored }
            try view.share(stored.account)
            return stored
        }
    }

    private var evaluator: MfaPolicyEvaluator { configuration.policyEvaluator ?? .standard }

    private static func registrations(_ uri: String) throws -> (PushRegistration, OathRegistration?) {
        let code: RegistrationURI
        do {
            code = try RegistrationURI(uri)
        } catch {
            throw PushError(error)
        }
        switch code {
        case .push(let push): return (push, nil)
        case .combined(let push, let oath): return (push, oath)
        case .oath: throw PushError(.unsupported)
        }
    }

    private func register(
        _ registration: PushRegistration,
        as credential: PushCredential,
        token: PushDeviceToken
    ) async throws {
        if let handler = configuration.customPushHandlers[credential.platform] {
            return try await register(registration, as: credential, token: token, with: handler)
        }
        do {
            try await send(registration.request(mechanismUid: credential.id, device: await describe(token)))
        } catch PushError.networkFailure(let reason, let cause) {
            if case .refused? = cause as? PushResponseError { throw PushError.registrationFailed(reason) }
            throw PushError.networkFailure(reason, cause)
        }
    }

    private func register(
        _ registration: PushRegistration,
        as credential: PushCredential,
        token: PushDeviceToken,
        with handler: any PushHandler
    ) async throws {
        try Task.checkCancellation()
        let parameters = [
            "messageId": registration.messageId,
            "challenge": registration.challenge.base64EncodedString(),
            "deviceId": token.tokenId,
            "deviceName": await configuration.sentDeviceName(),
        ]
        guard try await handler.register(credential: credential, params: parameters) else {
            throw PushError.registrationFailed("The handler could not register the device.")
        }
    }
}

extension CredentialReading {
    fileprivate func refuseDuplicate(of registration: PushRegistration) throws {
        let known = try pushCredentials(account: registration.account.key)
        if let same = known.first(where: { $0.sharedSecret == registration.sharedSecret }) {
            throw PushStorageError.duplicateCredential(same.id)
        }
    }
}

extension CredentialWriting {
    /// The same code may have been read by the API for one-time passwords before.
    fileprivate func enrolUnlessKnown(_ credential: OathCredential) throws {
        let known = try oathCredentials(account: credential.account.key)
        guard !known.contains(where: { $0.password.secret == credential.password.secret }) else { return }
        _ = try enrol(credential)
    }
}
