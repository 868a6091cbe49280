import Foundation
import Logging

/// Enrols one-time-password credentials and makes their codes.
///
/// Safe to use from any thread and any task. Every call but ``close()`` throws
/// ``OathError/initializationFailed(_:_:)`` once the client is closed, and ``OathStorageError`` if the storage fails.
public final class OathClient: Sendable {
    let configuration: OathConfiguration
    private let vault: OathVault
    private let cache: CredentialCache<OathCredential>

    /// Makes a client from a configuration that `configure` changes.
    public static func createClient(
        _ configure: (inout OathConfiguration) throws -> Void = { _ in }
    ) async throws -> OathClient {
        var configuration = OathConfiguration()
        try configure(&configuration)
        return try await createClient(configuration: configuration)
    }

    /// Makes a client; throws ``OathError/initializationFailed(_:_:)`` if the standard storage cannot be opened.
    public static func createClient(configuration: OathConfiguration) async throws -> OathClient {
        OathClient(configuration, storage: try configuration.storage ?? standardStorage())
    }

    private init(_ configuration: OathConfiguration, storage: any OathStorage) {
        self.configuration = configuration
        vault = OathVault(storage)
        cache = CredentialCache(isEnabled: configuration.enableCredentialCache)
    }

    /// Forgets what is in memory; the storage stays open as long as someone holds it.
    ///
    /// Closing again does nothing.
    public func close() async throws {
        if cache.close() { configuration.logger?.debug("Closed.") }
    }

    private static func standardStorage() throws -> any OathStorage {
        do {
            return CredentialStoreOathStorage(try StandardStore.open())
        } catch {
            throw OathError.initializationFailed(error.reason, error)
        }
    }
}

extension OathClient {
    /// The credentials, as long as the client is open.
    func openVault() throws -> OathVault {
        guard !cache.isClosed else { throw OathError.initializationFailed("It is closed.", nil) }
        return vault
    }

    /// The credentials, to change them; what is in memory is forgotten afterwards.
    func changing<Value>(_ body: (OathVault) async throws -> Value) async throws -> Value {
        let vault = try openVault()
        defer { cache.forget() }
        return try await body(vault)
    }

    /// The cached credential with an id, or else the stored one, locked or unlocked as its policies demand.
    func credential(_ id: String) async throws -> OathCredential? {
        let vault = try openVault()
        let (cached, generation) = cache.credential(id: id)
        if let cached { return try await applyingPolicies(to: cached) }
        guard let credential = try await vault.credential(id) else { return nil }
        cache.keep(credential, id: id, readIn: generation)
        return try await applyingPolicies(to: credential)
    }

    /// Locks or unlocks a credential as its policies demand, and stores that if it is a change.
    func applyingPolicies(to credential: OathCredential) async throws -> OathCredential {
        var current = credential
        let evaluator = configuration.evaluator
        guard evaluator.apply(to: &current) else { return credential }
        // Only the lock changes: what another task stored meanwhile stays.
        let stored = try await changing { vault in
            try await vault.update(credential.id) { stored in
                evaluator.apply(to: &stored)
                return stored
            }
        }
        return stored ?? current
    }
}
