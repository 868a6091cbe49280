import Dispatch
package import Foundation
package import PushBridgeCore

extension PushTransport {
    /// Sends a request as the app's interceptors changed it, whatever the transport; throws as `send` does.
    package func deliver(
        _ request: PushRequest,
        timeout: TimeInterval,
        hooks: NetworkHooks = .shared
    ) async throws -> PushResponse {
        var (request, timeout) = (request, timeout)
        try hooks.adapt(&request, timeout: &timeout)
        return try await send(request, timeout: timeout)
    }

    /// Sends like ``deliver(_:timeout:hooks:)`` and calls `completion` once, on a background queue that it may block.
    ///
    /// The callback is not `@Sendable`, as no existing closure is: it is handed over to that queue, as it always was.
    package func deliver(
        _ request: PushRequest,
        timeout: TimeInterval,
        hooks: NetworkHooks = .shared,
        completion: @escaping (Result<PushResponse, any Error>) -> Void
    ) {
        let held = Lock(completion)
        let report = { @Sendable (outcome: Result<PushResponse, any Error>) in
            DispatchQueue.global().async { held.withValue { $0 }(outcome) }
        }
        var (request, timeout) = (request, timeout)
        do {
            try hooks.adapt(&request, timeout: &timeout)
        } catch {
            return report(.failure(error))
        }
        send(request, timeout: timeout, reportingTo: report)
    }

    private func send(
        _ request: PushRequest,
        timeout: TimeInterval,
        reportingTo report: @escaping @Sendable (Result<PushResponse, any Error>) -> Void
    ) {
        if let transport = self as? any CallbackTransport {
            return transport.send(request, timeout: timeout, completion: report)
        }
        Task.detached {
            do {
                report(.success(try await send(request, timeout: timeout)))
            } catch {
                report(.failure(error))
            }
        }
    }
}
