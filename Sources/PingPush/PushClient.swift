import Foundation
import PingCommons
import PingLogger
import PushBridgeClients
import PushBridgeCore
import PushBridgeNotifications
import PushBridgePlatform

/// Enrols credentials, receives pushes and answers them.
///
/// Safe to use from any thread and any task; what blocks runs on threads of its own. Every call but ``close()`` throws
/// ``PushError/notInitialized`` once the client is closed, and ``PushStorageError`` if the storage fails.
public final class PushClient: Sendable {
    let configuration: PushSettings
    let transport: any PushTransport
    /// The storage, policies, and whether the client is open.
    let core: CredentialClient<PushCredential>
    /// Serves one new device token after the other.
    let tokens = SerialQueue()
    /// The responses to banners that came lately.
    let responses = HandledResponses()
    private let streams = PendingStreams()

    /// Makes a client from a configuration that `configure` changes.
    ///
    /// ```swift
    /// let client = try await PushClient.createClient { config in
    ///     config.timeout = 30
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configure: Changes the standard configuration; called where the caller runs.
    ///   - isolation: The caller's actor.
    /// - Returns: The client.
    /// - Throws: What `configure` throws, and the errors of ``createClient(configuration:)``.
    public static func createClient(
        configure: (PushConfiguration) throws -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> PushClient {
        let configuration = PushConfiguration()
        try configure(configuration)
        return try await createClient(configuration: configuration)
    }

    /// Makes a client; for function values and protocols, which need the SDK's own signature.
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

    /// Makes a client.
    /// - Parameter configuration: What the client is made from.
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

    /// The pending notifications, newest first: at once, and again after every change of the storage.
    ///
    /// Tells what another client, the legacy API or an extension of the app changed as well, where the storage is over
    /// a `CredentialStore`; an app's own storage is heard of only when this client changes it. Ends when the client is
    /// closed; a stream keeps the client alive until then.
    public var notifications: AsyncStream<[PushNotification]> {
        // Listening begins before the first look, so that no change is missed between them.
        let changes = core.changes
        return streams.stream(after: changes) { await self.pendingToAnnounce() }
    }

    /// Removes old notifications as the configuration says, ends all streams and clears the memory; the storage stays open as
    /// long as an object holds it.
    ///
    /// An error of the removal is logged. The outcome of a request on its way is still stored. Closing again does nothing.
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
