import Foundation
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a comparison needs of the outside: answers, time, and somebody to tell what it does.
struct Surroundings: Sendable {
    /// Sends a request once.
    var send: @Sendable (URLRequest) async throws -> Answer
    /// How much time has passed since the beginning.
    var elapsed: @Sendable () -> Duration
    /// Lets time pass.
    var pause: @Sendable (Duration) async throws -> Void
    /// Says what is being done.
    var tell: @Sendable (String) async -> Void

    /// Requests over HTTP.
    init(tell: @escaping @Sendable (String) async -> Void) {
        send = { request in
            // Follows no redirect: a session must not leave the server that it is of.
            let (data, response) = try await URLSessionTransport().exchange(request, timeout: 30)
            return Answer(status: response.statusCode, body: data)
        }
        let start = ContinuousClock.now
        elapsed = { ContinuousClock.now - start }
        pause = { try await Task.sleep(for: $0) }
        self.tell = tell
    }
}

/// One request, with the headers that a client sends unless they are taken away.
struct Question {
    var method = "POST"
    let address: String
    var body: JSONValue?
    var version: String? = "1.0"
    var content = "application/json"
    var cookie: String?

    /// Posts a body.
    init(_ address: String, _ body: JSONValue) {
        self.address = address
        self.body = body
    }

    /// Asks without a body.
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

extension Surroundings {
    func ask(_ question: Question) async throws -> Answer { try await send(try question.request) }
}
