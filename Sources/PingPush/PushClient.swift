import Foundation
import PingCommons
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgeNotifications
import PushBridgePlatform

/// Enrols credentials, receives pushes and answers them.
///
/// A client can be used from any thread and any task. Blocking work runs on dedicated threads.
///
/// After ``close()``, methods that can throw an error throw ``PushError/notInitialized``. If the storage fails, they
/// throw ``PushStorageError`` or, if an app's own storage throws another error, ``PushError/storageFailure(_:_:)``.
public final class PushClient: Sendable {
    let configuration: PushSettings
    let transport: any PushTransport
    /// The client's storage, cache and policies, and whether the client is open.
    let core: CredentialClient<PushCredential>
    /// The queue that processes new device tokens one after another.
    let tokens = SerialQueue()
    /// The recent responses to banners.
    let responses = HandledResponses()
    private let streams = PendingStreams()

    /// Creates a client after `configure` has changed the standard configuration.
    ///
    /// ```swift
    /// let client = try await PushClient.createClient { config in
    ///     config.timeout = 30
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configure: Changes the standard configuration. It is called on the caller's actor.
    ///   - isolation: The caller's actor.
    /// - Returns: The client.
    /// - Throws: The errors of `configure` and of ``createClient(configuration:)``.
    public static func createClient(
        configure: (PushConfiguration) throws -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushClient {
        let configuration = PushConfiguration()
        try configure(configuration)
        return try await createClient(configuration: configuration)
    }

    /// Creates a client.
    ///
    /// The signature is exactly that of the SDK's method, so that function values and protocols with this signature
    /// still compile.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The client.
    /// - Throws: The errors of ``createClient(configuration:)``.
    @_disfavoredOverload
    public static func createClient(
        configure: (PushConfiguration) -> Void = { _ in }
    ) async throws -> PushClient {
        let configuration = PushConfiguration()
        configure(configuration)
        return try await createClient(configuration: configuration)
    }

    /// Creates a client.
    /// - Parameter configuration: The client's configuration.
    /// - Returns: The client.
    /// - Throws: ``PushError/initializationFailed(_:_:)`` if the time-out is not positive or not finite, if two
    ///   handlers have the same name, or if the default storage cannot be opened; ``PushError/invalidPlatform(_:)`` if
    ///   a handler has no name; ``PushError/noHandlerForPlatform(_:)`` if a value in the dictionary of handlers is not
    ///   a handler.
    public static func createClient(configuration: PushConfiguration) async throws -> PushClient {
        let configuration = configuration.settings
        guard configuration.timeout > 0, configuration.timeout.isFinite else {
            throw PushError.initializationFailed("The time-out is not positive.", nil)
        }
        try configuration.customPushHandlers.check()
        let storage = try await clientStorage(configuration.storage) { error in
            PushError.initializationFailed(error.reason, error)
        } borrowing: {
            CustomStorageAccess(CustomPushStorage($0))
        }
        if let sentence = PackageCopy.this.register() { configuration.logger.e(sentence, error: nil) }
        if !configuration.encryptionEnabled {
            configuration.logger.w("Secrets are sealed although encryption was switched off.", error: nil)
        }
        return PushClient(configuration, storage)
    }

    private init(_ configuration: PushSettings, _ storage: any RecordAccess) {
        self.configuration = configuration
        core = CredentialClient(
            storage,
            evaluator: configuration.policyEvaluator ?? MfaPolicyEvaluator.standard,
            isCaching: configuration.enableCredentialCache,
            errors: .push,
            pendingEnrolments: configuration.pendingEnrolments
        )
        transport = configuration.transport ?? URLSessionTransport()
    }

    /// A stream of the lists of pending notifications; see ``getPendingNotifications()``.
    ///
    /// The stream delivers the current list immediately, and a new list after each change in the storage that affects
    /// the list.
    ///
    /// If the storage is based on a `CredentialStore`, the stream also reports changes by another client or by the
    /// legacy API. Changes by other processes, for example by an extension, are reported only with a SQLite store. If
    /// the storage is an app's own, the stream reports only changes by this client. The stream ends when the client is
    /// closed. Until then the stream keeps the client alive.
    public var notifications: AsyncStream<[PushNotification]> {
        // The subscription begins before the first read, so that no change after this read is missed.
        let changes = core.changes
        return streams.stream(after: changes) { await self.pendingToAnnounce() }
    }

    /// Removes old notifications according to the configuration, ends all streams, and clears the memory
    /// cache.
    ///
    /// The storage stays open as long as an object references it. If old notifications cannot be removed, the
    /// error is logged. If a request is still in progress, its outcome will still be stored. Closing a closed
    /// client has no effect.
    public func close() async {
        if configuration.notificationCleanupConfig.cleanupMode != .none {
            do {
                try await cleanupNotifications()
            } catch PushError.notInitialized {
                return
            } catch {
                configuration.logger.w("Old notifications were not removed.", error: error)
            }
        }
        guard core.close() else { return }
        streams.finish()
        configuration.logger.d("Closed.")
    }

    /// Returns the pending notifications; `nil` if the client is closed or the notifications cannot be read.
    ///
    /// An error of the storage is logged.
    private func pendingToAnnounce() async -> [PushNotification]? {
        do {
            return try await getPendingNotifications()
        } catch PushError.notInitialized {
            return nil
        } catch {
            configuration.logger.e("Pending notifications cannot be read.", error: error)
            return nil
        }
    }
}
