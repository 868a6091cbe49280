import Dispatch
public import Foundation
public import PushBridgeCore

/// Carries requests to the push service.
///
/// The requests have passed the app's interceptors already.
public protocol PushTransport: Sendable {
    /// Sends a request once and returns the server's answer.
    ///
    /// Follows no redirect and keeps no cookie.
    ///
    /// - Parameters:
    ///   - request: The request, as the app's interceptors changed it.
    ///   - timeout: Seconds for request and answer together.
    /// - Returns: The server's answer of any status.
    /// - Throws: `URLError` or ``PushTransportError`` if no answer came, and `CancellationError` if the task was cancelled.
    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse
}

/// Why a request got no answer.
public enum PushTransportError: Error, Equatable, Sendable {
    /// The address cannot be called.
    case invalidAddress
    /// An interceptor made a request of it that cannot be sent.
    case invalidRequest
    /// The host's name could not be resolved.
    case hostNotFound
    /// Nothing accepts connections there, or the connection broke.
    case connectionFailed
    /// The secure connection could not be made.
    case tls
    /// The answer is larger than 1 MB.
    case answerTooLarge
    /// There was no answer in time.
    case timedOut
    /// The device has no network.
    case offline
    /// Anything else, with the system's code.
    case failed(code: Int)
}

extension PushTransportError {
    package var reason: String {
        switch self {
        case .invalidAddress: "The server could not be reached: its address is invalid."
        case .invalidRequest:
            "The server was not asked: an interceptor made the request one that cannot be sent."
        case .hostNotFound: "The server could not be reached: its name could not be resolved."
        case .connectionFailed: "The server could not be reached."
        case .tls: "The server could not be reached: no secure connection could be made."
        case .answerTooLarge: "The server failed: its answer is larger than 1 MB."
        case .timedOut: "The server could not be reached: it did not answer in time."
        case .offline: "The server could not be reached: the device has no network."
        case .failed(let code): "The server could not be reached: the request failed with the code \(code)."
        }
    }
}

extension PushTransport {
    /// Sends a request as the app's interceptors changed it, through any transport.
    ///
    /// - Throws: An interceptor's error, or as ``send(_:timeout:)`` does.
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
    /// The callback is not `@Sendable`, because existing closures are not: it is passed to that queue as before.
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
