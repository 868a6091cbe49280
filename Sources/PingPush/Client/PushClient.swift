import Foundation
import Logging

/// Enrols credentials, receives pushes and answers them.
///
/// Safe to use from any thread and any task. Every call but ``close()`` throws ``PushError/notInitialized`` once
/// the client is closed, and ``PushStorageError`` if the storage fails.
public final class PushClient: Sendable {
    let configuration: PushConfiguration
    let transport: any PushTransport
    private let storage: any StoreBackedStorage
    private let state = Lock(State())
    private let streams = PendingStreams()

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
    /// Throws ``PushError/initializationFailed(_:_:)`` for a time-out that is not positive, and for a storage that
    /// is not over a `CredentialStore`: only there is an answer claimed and stored in one transaction.
    public static func createClient(configuration: PushConfiguration) async throws -> PushClient {
        guard configuration.timeout > 0, configuration.timeout.isFinite else {
            throw PushError.initializationFailed("The time-out is not positive.", nil)
        }
        let storage = try configuration.storage ?? standardStorage()
        guard let storage = storage as? any StoreBackedStorage else {
            throw PushError.initializationFailed("The storage is not over a CredentialStore.", nil)
        }
        return PushClient(configuration, storage: storage)
    }

    private init(_ configuration: PushConfiguration, storage: any StoreBackedStorage) {
        self.configuration = configuration
        self.storage = storage
        transport = configuration.transport ?? URLSessionTransport()
    }

    /// The pending notifications, oldest first: at once, and again after every change made through this client.
    ///
    /// Ends when the client is closed.
    public var notifications: AsyncStream<[PushNotification]> {
        streams.stream(beginningWith: pendingToAnnounce)
    }

    /// Ends all streams and forgets what is in memory; the storage stays open as long as someone holds it.
    ///
    /// What a request on its way achieves is still stored. Closing again does nothing.
    public func close() async throws {
        let wasOpen = state.withValue { state in
            defer { state = State(isClosed: true, generation: state.generation + 1) }
            return !state.isClosed
        }
        guard wasOpen else { return }
        streams.finish()
        configuration.logger?.debug("Closed.")
    }

    private static func standardStorage() throws -> any PushStorage {
        do {
            return try PushSQLiteStorage.standard()
        } catch {
            throw PushError.initializationFailed(error.localizedDescription, error)
        }
    }

    private struct State {
        var isClosed = false
        var cache: [String: PushCredential] = [:]
        /// Counts how often the cache was emptied, so that nothing read before that gets into it after.
        var generation = 0
    }
}

extension PushClient {
    /// The store, as long as the client is open.
    func openStore() throws -> any CredentialStore {
        guard !state.withValue(\.isClosed) else { throw PushError.notInitialized }
        return storage.store
    }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        let store = try openStore()
        return try storing { try store.read(body) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let store = try openStore()
        defer { forgetCredentials() }
        return try storing { try store.write(body) }
    }

    /// Tells the streams what is pending now; a failure is logged, because the change itself succeeded.
    func announcePending() {
        streams.yield(pendingToAnnounce)
    }

    private func pendingToAnnounce() -> [PushNotification]? {
        do {
            return try read { try $0.notifications(.pending) }
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
        orElse read: () throws -> PushCredential?
    ) throws -> PushCredential? {
        let (cached, generation) = try state.withValue { state in
            guard !state.isClosed else { throw PushError.notInitialized }
            return (state.cache[id], state.generation)
        }
        if let cached { return cached }
        let credential = try read()
        guard configuration.enableCredentialCache, let credential else { return credential }
        state.withValue { state in
            if state.generation == generation { state.cache[id] = credential }
        }
        return credential
    }

    func forgetCredentials() {
        state.withValue { state in
            state.cache = [:]
            state.generation += 1
        }
    }
}
