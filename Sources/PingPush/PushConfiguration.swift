public import Foundation
public import PingCommons
public import PingLogger
public import PushBridgeCore
public import PushBridgePlatform
import PushBridgeStore

/// The configuration of a ``PushClient``; later changes do not reach the client.
public final class PushConfiguration: Sendable {
    private let state = Lock(PushSettings())

    /// Creates the standard configuration.
    public init() {}

    /// Makes a configuration.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The configuration.
    public static func build(_ configure: (PushConfiguration) -> Void) -> PushConfiguration {
        let configuration = PushConfiguration()
        configure(configuration)
        return configuration
    }

    /// What the configuration says now.
    var settings: PushSettings { state.withValue { $0 } }

    fileprivate func set(_ handlers: PushHandlers) { self[\.customPushHandlers] = handlers }

    private subscript<Value>(path: WritableKeyPath<PushSettings, Value>) -> Value {
        get { state.withValue { $0[keyPath: path] } }
        set { state.withValue { $0[keyPath: path] = newValue } }
    }
}

extension PushConfiguration {
    /// Where credentials and notifications live; `nil` is `StandardStore`.
    public var storage: (any PushStorage)? {
        get { self[\.storage] }
        set { self[\.storage] = newValue }
    }
    /// Locks and unlocks credentials as their policies demand; `nil` is `MfaPolicyEvaluator.standard`, which knows the
    /// policies about which this device can tell.
    public var policyEvaluator: MfaPolicyEvaluator? {
        get { self[\.policyEvaluator] }
        set { self[\.policyEvaluator] = newValue }
    }
    /// The longest a request may take, in seconds; an answer to a push takes 130 at most.
    public var timeout: TimeInterval {
        get { self[\.timeout] }
        set { self[\.timeout] = newValue }
    }
    /// ``timeout`` in milliseconds.
    public var timeoutMs: Int {
        get { Int(exactly: (timeout * 1000).rounded()) ?? .max }
        set { timeout = TimeInterval(newValue) / 1000 }
    }
    /// Whether credentials are kept in memory once they were read by id.
    ///
    /// Changes by another process are not seen then, and secrets stay in memory until ``PushClient/close()``.
    public var enableCredentialCache: Bool {
        get { self[\.enableCredentialCache] }
        set { self[\.enableCredentialCache] = newValue }
    }
    /// Receives the client's messages; never a secret.
    public var logger: any Logger {
        get { self[\.logger] }
        set { self[\.logger] = newValue }
    }
    /// The app's own handlers, by platform or as an array; they are asked before PingAM's protocol.
    public var customPushHandlers: PushHandlers {
        get { self[\.customPushHandlers] }
        set { self[\.customPushHandlers] = newValue }
    }
    /// Whether secrets are encrypted where they are stored, which they always are; `false` is logged and changes
    /// nothing.
    public var encryptionEnabled: Bool {
        get { self[\.encryptionEnabled] }
        set { self[\.encryptionEnabled] = newValue }
    }
    /// Which notifications are removed when a push comes in.
    public var notificationCleanupConfig: NotificationCleanupConfig {
        get { self[\.notificationCleanupConfig] }
        set { self[\.notificationCleanupConfig] = newValue }
    }
    /// The device's name in the user's list of devices at the server: the one the user gave it, unless you set one.
    ///
    /// Off the main thread it reads as `iOS device` until it was read on the main thread once; requests wait for the
    /// name.
    public var deviceName: String {
        get { self[\.deviceName] ?? DeviceName.current }
        set { self[\.deviceName] = newValue }
    }
    /// Whether servers are told a device token again that they were told a week ago, each within its own hour of a day;
    /// off unless switched on.
    ///
    /// That is how an app learns that a server sends no longer to this device: see ``PushClient/tokenState(of:)``.
    public var tokenResync: Bool {
        get { self[\.tokenResync] }
        set { self[\.tokenResync] = newValue }
    }
    /// Carries requests to the server, after the interceptors; `nil` is a ``URLSessionTransport``.
    public var transport: (any PushTransport)? {
        get { self[\.transport] }
        set { self[\.transport] = newValue }
    }
    /// Which of Apple's services device tokens are for; `nil` does not say.
    ///
    /// A token is told again to servers that knew it in another environment.
    public var environment: APNsEnvironment? {
        get { self[\.environment] }
        set { self[\.environment] = newValue }
    }
    /// The names of an operator's push configurations; custom handlers get the one of ``topic`` as `providerName`, and
    /// so do interceptors in the payload of the action.
    public var providers: PushProviders {
        get { self[\.providers] }
        set { self[\.providers] = newValue }
    }
    /// The topic of the app's pushes: its bundle identifier.
    public var topic: String? {
        get { self[\.topic] }
        set { self[\.topic] = newValue }
    }
    /// Measures how long the system lets the app work on a push.
    public var clock: any Clock<Duration> {
        get { self[\.clock] }
        set { self[\.clock] = newValue }
    }
    /// Tells the time.
    public var now: @Sendable () -> Date {
        get { self[\.now] }
        set { self[\.now] = newValue }
    }
    /// Durable storage for enrolments that the storage refuses; `nil` if there is none.
    package var pendingEnrolments: (any PendingEnrolments)? {
        get { self[\.pendingEnrolments] }
        set { self[\.pendingEnrolments] = newValue }
    }
    /// The interceptors of requests; comparisons have their own, apart from the app's.
    package var hooks: NetworkHooks {
        get { self[\.hooks] }
        set { self[\.hooks] = newValue }
    }
}

/// A configuration whose handlers are also a dictionary, as the successor SDK declares them; both spellings are one
/// thing.
public protocol PushHandlersByName {}

extension PushConfiguration: PushHandlersByName {}

extension PushHandlersByName where Self == PushConfiguration {
    /// The app's own handlers by platform, for variables and for all else that a dictionary can do.
    ///
    /// Untyped because the SDK's configuration is declared so; a value that is not a handler is refused when a client
    /// is made.
    public var customPushHandlers: [String: Any] {
        get { self.settings.customPushHandlers.byName }
        nonmutating set { self.set(PushHandlers(newValue)) }
    }
}

/// What a ``PushConfiguration`` says at one time.
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
    var clock: any Clock<Duration> = ContinuousClock()
    var now: @Sendable () -> Date = { Date() }
    var hooks = NetworkHooks.shared
    var pendingEnrolments = KeychainPendingEnrolments.ofThisDevice("async")

    /// The name of the push configuration that serves this app.
    var providerName: String? { topic.flatMap(providers.name) }

    /// The device's name as servers are told it.
    func sentDeviceName() async -> String {
        if let deviceName { return deviceName }
        return await DeviceName.told()
    }
}
