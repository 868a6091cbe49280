import Foundation
import PingCommons
import PingLogger
import PushBridgeClients
public import PushBridgeCore
import PushBridgePlatform

/// Enrols one-time-password credentials and generates their one-time passwords.
///
/// A client can be used from any thread and any task. Blocking work runs on dedicated threads.
///
/// After the client has been closed, each of its methods except ``close()`` throws
/// ``OathError/initializationFailed(_:_:)``. If the storage fails, methods throw ``OathStorageError``.
public final class OathClient: Sendable {
    private let configuration: OathSettings
    /// The client's storage, cache and policies, and whether the client is open.
    private let core: CredentialClient<OathCredential>

    /// Creates a client after `configure` has changed the standard configuration.
    /// - Parameters:
    ///   - configure: Changes the standard configuration. It is called on the caller's actor.
    ///   - isolation: The caller's actor.
    /// - Returns: The client.
    /// - Throws: The errors of `configure` and of ``createClient(configuration:)``.
    public static func createClient(
        configure: (OathConfiguration) throws -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> OathClient {
        let configuration = OathConfiguration()
        try configure(configuration)
        return try await createClient(configuration: configuration)
    }

    /// Creates a client.
    ///
    /// This method has exactly the signature of the SDK's method, because function values and protocols
    /// require this signature.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The client.
    /// - Throws: The errors of ``createClient(configuration:)``.
    @_disfavoredOverload
    public static func createClient(
        configure: (OathConfiguration) -> Void = { _ in }
    ) async throws -> OathClient {
        let configuration = OathConfiguration()
        configure(configuration)
        return try await createClient(configuration: configuration)
    }

    /// Creates a client.
    /// - Parameter configuration: The client's configuration.
    /// - Returns: The client.
    /// - Throws: ``OathError/initializationFailed(_:_:)`` if the standard storage cannot be opened.
    public static func createClient(configuration: OathConfiguration) async throws -> OathClient {
        let configuration = configuration.settings
        let storage = try await clientStorage(configuration.storage) { error in
            OathError.initializationFailed(error.reason, error)
        } borrowing: {
            CustomStorageAccess(CustomOathStorage($0))
        }
        if let sentence = PackageCopy.this.register() { configuration.logger.e(sentence, error: nil) }
        if !configuration.encryptionEnabled {
            configuration.logger.w("Secrets are sealed although encryption was switched off.", error: nil)
        }
        return OathClient(configuration, storage)
    }

    private init(_ configuration: OathSettings, _ storage: any RecordAccess) {
        self.configuration = configuration
        core = CredentialClient(
            storage,
            evaluator: configuration.policyEvaluator ?? MfaPolicyEvaluator.standard,
            isCaching: configuration.enableCredentialCache,
            errors: .oath,
            pendingEnrolments: storage.isCredentialStore ? configuration.pendingEnrolments : nil
        )
    }

    /// Closes the client and clears its cache.
    ///
    /// The storage stays open as long as an object references it. Closing a closed client has no effect.
    /// - Throws: Nothing. The method is declared with `throws` because the SDK's method is.
    public func close() async throws {
        if core.close() { configuration.logger.d("Closed.") }
    }
}

// MARK: - Credentials

extension OathClient {
    /// Stores the one-time-password credential of a registration URI.
    ///
    /// The URI may be an `otpauth` or an `mfauth` code. If it is an `mfauth` code, only its one-time-password
    /// credential is stored.
    /// - Parameter uri: The registration URI.
    /// - Returns: The credential as it was stored, with the names and the lock of its account.
    /// - Throws: ``OathError/duplicateCredential(issuer:accountName:)`` if a credential with the same account, type and
    ///   secret is already stored, ``OathError/policyViolation(_:_:)`` if the device does not comply with the account's
    ///   policies, and ``OathError/invalidUri(_:)`` and similar errors for an invalid registration URI.
    @discardableResult
    public func addCredentialFromUri(_ uri: String) async throws -> OathCredential {
        try core.checkOpen()
        let registration = try OathRegistration(oathURI: uri)
        do {
            try registration.account.checkPolicies()
        } catch {
            throw OathError(error)
        }
        let credential = registration.credential(id: UUID().uuidString, createdAt: configuration.now())
        if let policy = await core.violation(of: registration.account.policies) {
            throw OathError.policyViolation(policy, credential.id)
        }
        return try await core.write([RecordRequest(.oath)]) { view in
            try view.refuseDuplicate(of: credential)
            return try view.enrol(credential)
        }
    }

    /// Stores a changed credential.
    ///
    /// The credential's account data (display names, image, colour, policies, lock) is stored for all one-time-password
    /// credentials of the account. If the storage is based on a `CredentialStore`, this data is also stored for the
    /// account's push credentials. If the credential's lock or policies are weaker than the account's, they may apply
    /// only to this credential.
    ///
    /// The counter of a stored HOTP credential decreases only if its secret changes, because one-time passwords may
    /// have been generated after the app read the credential. The credential is locked if the device does not comply
    /// with the account's policies. If the credential has no secret, for example because it was decoded from JSON, the
    /// stored secret is kept.
    /// - Parameter credential: The credential, which may be new or already stored.
    /// - Returns: The credential as it was stored.
    /// - Throws: ``OathError/invalidParameterValue(_:)`` if the number of digits is not 4...8, if the period is not
    ///   1...300 seconds, if the counter is below 0, or if a new credential has an empty issuer or account name;
    ///   ``OathError/invalidSecret(_:)`` if a new credential has no secret; ``OathStorageError`` if the storage fails.
    ///   Values that the stored credential already has are always accepted.
    @discardableResult
    public func saveCredential(_ credential: OathCredential) async throws -> OathCredential {
        try await core.save(credential) { credential, stored in
            if let stored { credential = credential.withCounter(notBefore: stored) }
            try credential.validate(over: stored)
        }
    }

    /// Returns all readable credentials; unreadable credentials are skipped and logged.
    ///
    /// Each credential is locked or unlocked according to its policies.
    /// - Returns: The credentials, oldest first or in the order of the app's own storage.
    /// - Throws: ``OathStorageError`` if the storage fails.
    public func getCredentials() async throws -> [OathCredential] {
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
    /// - Throws: ``OathStorageError`` if the storage fails.
    public func getCredential(_ credentialId: String) async throws -> OathCredential? {
        try await core.credential(credentialId)
    }

    /// Returns the credential with an id; see ``getCredential(_:)``.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The credential; `nil` if no credential has this id.
    /// - Throws: ``OathStorageError`` if the storage fails.
    @_disfavoredOverload
    public func getCredential(credentialId: String) async throws -> OathCredential? {
        try await core.credential(credentialId)
    }

    /// Removes a credential, and also its account if the account has no other credential.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``OathStorageError`` if the storage fails.
    @discardableResult
    public func deleteCredential(_ credentialId: String) async throws -> Bool {
        try await core.remove(credentialId) { try $0.deleteCredential(OathCredential.self, id: credentialId) }
    }

    /// Removes a credential; see ``deleteCredential(_:)``.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: Whether the storage contained the credential.
    /// - Throws: ``OathStorageError`` if the storage fails.
    @_disfavoredOverload
    @discardableResult
    public func deleteCredential(credentialId: String) async throws -> Bool {
        try await deleteCredential(credentialId)
    }
}

extension CredentialReading {
    fileprivate func refuseDuplicate(of credential: OathCredential) throws {
        let account = credential.account.key
        let isKnown = try oathCredentials(account: account).contains { other in
            other.oathType == credential.oathType && other.password.secret == credential.password.secret
        }
        guard !isKnown else {
            throw OathError.duplicateCredential(issuer: account.issuer, accountName: account.accountName)
        }
    }
}

extension OathCredential {
    /// Throws an error for values that a credential cannot have.
    ///
    /// Values that are already stored are accepted, because they may come from a migration.
    fileprivate func validate(over stored: OathCredential?) throws(OathError) {
        if digits != stored?.digits, !(4...8).contains(digits) {
            throw .invalidParameterValue("A one-time password of \(digits) digits is not supported.")
        }
        if oathType == .totp, period != stored?.period, !(1...300).contains(period) {
            throw .invalidParameterValue("A period of \(period) seconds is not supported.")
        }
        if oathType == .hotp, counter != stored?.counter, counter < 0 {
            throw .invalidParameterValue("The counter is negative.")
        }
        if stored == nil, issuer.isEmpty { throw .invalidParameterValue("The issuer is empty.") }
        if stored == nil, accountName.isEmpty { throw .invalidParameterValue("The account's name is empty.") }
        if stored == nil, !hasSecret { throw .invalidSecret("The credential has no secret.") }
    }

    /// Returns the credential, with the counter of `stored` if `stored` has the same secret and a higher counter.
    fileprivate func withCounter(notBefore stored: OathCredential) -> OathCredential {
        guard case .counter(let own) = movingFactor, case .counter(let other) = stored.movingFactor,
            own < other, password.secret == stored.password.secret
        else { return self }
        var credential = self
        credential.movingFactor = .counter(other)
        return credential
    }
}

// MARK: - One-time passwords

extension OathClient {
    /// Generates the one-time password of a credential, for the current time (RFC 6238) or for the current counter (RFC
    /// 4226).
    ///
    /// For HOTP, the next counter is stored before the one-time password is returned, so two calls of one process never
    /// use the same counter. The counter is increased even if an MD5 digest is too short to truncate, so that the next
    /// call can succeed.
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The digits of the one-time password.
    /// - Throws: ``OathError/credentialNotFound(_:)``; ``OathError/credentialLocked(_:)``;
    ///   ``OathError/invalidSecret(_:)`` if the secret is not base32 (RFC 4648);
    ///   ``OathError/codeGenerationFailed(_:_:)`` if the generation fails for another reason; ``OathStorageError`` if
    ///   the storage fails.
    public func generateCode(_ credentialId: String) async throws -> String {
        try await generateCodeWithValidity(credentialId).code
    }

    /// Generates the one-time password of a credential, with its validity.
    ///
    /// ```swift
    /// for credential in try await client.getCredentials() {
    ///     let info = try await client.generateCodeWithValidity(credential.id)
    ///     show("\(info.code), \(info.timeRemaining) s")
    /// }
    /// ```
    ///
    /// - Parameter credentialId: The credential's id.
    /// - Returns: The one-time password and its validity.
    /// - Throws: The errors of ``generateCode(_:)``.
    public func generateCodeWithValidity(_ credentialId: String) async throws -> OathCodeInfo {
        let known = try await core.credential(credentialId)
        guard var credential = known else { throw OathError.credentialNotFound(credentialId) }
        guard !credential.isLocked else { throw OathError.credentialLocked(credentialId) }
        guard credential.oathType == .hotp else {
            return try credential.nextCode(at: configuration.now()).get()
        }
        return try await nextCounterCode(credentialId)
    }

    private func nextCounterCode(_ credentialId: String) async throws -> OathCodeInfo {
        let now = configuration.now()
        let code = try await core.write([RecordRequest(.oath, RecordQuery(id: credentialId))]) { view in
            guard var stored = try view.oathCredential(id: credentialId) else {
                throw OathError.credentialNotFound(credentialId)
            }
            guard !stored.isLocked else { throw OathError.credentialLocked(credentialId) }
            let code = try stored.nextCode(at: now)
            try view.save(stored, keepsOtherLocks: true)
            return code
        }
        return try code.get()
    }
}
