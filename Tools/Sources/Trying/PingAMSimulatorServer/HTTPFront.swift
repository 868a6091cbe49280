package import FlyingFox
import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore

/// Passes HTTP requests to the owner's endpoints or to the simulator, and returns their responses.
///
/// Rejects requests that name another host, and requests from other sites' web pages.
struct HTTPFront: Sendable {
    /// The maximum size of a body in bytes.
    ///
    /// Requests to a push service are much smaller.
    static let largestBody = 1 << 20

    let simulator: Simulator
    let control: ControlEndpoints?
    /// The names that a request's `Host` may contain besides the host of the service's base URL.
    var hosts: Set<String> = ["127.0.0.1", "localhost"]

    func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
        let base = URLComponents(string: simulator.base)?.percentEncodedHost
        guard request.isAddressed(to: hosts.union(base.map { [$0] } ?? [])) else {
            return HTTPResponse(
                .init(
                    status: 403,
                    refusal: "The request does not name this server, or comes from another site's page."
                )
            )
        }
        guard let body = try await request.body(upTo: Self.largestBody) else {
            return .refusalOfABody
        }
        let request = SimulatedRequest(request, body: body)
        if let control, let path = control.path(of: request) {
            return HTTPResponse(await control.response(to: request, path: path))
        }
        let response = try await simulator.respond(to: request)
        return response.map(HTTPResponse.init) ?? HTTPResponse(webSocket: DroppedConnection())
    }
}

/// Closes a connection without a response.
///
/// The handler always fails to switch to the WebSocket protocol. After such a failure, the HTTP library sends
/// nothing and closes the connection.
private struct DroppedConnection: WSHandler {
    struct Dropped: Error {}

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame>
    {
        throw Dropped()
    }
}

/// Ends a connection after the head of the response has been sent.
///
/// If the connection stayed open, the HTTP library would parse the rest of the request's body as the next
/// request.
private struct EndedConnection: WSHandler {
    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame>
    {
        AsyncStream { $0.finish() }
    }
}

extension HTTPResponse {
    /// The response that rejects an oversized body, and ends the connection.
    package static var refusalOfABody: HTTPResponse {
        var response = HTTPResponse(
            headers: HTTPHeaders([.connection: "close", .contentLength: "0"]),
            webSocket: EndedConnection()
        )
        response.statusCode = .init(413, phrase: SimulatedResponse.phrase(of: 413))
        return response
    }
}

extension SimulatedRequest {
    fileprivate init(_ request: HTTPRequest, body: Data) {
        self.init(
            request.method.rawValue,
            path: request.target.path(percentEncoded: false),
            query: Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first },
            headers: Dictionary(request.headers.map { ($0.key.rawValue, $0.value) }) { first, _ in first },
            body: body,
            target: request.target.rawValue
        )
    }
}

extension HTTPResponse {
    /// Creates a response whose connection is not reused.
    ///
    /// If a reused connection were closed, clients would repeat the request automatically, and the journal would
    /// contain an additional request.
    fileprivate init(_ response: SimulatedResponse) {
        var headers = HTTPHeaders([.connection: "close"])
        for (name, value) in response.headers { headers[HTTPHeader(name)] = value }
        self.init(
            statusCode: HTTPStatusCode(
                response.status,
                phrase: SimulatedResponse.phrase(of: response.status)
            ),
            headers: headers,
            body: response.body
        )
    }
}
