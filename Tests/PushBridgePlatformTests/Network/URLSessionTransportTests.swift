import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Transport")
struct URLSessionTransportTests {
    private let transport = URLSessionTransport(hooks: NetworkHooks())

    @Test func theTransportSendsTheRequestAndReturnsTheResponse() async throws {
        let body = #"{"code":400,"message":"Too late"}"#
        let server = try LoopbackServer(
            answer: "HTTP/1.1 400 Bad Request\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let response = try await transport.send(request(port: server.port), timeout: 5)
        #expect(response == PushResponse(status: 400, body: Data(body.utf8)))
        let sent = try #require(server.requests.first).lowercased()
        #expect(sent.hasPrefix("post /json/push/sns/message?_action=register http/1.1\r\n"))
        #expect(sent.contains("\r\ncookie: amlbcookie=01\r\n"))
        #expect(sent.contains("\r\naccept-api-version: resource=1.0, protocol=1.0\r\n"))
        #expect(sent.contains("\r\ncontent-type: application/json\r\n"))
    }

    @Test func theServersCookieIsNotKept() async throws {
        let server = try LoopbackServer(
            answer: "HTTP/1.1 200 OK\r\nSet-Cookie: amlbcookie=02; Path=/\r\nContent-Length: 2\r\n\r\n{}"
        )
        for _ in 0..<2 { _ = try await transport.send(request(port: server.port), timeout: 5) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.contains("amlbcookie=01\r\n") && !$0.contains("=02") })
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let target = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let location = "http://127.0.0.1:\(target.port)/"
        let server = try LoopbackServer(
            answer: "HTTP/1.1 307 Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        )
        let response = try await transport.send(request(port: server.port), timeout: 5)
        #expect(response.status == 307)
        #expect(target.requests.isEmpty)
    }

    @Test func aServerThatDoesNotRespondCausesATimeOut() async throws {
        let server = try LoopbackServer(answer: nil)
        let request = try request(port: server.port)
        #expect(await failure { try await transport.send(request, timeout: 1) } == .timedOut)
    }

    /// A response of more than a megabyte is rejected, because a server that never stops sending must not fill the
    /// memory.
    @Test func anAnswerOfMoreThanAMegabyteIsNotTaken() async throws {
        let most = String(repeating: " ", count: HTTPTask.largestAnswer)
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer(answers: [head + most, head + most + " "])
        let request = try request(port: server.port)
        #expect(try await transport.send(request, timeout: 20).body.count == most.utf8.count)
        #expect(await failure { try await transport.send(request, timeout: 20) } == .answerTooLarge)
    }

    @Test func cancellingEndsTheRequest() async throws {
        let server = try LoopbackServer(answer: nil)
        let request = try request(port: server.port)
        let transport = transport
        let sending = Task { try await transport.send(request, timeout: 60) }
        try await waitFor("the request to arrive") { !server.requests.isEmpty }
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
    }

    @Test func aRefusedConnectionThrowsConnectionFailed() async throws {
        let request = try request(port: 1)
        #expect(await failure { try await transport.send(request, timeout: 5) } == .connectionFailed)
    }

    @Test func anHTTPSRequestToAnHTTPServerThrowsATLSError() async throws {
        let server = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\n\r\n")
        let request = try request(port: server.port, scheme: "https")
        #expect(await failure { try await transport.send(request, timeout: 5) } == .tls)
    }

    private func request(port: UInt16, scheme: String = "http") throws -> PushRequest {
        let service = "\(scheme)://127.0.0.1:\(port)/json/push/sns/message"
        let registration = try PushRegistration.sample(service: service)
        let device = DeviceDescription(deviceId: "00ff", deviceName: "Phone")
        return registration.request(mechanismUid: "id", device: device)
    }

    /// Returns the transport error with which a request fails; `nil` if the request succeeds or fails with another
    /// error.
    private func failure(_ send: () async throws -> PushResponse) async -> PushTransportError? {
        do {
            _ = try await send()
            return nil
        } catch {
            return PushTransportError(error)
        }
    }
}
