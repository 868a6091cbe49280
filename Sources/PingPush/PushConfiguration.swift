public import Foundation
public import PingCommons
public import PingLogger
public import PushBridgeCore
public import PushBridgePlatform
import PushBridgeStore

/// The configuration of a ``PushClient``; the client ignores changes after its creation.
public final class PushConfiguration: Sendable {
    private let state = Lock(PushSettings())

    /// Creates a configuration with the default values, for the storage `StandardStore`.
    public init() {}

    /// Creates a configuration that `configure` changes.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The configuration.
    public static func build(_ configure: (PushConfiguration) -> Void) -> PushConfiguration {
        let configuration = PushConfiguration()
        configure(configuration)
        return configuration
    }

    /// The current values.
    var settings: PushSettings { state.withValue { $0 } }

    fileprivate func set(_ handlers: PushHandlers) { self[\.customPushHandlers] = handlers }

    private subscript<Value>(path: WritableKeyPath<PushSettings, Value>) -> Value {
        get { state.withValue { $0[keyPath: path] } }
        set { state.withValue { $0[keyPath: path] = newValue } }
    }
}

extension PushConfiguration {
    /// The storage of credentials and notifications; `nil` means `StandardStore`.
    ///
    /// If an app's own storage fails to save an enrolment that the server accepted, the enrolment is kept in the
    /// keychain. A later client saves the enrolment if its storage has the same type as the original storage and
    /// contains one of the same credentials or, like the original storage, none. Two empty storages of one type cannot
    /// be distinguished, so use a different type for each of your storages.
    public var storage: (any PushStorage)? {
        get { self[\.storage] }
        set { self[\.storage] = newValue }
    }
    /// Evaluates the policies that lock and unlock credentials; `nil` means `MfaPolicyEvaluator.standard`, which
    /// contains the policies that this device supports.
    public var policyEvaluator: MfaPolicyEvaluator? {
        get { self[\.policyEvaluator] }
        set { self[\.policyEvaluator] = newValue }
    }
    /// The time-out of a request in seconds, 15 by default.
    ///
    /// The time-out of an answer to a push is at most 130 seconds. An interceptor can at most double the time-out.
    public var timeout: TimeInterval {
        get { self[\.timeout] }
        set { self[\.timeout] = newValue }
    }
    /// ``timeout`` in milliseconds.
    public var timeoutMs: Int {
        get { Int(exactly: (timeout * 1000).rounded()) ?? .max }
        set { timeout = TimeInterval(newValue) / 1000 }
    }
    /// Whether a credential is cached in memory after it has been read by its id.
    ///
    /// While a credential is cached, changes by another process or client are not visible. The cache contains secrets.
    /// Each change that this client makes empties the cache, and so does ``PushClient/close()``.
    public var enableCredentialCache: Bool {
        get { self[\.enableCredentialCache] }
        set { self[\.enableCredentialCache] = newValue }
    }
    /// Receives the client's messages, which never contain a secret.
    public var logger: any Logger {
        get { self[\.logger] }
        set { self[\.logger] = newValue }
    }
    /// The app's own handlers, by platform or as an array.
    ///
    /// The handlers have precedence over PingAM's protocol.
    public var customPushHandlers: PushHandlers {
        get { self[\.customPushHandlers] }
        set { self[\.customPushHandlers] = newValue }
    }
    /// Has no effect, because PushBridge's storages always encrypt secrets; the value `false` is logged.
    public var encryptionEnabled: Bool {
        get { self[\.encryptionEnabled] }
        set { self[\.encryptionEnabled] = newValue }
    }
    /// The rule for removing old notifications when a push arrives, when the app requests a cleanup, and when the
    /// client is closed.
    public var notificationCleanupConfig: NotificationCleanupConfig {
        get { self[\.notificationCleanupConfig] }
        set { self[\.notificationCleanupConfig] = newValue }
    }
    /// The device's name in the user's list of devices at the server.
    ///
    /// The default is the name that UIKit reports (`UIDevice.current.name`) or, on platforms without UIKit,
    /// `iOS device`.
    ///
    /// UIKit's name can be read only on the main thread. On other threads this property is `iOS device` until the
    /// name has been read once. Requests wait for the name.
    public var deviceName: String {
        get { self[\.deviceName] ?? DeviceName.current }
        set { self[\.deviceName] = newValue }
    }
    /// Whether setting an unchanged device token sends it again to servers that received it about a week ago; `false`
    /// by default.
    ///
    /// A server's response shows whether it still sends pushes to this device: see ``PushClient/tokenState(of:)``. The
    /// requests for different credentials are spread over 24 hours.
    public var tokenResync: Bool {
        get { self[\.tokenResync] }
        set { self[\.tokenResync] = newValue }
    }
    /// Sends requests to the server after the interceptors have changed them; `nil` means a
    /// ``URLSessionTransport``.
    public var transport: (any PushTransport)? {
        get { self[\.transport] }
        set { self[\.transport] = newValue }
    }
    /// The APNs environment of device tokens; `nil` means unspecified.
    ///
    /// If the value changes from one environment to the other, the token counts as a new token when the app next sets
    /// it, and is sent to all servers that accept tokens.
    public var environment: APNsEnvironment? {
        get { self[\.environment] }
        set { self[\.environment] = newValue }
    }
    /// The names of the operator's push configurations.
    ///
    /// Custom handlers receive the name for ``topic`` as the parameter `providerName`. Interceptors receive
    /// the name in the action's payload.
    public var providers: PushProviders {
        get { self[\.providers] }
        set { self[\.providers] = newValue }
    }
    /// The topic of the app's pushes; by default the app's bundle identifier.
    public var topic: String? {
        get { self[\.topic] }
        set { self[\.topic] = newValue }
    }
    /// Receives each step of a push, so that the app can measure delivery; `nil` by default.
    ///
    /// The closure may be called on any thread.
    ///
    /// To create an event from each step, assign `MigrationRollout.record(_:)`.
    public var onMilestone: (@Sendable (PushMilestone) -> Void)? {
        get { self[\.onMilestone] }
        set { self[\.onMilestone] = newValue }
    }
    /// Measures the time that the system gives the app for a push.
    public var clock: any Clock<Duration> {
        get { self[\.clock] }
        set { self[\.clock] = newValue }
    }
    /// Returns the current time.
    public var now: @Sendable () -> Date {
        get { self[\.now] }
        set { self[\.now] = newValue }
    }
    /// Durable storage for enrolments that the client's storage failed to save.
    ///
    /// If this property is `nil`, such an enrolment fails with the storage's error.
    package var pendingEnrolments: (any PendingEnrolments)? {
        get { self[\.pendingEnrolments] }
        set { self[\.pendingEnrolments] = newValue }
    }
    /// The network hooks, including the interceptors.
    ///
    /// Tests can set separate hooks.
    package var hooks: NetworkHooks {
        get { self[\.hooks] }
        set { self[\.hooks] = newValue }
    }
}

/// A configuration whose handlers are also available as a dictionary, as in the successor SDK.
public protocol PushHandlersByName {}

extension PushConfiguration: PushHandlersByName {}

extension PushHandlersByName where Self == PushConfiguration {
    /// The app's own handlers by platform, as a dictionary.
    ///
    /// The values are untyped, as in the SDK's declaration. Creating a client throws an error if a value is
    /// not a handler.
    public var customPushHandlers: [String: Any] {
        get { self.settings.customPushHandlers.byName }
        nonmutating set { self.set(PushHandlers(newValue)) }
    }
}

/// A snapshot of a ``PushConfiguration``.
struct PushSettings: Sendable {
    var storage: (any PushStorage)?
    var policyEvaluator: MfaPolicyEvaluator?
    var timeout: TimeInterval = 15
    var enableCredentialCache = false
    var logger: any Logger = LogManager.logger
    var customPushHandlers: PushHandlers = []
    var encryptionEnabled = true
    var notificationCleanupConfig = NotificationCleanupConfig()
    var deviceName: String?
    var tokenResync = false
    var transport: (any PushTransport)?
    var environment: APNsEnvironment?
    var providers: PushProviders = [:]
    var topic = Bundle.main.bundleIdentifier
    var onMilestone: (@Sendable (PushMilestone) -> Void)?
    var clock: any Clock<Duration> = ContinuousClock()
    var now: @Sendable () -> Date = { Date() }
    var hooks = NetworkHooks.shared
    var pendingEnrolments = KeychainPendingEnrolments.ofThisDevice()

    /// The name of the push configuration that serves this app.
    var providerName: String? { topic.flatMap(providers.name) }

    /// Returns the device's name as sent to servers.
    func sentDeviceName() async -> String {
        if let deviceName { return deviceName }
        return await DeviceName.read()
    }
}
