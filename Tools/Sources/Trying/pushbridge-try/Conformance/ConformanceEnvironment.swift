import Foundation
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The functions with which a comparison sends requests, waits, and reports its progress.
struct ConformanceEnvironment: Sendable {
    /// Sends a request once.
    var send: @Sendable (URLRequest) async throws -> Answer
    /// Returns the time that has passed since the start.
    var elapsed: @Sendable () -> Duration
    /// Waits for a duration.
    var pause: @Sendable (Duration) async throws -> Void
    /// Reports the current action to the user.
    var report: @Sendable (String) async -> Void

    /// Creates an environment that sends requests over HTTP.
    init(report: @escaping @Sendable (String) async -> Void) {
        send = { request in
            // Redirects are not followed, because a session must not be sent to other servers.
            let (data, response) = try await URLSessionTransport().exchange(request, timeout: 30)
            return Answer(status: response.statusCode, body: data)
        }
        let start = ContinuousClock.now
        elapsed = { ContinuousClock.now - start }
        pause = { try await Task.sleep(for: $0) }
        self.report = report
    }
}

/// One request.
///
/// The request has the headers that clients send, unless a test removes or changes some of them.
struct Question {
    var method = "POST"
    let address: String
    var body: JSONValue?
    var version: String? = "1.0"
    var content = "application/json"
    var cookie: String?

    /// Creates a POST request with a body.
    init(_ address: String, _ body: JSONValue) {
        self.address = address
        self.body = body
    }

    /// Creates a request without a body.
    init(_ method: String, _ address: String, cookie: String? = nil) {
        self.method = method
        self.address = address
        self.cookie = cookie
    }

    fileprivate var request: URLRequest {
        get throws {
            guard let url = URL(string: address) else { throw URLError(.badURL) }
            var request = URLRequest(url: url)
            request.httpMethod = method
            request.httpBody = body?.data
            request.httpShouldHandleCookies = false
            request.setValue(content, forHTTPHeaderField: "Content-Type")
            if let version {
                request.setValue(
                    "resource=\(version), protocol=1.0",
                    forHTTPHeaderField: "Accept-API-Version"
                )
            }
            if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
            return request
        }
    }
}

extension ConformanceEnvironment {
    func ask(_ question: Question) async throws -> Answer { try await send(try question.request) }
}
