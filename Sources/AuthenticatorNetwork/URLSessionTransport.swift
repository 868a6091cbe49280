public import AuthenticatorCore
public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends through a `URLSession` that keeps no cookie, no cache and no credential, and follows no redirect.
public final class URLSessionTransport: PushTransport {
    private let session: URLSession

    /// Makes the session.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: Staying(), delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request once; `timeout` is for the whole exchange.
    public func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        let call = try Self.call(request, timeout: timeout)
        let session = session
        // A `Duration` of more seconds than it can hold would trap.
        let limit = timeout < 86_400 ? max(0, timeout) : 86_400
        return try await withThrowingTaskGroup(of: PushResponse.self) { group in
            group.addTask { try await Self.send(call, through: session) }
            // Foundation on Linux heeds the session's time-out only, and elsewhere one of a pause, not of the whole.
            group.addTask {
                try await Task.sleep(for: .seconds(limit))
                throw PushTransportError.timedOut
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    private static func call(_ request: PushRequest, timeout: TimeInterval) throws -> URLRequest {
        guard let url = URL(string: request.url), url.host?.isEmpty == false else {
            throw PushTransportError.invalidAddress
        }
        var call = URLRequest(url: url, timeoutInterval: timeout)
        call.httpMethod = "POST"
        call.httpBody = request.body
        call.httpShouldHandleCookies = false
        for header in request.headers { call.setValue(header.value, forHTTPHeaderField: header.name) }
        return call
    }

    private static func send(_ call: URLRequest, through session: URLSession) async throws -> PushResponse {
        do {
            let (body, response) = try await session.data(for: call)
            guard let response = response as? HTTPURLResponse else {
                throw PushTransportError.failed(code: URLError.badServerResponse.rawValue)
            }
            return PushResponse(status: response.statusCode, body: body)
        } catch let error as URLError {
            if error.code == .cancelled { throw CancellationError() }
            throw PushTransportError(error)
        }
    }
}

/// Stays where it was sent, whatever the server says.
private final class Staying: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension PushTransportError {
    fileprivate init(_ error: URLError) {
        switch error.code {
        case .badURL, .unsupportedURL: self = .invalidAddress
        case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
        case .cannotConnectToHost, .networkConnectionLost: self = .connectionFailed
        case .timedOut: self = .timedOut
        case .notConnectedToInternet: self = .offline
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .tls
        // Foundation on Linux has no code of its own for what OpenSSL reports.
        case .unknown where error.localizedDescription.contains("SSL"): self = .tls
        default: self = .failed(code: error.errorCode)
        }
    }
}
