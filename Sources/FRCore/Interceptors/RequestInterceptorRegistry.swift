public import Foundation
import PushBridgeCore
package import PushBridgePlatform

/// The interceptors that see the push requests of both APIs and what ``RestClient`` sends with an action.
public final class RequestInterceptorRegistry: NSObject, Sendable {
    /// The registry of this process.
    public static let shared = RequestInterceptorRegistry(hooks: .shared)

    private let interceptors = Lock<[any RequestInterceptor]>([])
    private let hooks: NetworkHooks

    package init(hooks: NetworkHooks) {
        self.hooks = hooks
    }

    /// Registers interceptors, which are called in the order of their registration; `nil` removes all.
    ///
    /// They replace those registered before, or follow them if `shouldOverride` is `false`.
    public func registerInterceptors(interceptors: [any RequestInterceptor]?, shouldOverride: Bool = true) {
        self.interceptors.withValue { registered in
            if shouldOverride || interceptors == nil { registered = [] }
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
    /// What interceptors, one after the other, make of the request.
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
        let changed = original.passed(interceptors, for: FRCore.Action(action))
        try adopt(changed, insteadOf: original)
        timeout = changed.timeoutInterval
    }
}
