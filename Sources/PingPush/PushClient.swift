import Foundation
import PingCommons
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgeNotifications
import PushBridgePlatform

/// Enrols credentials, receives pushes and answers them.
///
/// Safe to use from any thread and any task; blocking work runs on dedicated threads. Every call except ``close()``
/// throws ``PushError/notInitialized`` after the client was closed, and ``PushStorageError`` if the storage fails.
public final class PushClient: Sendable {
    let configuration: PushSettings
    let transport: any PushTransport
    /// The storage, the policies and the open state.
    let core: CredentialClient<PushCredential>
    /// Processes new device tokens one after another.
    let tokens = SerialQueue()
    /// The recent responses to banners.
    let responses = HandledResponses()
    private let streams = PendingStreams()

    /// Creates a client from the standard configuration after `configure` changed it.
    ///
    /// ```swift
    /// let client = try await PushClient.createClient { config in
    ///     config.timeout = 30
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configure: Changes the standard configuration; called on the caller's actor.
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

    /// Creates a client; for function values and protocols, which need the SDK's exact signature.
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
    /// - Throws: ``PushError/initializationFailed(_:_:)`` for a time-out that is not positive, for two handlers of one
    ///   name and for a default storage that cannot be opened; ``PushError/invalidPlatform(_:)`` for a handler without
    ///   a name; ``PushError/noHandlerForPlatform(_:)`` for a value that is not a handler.
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

    /// The pending notifications, newest first: the current list immediately, and a new list after every change of the
    /// storage.
    ///
    /// If the storage is based on a `CredentialStore`, the stream also reports changes by another client, by the legacy
    /// API or by an extension of the app; with an app's own storage, only changes by this client. The stream ends when
    /// the client is closed, and keeps the client alive until then.
    public var notifications: AsyncStream<[PushNotification]> {
        // Subscribes before the first read, so that no change is missed in between.
        let changes = core.changes
        return streams.stream(after: changes) { await self.pendingToAnnounce() }
    }

    /// Removes old notifications according to the configuration, ends all streams and clears the memory cache; the storage
    /// stays open as long as an object references it.
    ///
    /// An error of the removal is logged. The outcome of a request in flight is still stored. Closing again has no effect.
    public func close() async {
        if configuration.notificationCleanupConfig.cleanupMode != .none {
            do {
                try await cleanupNotifications()
            } catch PushError.notInitialized {
                return
            } catch {
                configuration.logger.w("Old notifications are not removed.", error: error)
            }
        }
        guard core.close() else { return }
        streams.finish()
        configuration.logger.d("Closed.")
    }

    /// The pending notifications; `nil` if they cannot be read, which is logged.
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
