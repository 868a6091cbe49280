import Foundation

extension OathClient {
    /// Stores the credential of a QR code (`otpauth`, or the one-time-password half of `mfauth`).
    ///
    /// Throws ``OathError/duplicateCredential(_:)`` for a code whose account, type and secret are stored already, and
    /// ``OathError/policyViolation(_:)`` if the device does not comply with the account's policies.
    @discardableResult
    public func addCredentialFromUri(_ uri: String) async throws -> OathCredential {
        try await changing { vault in
            let registration = try OathRegistration(oathURI: uri)
            let policies = registration.account.policies
            if case .violation(let policy) = configuration.evaluator.evaluate(policies) {
                throw OathError.policyViolation(policy)
            }
            let credential = registration.credential(id: UUID().uuidString, createdAt: configuration.now())
            return try await vault.add(credential)
        }
    }

    /// Stores a changed credential, and returns it as stored; over a `CredentialStore`, what it says of its account
    /// holds for all of the account's credentials, those for push too.
    ///
    /// The counter of a stored HOTP credential never goes back: the one given may have been read before the last code.
    @discardableResult
    public func saveCredential(_ credential: OathCredential) async throws -> OathCredential {
        try await changing { vault in
            try await vault.save(credential) { credential.withCounter(notBefore: $0) }
        }
    }

    /// All credentials, oldest first, locked and unlocked as their policies demand.
    public func getCredentials() async throws -> [OathCredential] {
        var credentials: [OathCredential] = []
        for credential in try await openVault().credentials() {
            credentials.append(try await applyingPolicies(to: credential))
        }
        return credentials
    }

    /// The credential with an id, locked or unlocked as its policies demand.
    public func getCredential(_ credentialId: String) async throws -> OathCredential? {
        try await credential(credentialId)
    }

    /// The credential with an id, locked or unlocked as its policies demand.
    public func getCredential(credentialId: String) async throws -> OathCredential? {
        try await credential(credentialId)
    }

    /// Removes a credential; answers whether there was one.
    @discardableResult
    public func deleteCredential(_ credentialId: String) async throws -> Bool {
        try await changing { try await $0.remove(credentialId) }
    }

    /// Removes a credential; answers whether there was one.
    @discardableResult
    public func deleteCredential(credentialId: String) async throws -> Bool {
        try await deleteCredential(credentialId)
    }
}

extension OathCredential {
    /// The credential, with the counter of `stored` if that is ahead and belongs to the same secret.
    fileprivate func withCounter(notBefore stored: OathCredential) -> OathCredential {
        guard case .counter(let own) = movingFactor, case .counter(let other) = stored.movingFactor,
            own < other, password.secret == stored.password.secret
        else { return self }
        var credential = self
        credential.movingFactor = .counter(other)
        return credential
    }
}
