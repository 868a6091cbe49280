import PushBridgeClients
public import PushBridgeCore
import PushBridgePlatform

/// Returns the app's session at the server of a credential; `nil` if the app has no session there.
public typealias ServerSessionProvider = @Sendable (PushCredential) async throws -> PushServerSession?

extension PushClient {
    /// Removes a credential's profile from its server, and then removes the credential from this device.
    ///
    /// The credential stays on the device until the server confirms the removal. Until then the credential may
    /// still receive pushes, and ``PushCredential/owedRemoval`` contains the unconfirmed removal. After this attempt,
    /// earlier unconfirmed removals of other credentials are retried in the background. To remove a credential without
    /// a request to the server, call ``deleteCredential(_:)``.
    /// - Parameters:
    ///   - credentialId: The credential's id.
    ///   - session: Returns the app's session at the server of a credential. If it throws an error other than
    ///     `CancellationError`, the credential is treated as if the app had no session.
    /// - Returns: The outcome.
    /// - Throws: ``PushStorageError`` if the storage fails, and ``PushError/networkFailure(_:_:)`` with
    ///   `URLError.cancelled` if the caller's task was cancelled. After a cancellation the removal stays
    ///   unconfirmed.
    @_disfavoredOverload
    @discardableResult
    public func deleteCredential(
        _ credentialId: String,
        unregister session: @escaping ServerSessionProvider
    ) async throws -> RemovalOutcome {
        let now = configuration.now()
        let removals = try await core.write { try $0.requestRemoval(ofCredential: credentialId, at: now) }
        guard let removals else {
            // An unconfirmed removal is stored in the record of its credential. If the credential's enrolment is
            // pending, this record does not exist yet, so the removal is rejected.
            try await core.checkNotPending(credentialId)
            return .notStored
        }
        let outcome = try await remove(removals.requested, session)[credentialId] ?? .notStored
        // The caller must not wait for the earlier, unconfirmed removals of other credentials.
        if !removals.earlier.isEmpty { Task { await retry(removals.earlier, session) } }
        return outcome
    }

    private func retry(_ credentials: [PushCredential], _ session: @escaping ServerSessionProvider) async {
        do {
            _ = try await remove(credentials, session)
        } catch {
            configuration.logger.e("Earlier removals were not retried.", error: error)
        }
    }

    /// Retries the unconfirmed removals that were requested through either API.
    ///
    /// Call this method at launch, or when the network is available again.
    /// - Parameter session: Returns the app's session at the server of a credential.
    /// - Returns: The outcome of each removal; the key is the credential's id.
    /// - Throws: ``PushStorageError`` if the storage fails, and ``PushError/networkFailure(_:_:)`` with
    ///   `URLError.cancelled` if the caller's task was cancelled.
    @discardableResult
    public func retryOwedRemovals(
        unregister session: @escaping ServerSessionProvider
    ) async throws -> [String: RemovalOutcome] {
        try await remove(try await core.read { try $0.credentialsBeingRemoved() }, session)
    }

    private func remove(
        _ credentials: [PushCredential],
        _ session: ServerSessionProvider
    ) async throws -> [String: RemovalOutcome] {
        var outcomes: [String: RemovalOutcome] = [:]
        for credential in credentials {
            try core.checkOpen()
            let obstacle = try await obstacle(to: credential, session)
            let store: UnsavedOutcomes.Storing = { try $0.settleRemoval(of: credential, obstacle) }
            do {
                try await core.write(isCompleting: true, store)
            } catch {
                hold("The outcome of a removal", credential.id, error, store)
            }
            outcomes[credential.id] = obstacle.map(RemovalOutcome.owed) ?? .removed
        }
        return outcomes
    }

    /// Removes a credential's profile from its server.
    /// - Returns: The reason why the removal is not confirmed; `nil` if the profile was removed.
    private func obstacle(
        to credential: PushCredential,
        _ session: ServerSessionProvider
    ) async throws -> RemovalObstacle? {
        guard let session = try await openSession(session, at: credential) else { return .noSession }
        let removal: ProfileRemoval
        do {
            removal = try ProfileRemoval(of: credential, with: session)
        } catch {
            return error
        }
        do {
            _ = try await perform(removal)
            return nil
        } catch {
            switch error.cause {
            case let obstacle as RemovalObstacle: return obstacle
            case is CancellationError: throw error.named
            default:
                configuration.logger.e(
                    "The device profile of \(credential.id) was not removed.",
                    error: error.cause
                )
                return .unreachable
            }
        }
    }

    /// Returns the app's session; `nil` if the app has no session, or if the provider threw an error other than
    /// `CancellationError`.
    private func openSession(
        _ session: ServerSessionProvider,
        at credential: PushCredential
    ) async throws -> PushServerSession? {
        do {
            return try await session(credential)
        } catch let error as CancellationError {
            throw error.namedForHandler
        } catch {
            configuration.logger.e(
                "The app has no session for the credential \(credential.id).",
                error: error
            )
            return nil
        }
    }
}
