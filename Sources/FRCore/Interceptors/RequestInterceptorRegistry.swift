import AuthenticatorCore
public import Foundation

/// The interceptors that see the push requests of both APIs and what ``RestClient`` sends with an action.
public final class RequestInterceptorRegistry: NSObject, Sendable {
    /// The registry of this process.
    public static let shared = RequestInterceptorRegistry()

    private let interceptors = Lock<[any RequestInterceptor]>([])

    override private init() {}

    /// Registers interceptors, which are called in the order of their registration; `nil` removes all.
    ///
    /// They replace those registered before, or follow them if `shouldOverride` is `false`.
    public func registerInterceptors(interceptors: [any RequestInterceptor]?, shouldOverride: Bool = true) {
        self.interceptors.withValue { registered in
            if shouldOverride || interceptors == nil { registered = [] }
            registered += interceptors ?? []
        }
    }

    func intercept(_ request: Request, _ action: Action) -> Request {
        let interceptors = interceptors.withValue { $0 }
        return interceptors.reduce(request) { $1.intercept(request: $0, action: action) }
    }
}
