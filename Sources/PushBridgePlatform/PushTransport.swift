import Dispatch
public import Foundation
public import PushBridgeCore

/// Sends requests to the push service.
///
/// The app's interceptors have already processed the requests.
public protocol PushTransport: Sendable {
    /// Sends a request once and returns the server's response.
    ///
    /// The transport stores no cookie and, by default, follows no redirect.
    ///
    /// - Parameters:
    ///   - request: The request, as the app's interceptors changed it.
    ///   - timeout: The time for the request and the response together, in seconds.
    /// - Returns: The server's response with any status.
    /// - Throws: `URLError` or ``PushTransportError`` if no response arrives, and `CancellationError` if the task was
    ///   cancelled.
    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse
}

/// The reason why a request could not be sent, or got no usable response.
public enum PushTransportError: Error, Equatable, Sendable {
    /// The address is not a valid URL of a server.
    case invalidAddress
    /// An interceptor made the request invalid, so it cannot be sent.
    case invalidRequest
    /// The host's name could not be resolved.
    case hostNotFound
    /// The server accepts no connections, or the connection was lost.
    case connectionFailed
    /// No secure connection could be established.
    case tls
    /// The response is larger than 1 MB.
    case answerTooLarge
    /// No response arrived in time.
    case timedOut
    /// The device has no network.
    case offline
    /// Any other error, with the system's code.
    case failed(code: Int)
}

extension PushTransportError {
    package var reason: String {
        switch self {
        case .invalidAddress: "The server could not be reached: its address is invalid."
        case .invalidRequest:
            "The request was not sent: an interceptor made it invalid."
        case .hostNotFound: "The server could not be reached: its name could not be resolved."
        case .connectionFailed: "The server could not be reached."
        case .tls: "The server could not be reached: no secure connection could be made."
        case .answerTooLarge: "The server failed: its response is larger than 1 MB."
        case .timedOut: "The server could not be reached: it did not respond in time."
        case .offline: "The server could not be reached: the device has no network."
        case .failed(let code): "The server could not be reached: the request failed with the code \(code)."
        }
    }
}

extension PushTransport {
    /// Sends a request through any transport, after the app's interceptors have changed it.
    ///
    /// - Throws: The errors of an interceptor and of ``send(_:timeout:)``.
    package func deliver(
        _ request: PushRequest,
        timeout: TimeInterval,
        hooks: NetworkHooks = .shared
    ) async throws -> PushResponse {
        var (request, timeout) = (request, timeout)
        try hooks.adapt(&request, timeout: &timeout)
        return try await send(request, timeout: timeout)
    }

    /// Sends a request like ``deliver(_:timeout:hooks:)`` and calls `completion` once, on a background queue.
    ///
    /// `completion` may block this queue. It is not `@Sendable`, because the callers' existing closures are not.
    package func deliver(
        _ request: PushRequest,
        timeout: TimeInterval,
        hooks: NetworkHooks = .shared,
        completion: @escaping (Result<PushResponse, any Error>) -> Void
    ) {
        let held = Lock(completion)
        let group = (self as? any CallbackTransport)?.callbacks
        let report = { @Sendable (outcome: Result<PushResponse, any Error>) in
            DispatchQueue.global().async(group: group) { held.withValue { $0 }(outcome) }
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
