package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

extension NetworkHooks {
    /// Sends a request once; `timeout` is for the whole exchange, in seconds.
    ///
    /// Ends with `URLError` if no answer came.
    package func exchange(
        _ request: URLRequest,
        timeout: TimeInterval,
        completion: @escaping Exchange.Completion
    ) {
        Exchange(through: session()).start(request, timeout: timeout, completion)
    }

    /// Sends a request once and returns what the server answered; `timeout` is for the whole exchange, in seconds.
    ///
    /// Throws `URLError` if no answer came, and `CancellationError` if the task was cancelled.
    func exchange(_ request: URLRequest, timeout: TimeInterval) async throws -> (Data, HTTPURLResponse) {
        let exchange = Exchange(through: session())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.start(request, timeout: timeout) { continuation.resume(with: $0) }
            }
        } onCancel: {
            exchange.cancel()
        }
    }
}
