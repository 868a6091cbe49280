import Foundation
import Logging
import PushBridgePlatform

/// Enrols credentials, receives pushes and answers them.
///
/// Safe to use from any thread and any task. Every call but ``close()`` throws ``PushError/notInitialized`` once
/// the client is closed, and ``PushStorageError`` if the storage fails.
public final class PushClient: Sendable {
    let configuration: PushConfiguration
    let transport: any PushTransport
    private let storage: any ClientStorage
    private let cache: CredentialCache<PushCredential>
    private let streams = PendingStreams()
    /// Serves one new device token after the other.
    let tokens = SerialQueue()

    /// Makes a client from a configuration that `configure` changes.
    public static func createClient(
        _ configure: (inout PushConfiguration) throws -> Void = { _ in }
    ) async throws -> PushClient {
        var configuration = PushConfiguration()
        try configure(&configuration)
        return try await createClient(configuration: configuration)
    }

    /// Makes a client.
    ///
    /// Throws ``PushError/initializationFailed(_:_:)`` for a time-out that is not positive and for a default storage
    /// that cannot be opened, and ``PushError/invalidPlatform(_:)`` for handlers that cannot be told apart.
    public static func createClient(configuration: PushConfiguration) async throws -> PushClient {
        guard configuration.timeout > 0, configuration.timeout.isFinite else {
            throw PushError.initializationFailed("The time-out is not positive.", nil)
        }
        try configuration.customPushHandlers.check()
        let storage = try configuration.storage ?? standardStorage()
        if !configuration.encryptionEnabled {
            configuration.logger?.warning("Secrets are sealed although encryption was switched off.")
        }
        return PushClient(configuration, storage: storage)
    }

    private init(_ configuration: PushConfiguration, storage: any PushStorage) {
        self.configuration = configuration
        self.storage =
            if let storage = storage as? any StoreBackedStorage {
                DirectStorage(store: storage.store)
            } else {
                BorrowedStorage(storage)
            }
        cache = CredentialCache(isEnabled: configuration.enableCredentialCache)
        transport = configuration.transport ?? URLSessionTransport()
    }

    /// The pending notifications, oldest first: at once, and again after every change of the storage.
    ///
    /// Tells what another client, the legacy API or an extension of the app changed as well, where the storage is over a
    /// `CredentialStore`; an app's own storage is heard of only when this client changes it. Ends when the client is
    /// closed; whoever listens keeps the client until then.
    public var notifications: AsyncStream<[PushNotification]> {
        // Listening begins before the first look, so that no change is missed between them.
        let changes = storage.changes
        return streams.stream(after: changes) { await self.pendingToAnnounce() }
    }

    /// Ends all streams and forgets what is in memory; the storage stays open as long as someone holds it.
    ///
    /// What a request on its way achieves is still stored. Closing again does nothing.
    public func close() async throws {
        guard cache.close() else { return }
        streams.finish()
        configuration.logger?.debug("Closed.")
    }

    private static func standardStorage() throws -> any PushStorage {
        do {
            return CredentialStoreStorage(try StandardStore.open())
        } catch {
            throw PushError.initializationFailed(error.reason, error)
        }
    }
}

extension PushClient {
    /// The storage, as long as the client is open.
    func openStorage() throws -> any ClientStorage {
        guard !cache.isClosed else { throw PushError.notInitialized }
        return storage
    }

    func read<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialReading) throws -> Value
    ) async throws -> Value {
        try await openStorage().read(scope, body)
    }

    func write<Value: Sendable>(
        _ scope: StorageScope,
        _ body: @escaping @Sendable (any CredentialWriting) throws -> Value
    ) async throws -> Value {
        let storage = try openStorage()
        defer { forgetCredentials() }
        return try await storage.write(scope, body)
    }

    /// What is pending now; `nil` if that cannot be told, which is logged.
    private func pendingToAnnounce() async -> [PushNotification]? {
        do {
            return try await read(.pending) { try $0.notifications(.pending) }
        } catch PushError.notInitialized {
            return nil
        } catch {
            configuration.logger?.error("Pending notifications cannot be read: \(error.localizedDescription)")
            return nil
        }
    }

    /// The cached credential with an id, or else what `read` finds, which is cached if the configuration says so
    /// and nothing changed meanwhile.
    func cachedCredential(
        _ id: String,
        orElse read: () async throws -> PushCredential?
    ) async throws -> PushCredential? {
        guard !cache.isClosed else { throw PushError.notInitialized }
        let (cached, generation) = cache.credential(id: id)
        if let cached { return cached }
        let credential = try await read()
        if let credential { cache.keep(credential, id: id, readIn: generation) }
        return credential
    }

    func forgetCredentials() {
        cache.forget()
    }
}
