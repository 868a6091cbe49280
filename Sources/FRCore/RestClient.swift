import Dispatch
public import Foundation
import PushBridgeCore
package import PushBridgePlatform

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends an app's own requests, and configures the requests of both APIs.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class RestClient: NSObject, Sendable {
    /// The client of this process.
    public static let shared = RestClient(hooks: .shared, registry: .shared)

    private let hooks: NetworkHooks
    /// The registry is thread-safe, but its type is not `Sendable`; see ``RequestInterceptorRegistry``.
    private nonisolated(unsafe) let registry: RequestInterceptorRegistry
    private let session = Lock(Session())

    package init(hooks: NetworkHooks, registry: RequestInterceptorRegistry) {
        self.hooks = hooks
        self.registry = registry
    }

    /// Sends a request; by default, no redirect is followed.
    /// - Parameters:
    ///   - request: The request.
    ///   - action: The action of the request, which is passed to interceptors. Interceptors can change the
    ///     request. With `nil`, no interceptor is called.
    ///   - completion: Called once, on a background queue. If the request cannot be sent, `completion` is called with
    ///     ``NetworkError/invalidRequest(_:)`` on this thread, before this method returns. If
    ///     `FRAClient.callsBackOnMainQueue` is `true`, `completion` is always called on the main queue.
    public func invoke(request: Request, action: Action? = nil, completion: @escaping ResultCallback) {
        let held = Lock(completion)
        send(request, action) { result in
            CallbackThread.run { held.withValue { $0 }(result()) }
        }
    }

    /// Sends a request.
    ///
    /// Because results are not `Sendable`, `completion` receives a closure that returns the result.
    private func send(
        _ request: Request,
        _ action: Action?,
        _ completion: @escaping @Sendable (@escaping @Sendable () -> Result) -> Void
    ) {
        let request = action.map { registry.intercept(request, $0) } ?? request
        let name = "\(request)"
        guard let call = request.build() else {
            Log.e("\(name) cannot be sent.")
            return completion { .failure(error: NetworkError.invalidRequest(name)) }
        }
        hooks.send(call, timeout: call.timeoutInterval, limit: .max) { outcome in
            let response = Response(outcome)
            Log.n("\(name): \(response.summary)")
            DispatchQueue.global().async { completion { response.parseReponse() } }
        }
    }

    /// Sends a request like ``invoke(request:action:completion:)``, and blocks until the request ends.
    ///
    /// Do not call this method on the main thread.
    /// - Parameters:
    ///   - request: The request.
    ///   - action: The action of the request, which is passed to interceptors. With `nil`, no interceptor is
    ///     called.
    /// - Returns: The result.
    public func invokeSync(request: Request, action: Action? = nil) -> Result {
        let (done, answer) = (DispatchSemaphore(value: 0), Lock<Result?>(nil))
        send(request, action) { result in
            answer.withValue { $0 = result() }
            done.signal()
        }
        done.wait()
        return answer.withValue { $0 } ?? .failure(error: NetworkError.apiRequestFailure(nil, nil, nil))
    }

    /// Sets the configuration with which both APIs send their later requests.
    ///
    /// The handler does not change.
    ///
    /// Requests that have already been sent are not affected. The cookie jar, the cache and stored
    /// credentials are never used.
    /// - Parameter config: The configuration, which is copied.
    public func setURLSessionConfiguration(config: URLSessionConfiguration) {
        configure { $0.configuration = config }
    }

    /// Sets the configuration and the handler with which both APIs send their later requests.
    ///
    /// Requests that have already been sent are not affected. The cookie jar, the cache and stored
    /// credentials are never used.
    /// - Parameters:
    ///   - config: The configuration, which is copied. With `nil`, the default configuration is used.
    ///   - handler: Handles challenges and redirects. With `nil`, they are handled in the default way.
    public func setURLSessionConfiguration(config: URLSessionConfiguration?, handler: FRURLSessionHandler?) {
        set(config, handler)
    }

    /// Sets the configuration and a handler that is not a ``FRURLSessionHandler``.
    ///
    /// Both APIs use them for their later requests.
    /// - Parameters:
    ///   - config: The configuration, which is copied. With `nil`, the default configuration is used.
    ///   - handler: Handles challenges and redirects. With `nil`, they are handled in the default way.
    @_disfavoredOverload
    public func setURLSessionConfiguration(
        config: URLSessionConfiguration?,
        handler: (any FRURLSessionHandlerProtocol)?
    ) {
        set(config, handler)
    }

    private func set(_ config: URLSessionConfiguration?, _ handler: (any FRURLSessionHandlerProtocol)?) {
        configure { session in
            session.configuration = config
            session.handler = handler
        }
    }

    private func configure(_ change: (inout Session) -> Void) {
        session.withValue { session in
            change(&session)
            let handler = session.handler
            hooks.setSession(
                configuration: session.configuration.map(Self.copies),
                events: handler.map(SessionEvents.init) ?? SessionEvents()
            )
        }
    }

    /// Returns a closure that returns a new copy of the configuration for each session, because a session would
    /// change the original.
    private static func copies(
        of configuration: URLSessionConfiguration
    ) -> @Sendable () -> URLSessionConfiguration {
        let kept = Lock(configuration.copy() as? URLSessionConfiguration ?? configuration)
        return { kept.withValue { $0.copy() as? URLSessionConfiguration ?? $0 } }
    }

    private struct Session {
        var configuration: URLSessionConfiguration?
        var handler: (any FRURLSessionHandlerProtocol)?
    }
}

extension Response {
    fileprivate init(_ outcome: HTTPTask.Outcome) {
        switch outcome {
        case .success(let (data, response)): self.init(data: data, response: response, error: nil)
        case .failure(let error): self.init(data: nil, response: nil, error: error)
        }
    }

    fileprivate var summary: String {
        (response as? HTTPURLResponse).map { "HTTP \($0.statusCode)" } ?? error?.localizedDescription ?? ""
    }
}
