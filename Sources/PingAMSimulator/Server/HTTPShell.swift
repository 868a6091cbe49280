import FlyingFox
import Foundation
import PushBridgeCore
import PushBridgePlatform

/// Turns HTTP into values and back; decides nothing.
struct HTTPShell: Sendable {
    let state: Lock<SimulatedService>
    let now: @Sendable () -> Date
    let deliver: SimulatorServer.Delivery
    let gate = ResponseGate()

    func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
        let request = try await SimulatedRequest(request)
        let reply = delivered(state.withValue { $0.handle(request, at: now()) })
        if reply.delay > .zero { try await Task.sleep(for: reply.delay) }
        await gate.pass()
        return reply.response.map(HTTPResponse.init) ?? HTTPResponse(webSocket: DroppedConnection())
    }

    private func delivered(_ reply: SimulatedReply) -> SimulatedReply {
        guard let delivery = reply.delivery else { return reply }
        do {
            try deliver(delivery)
            return reply
        } catch {
            return SimulatedReply(Refusal.internalError("The push was not delivered: \(error)").response)
        }
    }
}

/// Closes a connection without a response: the HTTP library sends nothing for a switch of protocols that fails.
private struct DroppedConnection: WSHandler {
    struct Dropped: Error {}

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame>
    {
        throw Dropped()
    }
}

extension SimulatedRequest {
    fileprivate init(_ request: HTTPRequest) async throws {
        self.init(
            request.method.rawValue,
            path: request.target.path(percentEncoded: false),
            query: Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first },
            headers: Dictionary(request.headers.map { ($0.key.rawValue, $0.value) }) { first, _ in first },
            body: try await request.bodyData,
            target: request.target.rawValue
        )
    }
}

extension HTTPResponse {
    /// A response on a connection that is not used again: a client repeats a request by itself if a connection
    /// it uses again is dropped, and the journal would show one request too many.
    fileprivate init(_ response: SimulatedResponse) {
        var headers = HTTPHeaders([.connection: "close"])
        for (name, value) in response.headers { headers[HTTPHeader(name)] = value }
        self.init(
            statusCode: HTTPStatusCode(response.status, phrase: Self.phrase(response.status)),
            headers: headers,
            body: response.body
        )
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 404: "Not Found"
        default: "Internal Server Error"
        }
    }
}
