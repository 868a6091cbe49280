public import Foundation
public import PushBridgeCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests through a `URLSession` that has no cookie storage, cache or credential storage and, by default,
/// follows no redirect.
///
/// An app may configure that session, and decide about challenges and redirects, for all requests of the process: see
/// `RestClient` in FRCore.
public final class URLSessionTransport: PushTransport {
    let hooks: NetworkHooks

    /// Creates a transport that uses the session of the process.
    public init() {
        hooks = .shared
    }

    package init(hooks: NetworkHooks) {
        self.hooks = hooks
    }

    /// Sends a request once.
    ///
    /// - Parameters:
    ///   - request: The request, as the app's interceptors changed it.
    ///   - timeout: The time for the request and the response together, in seconds.
    /// - Returns: The server's response with any status.
    /// - Throws: `URLError` if no response arrives, `CancellationError` if the task was cancelled, and
    ///   ``PushTransportError`` for an invalid address.
    public func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        let call = try Self.call(request, timeout: timeout)
        let (body, response) = try await hooks.send(call, timeout: timeout)
        return PushResponse(status: response.statusCode, body: body)
    }

    /// Sends any request once, without cookies or redirects, for this repository's tools; accepts a response
    /// of at most 1 MB.
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: The time for the request and the response together, in seconds.
    /// - Returns: The response's body and head.
    /// - Throws: `URLError` if no response arrives.
    @_spi(PushBridgeTools) public func exchange(
        _ request: URLRequest,
        timeout: TimeInterval
    ) async throws -> (Data, HTTPURLResponse) {
        try await hooks.send(request, timeout: timeout)
    }

    static func call(_ request: PushRequest, timeout: TimeInterval) throws -> URLRequest {
        guard let url = URL(string: request.url), url.host?.isEmpty == false else {
            throw PushTransportError.invalidAddress
        }
        var call = URLRequest(url: url, timeoutInterval: timeout)
        call.httpMethod = request.method
        if request.method != "GET" { call.httpBody = request.body }
        call.httpShouldHandleCookies = false
        for header in request.headers { call.setValue(header.value, forHTTPHeaderField: header.name) }
        return call
    }
}

/// A transport that sends without a task, for callers that block the threads of Swift's tasks.
package protocol CallbackTransport: PushTransport {
    /// The group that contains each callback until it returns; `nil` in apps.
    ///
    /// In a simulation of a phone, tests wait for the callbacks of this group.
    var callbacks: DispatchGroup? { get }

    /// Sends a request once and calls `completion` once, on a queue that `completion` must not block.
    func send(
        _ request: PushRequest,
        timeout: TimeInterval,
        completion: @escaping @Sendable (Result<PushResponse, any Error>) -> Void
    )
}

extension CallbackTransport {
    package var callbacks: DispatchGroup? { nil }
}

extension URLSessionTransport: CallbackTransport {
    package func send(
        _ request: PushRequest,
        timeout: TimeInterval,
        completion: @escaping @Sendable (Result<PushResponse, any Error>) -> Void
    ) {
        do {
            let call = try Self.call(request, timeout: timeout)
            hooks.send(call, timeout: timeout) { completion($0.pushResponse) }
        } catch {
            completion(.failure(error))
        }
    }
}

extension HTTPTask.Outcome {
    fileprivate var pushResponse: Result<PushResponse, any Error> {
        map { PushResponse(status: $1.statusCode, body: $0) }
    }
}

extension PushTransportError {
    /// Converts a `PushTransportError` or a `URLError`; `nil` for an error of any other type.
    package init?(_ error: any Error) {
        switch error {
        case let error as PushTransportError: self = error
        case let error as URLError: self.init(error)
        default: return nil
        }
    }

    /// Converts an error of `URLSession`.
    /// - Parameter error: The error.
    public init(_ error: URLError) {
        switch error.code {
        case .badURL, .unsupportedURL: self = .invalidAddress
        case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
        case .cannotConnectToHost, .networkConnectionLost: self = .connectionFailed
        case .timedOut: self = .timedOut
        case .dataLengthExceedsMaximum: self = .answerTooLarge
        case .notConnectedToInternet: self = .offline
        // A request is cancelled if a handler that pins certificates rejects the server.
        case .cancelled, .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .tls
        // Foundation on Linux has no code for the errors of OpenSSL, so these errors are recognised by their text.
        case .unknown where error.localizedDescription.contains("SSL"): self = .tls
        default: self = .failed(code: error.errorCode)
        }
    }

    /// This error as a `URLError`, for callers that handle `URLError`.
    package var urlError: URLError {
        switch self {
        case .invalidAddress, .invalidRequest: URLError(.badURL)
        case .hostNotFound: URLError(.cannotFindHost)
        case .connectionFailed: URLError(.cannotConnectToHost)
        case .tls: URLError(.secureConnectionFailed)
        case .answerTooLarge: URLError(.dataLengthExceedsMaximum)
        case .timedOut: URLError(.timedOut)
        case .offline: URLError(.notConnectedToInternet)
        case .failed(let code): URLError(Self.code(code) ?? .unknown)
        }
    }

    /// Returns the error code with the given number.
    ///
    /// The result is optional, because on some platforms the initialiser fails for unknown codes.
    private static func code(_ number: Int) -> URLError.Code? { URLError.Code(rawValue: number) }
}
