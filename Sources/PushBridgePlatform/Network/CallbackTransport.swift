package import Foundation
package import PushBridgeCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that needs no task, for callers that block the threads on which tasks run.
package protocol CallbackTransport: PushTransport {
    /// Sends a request once and calls `completion` once, on a queue that it must not block.
    func send(
        _ request: PushRequest,
        timeout: TimeInterval,
        completion: @escaping @Sendable (Result<PushResponse, any Error>) -> Void
    )
}

extension URLSessionTransport: CallbackTransport {
    package func send(
        _ request: PushRequest,
        timeout: TimeInterval,
        completion: @escaping @Sendable (Result<PushResponse, any Error>) -> Void
    ) {
        do {
            let call = try Self.call(request, timeout: timeout)
            hooks.exchange(call, timeout: timeout) { completion($0.pushResponse) }
        } catch {
            completion(.failure(error))
        }
    }
}

extension Exchange.Outcome {
    fileprivate var pushResponse: Result<PushResponse, any Error> {
        map { PushResponse(status: $1.statusCode, body: $0) }
            .mapError { ($0 as? URLError).map(PushTransportError.init) ?? $0 }
    }
}
