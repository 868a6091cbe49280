import PushBridgeClients
public import PushBridgeCore
import PushBridgePlatform

/// Tells the app's session at the server of a credential; `nil` if it has none now.
public typealias ServerSessionProvider = @Sendable (PushCredential) async throws -> PushServerSession?

extension PushClient {
    /// Removes a credential's profile at its server, and then the credential as ``deleteCredential(_:)`` does.
    ///
    /// Nothing is lost here before the server agreed: until then the credential stays, still receives pushes, and says
    /// so in ``PushCredential/owedRemoval``. Earlier removals that are owed are tried again afterwards, in the
    /// background. ``deleteCredential(_:)`` removes a credential on this device whatever the server says, and forgets
    /// its owed removal.
    /// - Parameters:
    ///   - credentialId: The credential's id.
    ///   - session: Tells the app's session at the server of a credential; one that throws is taken for one that has
    ///     none.
    /// - Returns: What became of it.
    /// - Throws: ``PushStorageError`` if the storage fails, and `CancellationError`; the removal is owed then.
    @_disfavoredOverload
    @discardableResult
    public func deleteCredential(
        _ credentialId: String,
        unregister session: @escaping ServerSessionProvider
    ) async throws -> RemovalOutcome {
        let now = configuration.now()
        let owed = try await core.write { try $0.oweRemoval(ofCredential: credentialId, at: now) }
        guard let owed else { return .notStored }
        let outcome = try await remove(owed.asked, session)[credentialId] ?? .notStored
        // A log-out does not wait for the servers of other credentials.
        if !owed.earlier.isEmpty { Task { await retry(owed.earlier, session) } }
        return outcome
    }

    private func retry(_ owed: [PushCredential], _ session: @escaping ServerSessionProvider) async {
        do {
            _ = try await remove(owed, session)
        } catch {
            configuration.logger.e("Earlier removals were not tried again.", error: error)
        }
    }

    /// Tries the removals that are owed again, of either API; for a launch, or when the network is back.
    /// - Parameter session: Tells the app's session at the server of a credential.
    /// - Returns: What became of each, by the credential's id.
    /// - Throws: ``PushStorageError`` if the storage fails, and `CancellationError`.
    @discardableResult
    public func retryOwedRemovals(
        unregister session: @escaping ServerSessionProvider
    ) async throws -> [String: RemovalOutcome] {
        try await remove(try await core.read { try $0.credentialsOwingRemoval() }, session)
    }

    private func remove(
        _ owed: [PushCredential],
        _ session: ServerSessionProvider
    ) async throws -> [String: RemovalOutcome] {
        var outcomes: [String: RemovalOutcome] = [:]
        for credential in owed {
            try core.checkOpen()
            let obstacle = try await obstacle(to: credential, session)
            let store: HeldOutcomes.Storing = { try $0.settleRemoval(of: credential, obstacle) }
            do {
                try await core.write(isCompleting: true, store)
            } catch {
                hold("What became of a removal", credential.id, error, store)
            }
            outcomes[credential.id] = obstacle.map(RemovalOutcome.owed) ?? .removed
        }
        return outcomes
    }

    /// Removes a credential's profile at its server.
    /// - Returns: Why the profile is still there; `nil` if it is gone.
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
            case is CancellationError: throw error.cause
            default:
                configuration.logger.e("The profile of \(credential.id) is not removed.", error: error.cause)
                return .unreachable
            }
        }
    }

    /// The app's session; `nil` if it has none, or cannot say.
    private func openSession(
        _ session: ServerSessionProvider,
        at credential: PushCredential
    ) async throws -> PushServerSession? {
        do {
            return try await session(credential)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            configuration.logger.e("There is no session for \(credential.id).", error: error)
            return nil
        }
    }
}
