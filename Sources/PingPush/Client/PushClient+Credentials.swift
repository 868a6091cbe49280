import Foundation

extension PushClient {
    /// Registers this device with the code of a QR (`pushauth`, or the push half of `mfauth`) and stores the new
    /// credential, once the server accepted it.
    ///
    /// Throws ``PushError/deviceTokenNotSet`` before ``setDeviceToken(_:credentialId:)-(String,_)`` was called,
    /// ``PushStorageError/duplicateCredential(_:)`` for a code whose account and secret are stored already, and
    /// ``PushError/policyViolation(_:)`` if the device does not comply with the account's policies.
    @discardableResult
    public func addCredentialFromUri(_ uri: String) async throws -> PushCredential {
        let store = try openStore()
        let registration = try PushRegistration(pushURI: uri)
        let token = try read { view in
            try Self.refuseDuplicate(of: registration, in: view)
            return try view.deviceToken()
        }
        guard let token else { throw PushError.deviceTokenNotSet }
        let policies = registration.account.policies
        if case .violation(let policy) = configuration.policyEvaluator?.evaluate(policies) {
            throw PushError.policyViolation(policy)
        }
        let credential = registration.credential(id: UUID().uuidString, createdAt: configuration.now())
        try await register(registration, as: credential, token: token)
        try save(credential, registeredWith: token, registration, in: store)
        return credential
    }

    /// Stores a changed credential, and returns it as stored.
    @discardableResult
    public func saveCredential(_ credential: PushCredential) async throws -> PushCredential {
        try write { try $0.save(credential) }
        return credential
    }

    /// All credentials, oldest first, locked and unlocked as their policies demand.
    public func getCredentials() async throws -> [PushCredential] {
        try read { try $0.pushCredentials() }.map(applyingPolicies)
    }

    /// The credential with an id, locked or unlocked as its policies demand.
    public func getCredential(_ credentialId: String) async throws -> PushCredential? {
        let credential = try cachedCredential(credentialId) {
            try read { try $0.pushCredential(id: credentialId) }
        }
        return try credential.map(applyingPolicies)
    }

    /// The credential with an id, locked or unlocked as its policies demand.
    public func getCredential(credentialId: String) async throws -> PushCredential? {
        try await getCredential(credentialId)
    }

    /// Removes a credential and its notifications; answers whether there was one.
    @discardableResult
    public func deleteCredential(_ credentialId: String) async throws -> Bool {
        let removed = try write { view in
            try view.removeNotifications(NotificationQuery(credentialId: credentialId))
            if var token = try view.deviceToken(),
                token.unconfirmedCredentialIds.remove(credentialId) != nil
            {
                try view.save(token)
            }
            return try view.removePushCredential(id: credentialId)
        }
        announcePending()
        return removed
    }

    /// Removes a credential and its notifications; answers whether there was one.
    @discardableResult
    public func deleteCredential(credentialId: String) async throws -> Bool {
        try await deleteCredential(credentialId)
    }

    /// Locks or unlocks a credential as its policies demand, and stores that if it is a change.
    func applyingPolicies(to credential: PushCredential) throws -> PushCredential {
        var current = credential
        guard configuration.policyEvaluator?.apply(to: &current) == true else { return credential }
        return try write { view in
            // Only the lock changes: what another task stored meanwhile stays.
            guard var stored = try view.pushCredential(id: credential.id) else { return current }
            guard configuration.policyEvaluator?.apply(to: &stored) == true else { return stored }
            try view.save(stored)
            return stored
        }
    }

    private static func refuseDuplicate(
        of registration: PushRegistration,
        in view: any CredentialReading
    ) throws {
        let known = try view.pushCredentials(account: registration.account.key)
        if let same = known.first(where: { $0.sharedSecret == registration.sharedSecret }) {
            throw PushStorageError.duplicateCredential(same.id)
        }
    }

    private func register(
        _ registration: PushRegistration,
        as credential: PushCredential,
        token: PushDeviceToken
    ) async throws {
        do {
            try await send(registration.request(mechanismUid: credential.id, device: describe(token)))
        } catch PushError.networkFailure(let reason, let cause) {
            if case .refused? = cause as? PushResponseError { throw PushError.registrationFailed(reason) }
            throw PushError.networkFailure(reason, cause)
        }
    }

    private func save(
        _ credential: PushCredential,
        registeredWith token: PushDeviceToken,
        _ registration: PushRegistration,
        in store: any CredentialStore
    ) throws {
        let save = { (view: any CredentialWriting) throws in
            try Self.refuseDuplicate(of: registration, in: view)
            try view.save(credential)
            // The token may have changed while the registration was on its way.
            if var current = try view.deviceToken(), !current.isSameDevice(as: token) {
                current.unconfirmedCredentialIds.insert(credential.id)
                try view.save(current)
            }
        }
        try storing { try store.write(save) }
    }
}
