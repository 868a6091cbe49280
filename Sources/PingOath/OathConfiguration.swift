public import Foundation
public import PingCommons
public import PingLogger
package import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// The configuration of an ``OathClient``; the client ignores changes after its creation.
public final class OathConfiguration: Sendable {
    private let state = Lock(OathSettings())

    /// Creates a configuration with the default values, for the storage `StandardStore`.
    public init() {}

    /// Creates a configuration that `configure` changes.
    /// - Parameter configure: Changes the standard configuration.
    /// - Returns: The configuration.
    public static func build(_ configure: (OathConfiguration) -> Void) -> OathConfiguration {
        let configuration = OathConfiguration()
        configure(configuration)
        return configuration
    }

    /// The current values.
    var settings: OathSettings { state.withValue { $0 } }

    private subscript<Value>(path: WritableKeyPath<OathSettings, Value>) -> Value {
        get { state.withValue { $0[keyPath: path] } }
        set { state.withValue { $0[keyPath: path] = newValue } }
    }
}

extension OathConfiguration {
    /// The storage of credentials; `nil` means `StandardStore`, which also contains push credentials.
    public var storage: (any OathStorage)? {
        get { self[\.storage] }
        set { self[\.storage] = newValue }
    }
    /// Evaluates the policies that lock and unlock credentials; `nil` means `MfaPolicyEvaluator.standard`.
    public var policyEvaluator: MfaPolicyEvaluator? {
        get { self[\.policyEvaluator] }
        set { self[\.policyEvaluator] = newValue }
    }
    /// Has no effect, because this module sends no requests; the property exists for call sites of the successor SDK.
    ///
    /// The default value is the same as in the successor SDK. The value is in seconds, although the property's name
    /// ends with `Ms`.
    public var timeoutMs: TimeInterval {
        get { self[\.timeoutMs] }
        set { self[\.timeoutMs] = newValue }
    }
    /// Whether a credential is cached in memory after it has been read by its id.
    ///
    /// While a credential is cached, changes by another process or client are not visible. The cache contains secrets.
    /// Each change that this client makes empties the cache, and so does ``OathClient/close()``. HOTP one-time
    /// passwords are always generated from the counter in the storage.
    public var enableCredentialCache: Bool {
        get { self[\.enableCredentialCache] }
        set { self[\.enableCredentialCache] = newValue }
    }
    /// Has no effect, because PushBridge's storages always encrypt secrets; the value `false` is logged.
    public var encryptionEnabled: Bool {
        get { self[\.encryptionEnabled] }
        set { self[\.encryptionEnabled] = newValue }
    }
    /// Receives the client's messages, which never contain a secret or a one-time password.
    public var logger: any Logger {
        get { self[\.logger] }
        set { self[\.logger] = newValue }
    }
    /// Returns the current time.
    public var now: @Sendable () -> Date {
        get { self[\.now] }
        set { self[\.now] = newValue }
    }
    /// Durable storage for enrolments that a store failed to save.
    ///
    /// A client with an app's own storage does not use this property, because that storage cannot contain the push
    /// credential of an enrolment.
    package var pendingEnrolments: (any PendingEnrolments)? {
        get { self[\.pendingEnrolments] }
        set { self[\.pendingEnrolments] = newValue }
    }
}

/// A snapshot of an ``OathConfiguration``.
struct OathSettings: Sendable {
    var storage: (any OathStorage)?
    var policyEvaluator: MfaPolicyEvaluator?
    var timeoutMs: TimeInterval = 15
    var enableCredentialCache = false
    var encryptionEnabled = true
    var logger: any Logger = LogManager.logger
    var now: @Sendable () -> Date = { Date() }
    var pendingEnrolments = KeychainPendingEnrolments.ofThisDevice()
}
