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
    /// Thread-safe, but not `Sendable`; see ``RequestInterceptorRegistry``.
    private nonisolated(unsafe) let registry: RequestInterceptorRegistry
    private let session = Lock(Session())

    package init(hooks: NetworkHooks, registry: RequestInterceptorRegistry) {
        self.hooks = hooks
        self.registry = registry
    }

    /// Sends a request and follows no redirect.
    /// - Parameters:
    ///   - request: The request.
    ///   - action: The action of the request, for interceptors, which can change the request; `nil` calls no
    ///     interceptor.
    ///   - completion: Called once, on a background queue. If the request cannot be sent, called with
    ///     ``NetworkError/invalidRequest(_:)`` before this method returns.
    public func invoke(request: Request, action: Action? = nil, completion: @escaping ResultCallback) {
        let held = Lock(completion)
        send(request, action) { result in
            CallbackThread.run { held.withValue { $0 }(result()) }
        }
    }

    /// Sends a request; `completion` receives a closure that returns the result, because results are not `Sendable`.
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

    /// Sends a request like ``invoke(request:action:completion:)``, and blocks until it ends; do not call it on the
    /// main thread.
    /// - Parameters:
    ///   - request: The request.
    ///   - action: The action of the request, for interceptors; `nil` calls no interceptor.
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

    /// Sends the later requests of both APIs with a configuration; does not change the handler.
    ///
    /// Requests under way end as they began. Cookie jar, cache and stored credentials are off in any case.
    /// - Parameter config: The configuration, which is copied.
    public func setURLSessionConfiguration(config: URLSessionConfiguration) {
        configure { $0.configuration = config }
    }

    /// Sends the later requests of both APIs with a configuration and a handler.
    ///
    /// Requests under way end as they began. Cookie jar, cache and stored credentials are off in any case.
    /// - Parameters:
    ///   - config: The configuration, which is copied; `nil` means the default.
    ///   - handler: Handles challenges and redirects; `nil` means the default.
    public func setURLSessionConfiguration(config: URLSessionConfiguration?, handler: FRURLSessionHandler?) {
        set(config, handler)
    }

    /// Sends the later requests of both APIs with a configuration and a handler that is no ``FRURLSessionHandler``.
    /// - Parameters:
    ///   - config: The configuration, which is copied; `nil` means the default.
    ///   - handler: Handles challenges and redirects; `nil` means the default.
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

    /// Copies the configuration, because a session would change it.
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
