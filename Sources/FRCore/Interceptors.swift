import Foundation
import PushBridgeCore
public import PushBridgePlatform

/// Inspects requests before they are sent, and can change them.
public protocol RequestInterceptor: NonisolatedConformance {
    /// Changes a request before it is sent.
    ///
    /// The method is called once for each request, on any thread. An interceptor may at most double the
    /// time-out of a push request, because another answer to the same push is allowed after twice the
    /// time-out plus 10 seconds. The time-out is 60 seconds in the legacy API. In the async API, the time-out
    /// is `PushConfiguration.timeout`, which is 15 seconds by default.
    /// - Parameters:
    ///   - request: The request.
    ///   - action: The action of the request.
    /// - Returns: The request to send. If no change is needed, this is `request` itself.
    func intercept(request: Request, action: Action) -> Request
}

/// The interceptors of push requests and of the requests that ``RestClient`` sends with an action.
///
/// Only the interceptors of ``shared`` are called. They receive the push requests of both APIs. The class is
/// open, as in the SDK, and safe to use from any thread.
open class RequestInterceptorRegistry {
    // The class is not `Sendable`, because subclasses in apps would have to restate the conformance. Sharing
    // the registry is safe, because its properties are a `Lock` and `NetworkHooks`.
    /// The registry of this process.
    public nonisolated(unsafe) static let shared = RequestInterceptorRegistry(hooks: .shared)

    private let interceptors = Lock<[any RequestInterceptor]>([])
    private let hooks: NetworkHooks

    /// Creates a separate registry, whose interceptors receive no requests.
    public init() {
        hooks = NetworkHooks()
    }

    package init(hooks: NetworkHooks) {
        self.hooks = hooks
    }

    /// Registers interceptors, which are called in the order of their registration.
    /// - Parameters:
    ///   - interceptors: The interceptors. With `nil`, no interceptor is added; if `shouldOverride` is also
    ///     `true`, all registered interceptors are removed.
    ///   - shouldOverride: Whether the new interceptors replace the registered interceptors. With `false`,
    ///     the new interceptors are appended.
    public func registerInterceptors(interceptors: [any RequestInterceptor]?, shouldOverride: Bool = true) {
        self.interceptors.withValue { registered in
            if shouldOverride { registered = [] }
            registered += interceptors ?? []
        }
        hooks.setAdapter { [interceptors = self.interceptors] request, timeout in
            try request.pass(interceptors.withValue { $0 }, timeout: &timeout)
        }
    }

    func intercept(_ request: Request, _ action: Action) -> Request {
        request.passed(interceptors.withValue { $0 }, for: action)
    }
}

extension Request {
    /// Passes the request to all interceptors in order, and returns the changed request.
    fileprivate func passed(_ interceptors: [any RequestInterceptor], for action: Action) -> Request {
        interceptors.reduce(self) { $1.intercept(request: $0, action: action) }
    }
}

extension PushRequest {
    fileprivate mutating func pass(
        _ interceptors: [any RequestInterceptor],
        timeout: inout TimeInterval
    ) throws {
        guard !interceptors.isEmpty else { return }
        let original = Request(self, timeout: timeout)
        let changed = original.passed(interceptors, for: FRCore.Action(self))
        try adopt(changed, insteadOf: original)
        timeout = changed.timeoutInterval
    }
}

/// The action of a request.
///
/// Interceptors identify a request by its action.
public struct Action {
    /// The raw value of an ``ActionType``.
    public let type: String
    /// Further data for interceptors.
    ///
    /// If the app has named its push configuration, the payload contains this name under `providerName` for each
    /// push request that contains a device token. For all other push requests, the payload is `nil`.
    public let payload: [String: Any]?

    /// Creates an action.
    /// - Parameters:
    ///   - type: The action.
    ///   - payload: Further data for interceptors.
    public init(type: ActionType, payload: [String: Any]? = nil) {
        self.type = type.rawValue
        self.payload = payload
    }
}

/// The actions of requests.
///
/// This package itself uses only the push actions and, to remove a device profile, `LOGOUT`. The other
/// actions are for requests that an app sends with ``RestClient``.
public enum ActionType: String, CaseIterable, Sendable {
    /// Begins a login.
    case START_AUTHENTICATE
    /// Continues a login.
    case AUTHENTICATE
    /// Requests an authorization code.
    case AUTHORIZE
    /// Exchanges an authorization code for tokens.
    case EXCHANGE_TOKEN
    /// Renews tokens.
    case REFRESH_TOKEN
    /// Revokes a token.
    case REVOKE_TOKEN
    /// Logs the user out.
    case LOGOUT
    /// Ends a session at the OpenID Connect provider.
    case END_SESSION
    /// Requests information about the user.
    case USER_INFO
    /// Resumes a login that was suspended.
    case RESUME_AUTHENTICATE
    /// Enrols this device for push.
    case PUSH_REGISTER
    /// Answers a push.
    case PUSH_AUTHENTICATE
    /// Sends a new device token to the server.
    case PUSH_UPDATE
    /// Removes a device binding.
    case DELETE_BINDING
}
