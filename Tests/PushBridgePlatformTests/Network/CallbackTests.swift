import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Sending with a callback")
struct CallbackTests {
    private let hooks = NetworkHooks()

    @Test func theCallbackReceivesTheServersResponse() async throws {
        let server = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let outcomes = try await outcomes(of: request(port: server.port), timeout: 5)
        #expect(outcomes == [.success(PushResponse(status: 200, body: Data("{}".utf8)))])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        (PushTransportError.invalidAddress, "nonsense" as String?, 5.0),
        (.connectionFailed, "http://127.0.0.1:1/", 5.0), (.timedOut, nil, 0.2),
    ])
    func aFailureIsReportedOnce(
        _ error: PushTransportError,
        _ url: String?,
        _ timeout: TimeInterval
    ) async throws {
        let silent = try LoopbackServer(answer: nil)
        var request = try request(port: silent.port)
        request.url = url ?? request.url
        #expect(try await outcomes(of: request, timeout: timeout) == [.failure(error)])
    }

    @Test func aRequestThatAnAdapterRejectsIsNotSent() async throws {
        let server = try LoopbackServer(answer: nil)
        hooks.setAdapter { _, _ in throw PushTransportError.invalidRequest }
        let outcomes = try await outcomes(of: request(port: server.port), timeout: 5)
        #expect(outcomes == [.failure(.invalidRequest)])
        #expect(server.requests.isEmpty)
    }

    @Test func anAdapterChangesTheTimeOut() async throws {
        let server = try LoopbackServer(answer: nil)
        hooks.setAdapter { _, timeout in timeout = 0.1 }
        #expect(try await outcomes(of: request(port: server.port), timeout: 600) == [.failure(.timedOut)])
    }

    @Test func aBlockingCallbackDoesNotDelayOtherCallbacks() async throws {
        let server = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let (request, hooks) = (try request(port: server.port), hooks)
        let transport = URLSessionTransport(hooks: hooks)
        let inner: Result<Void, any Error> = try await waitForCall("the outer callback") { report in
            transport.deliver(request, timeout: 5, hooks: hooks) { _ in
                let inner = DispatchSemaphore(value: 0)
                transport.deliver(request, timeout: 5, hooks: hooks) { _ in inner.signal() }
                report(Result { try inner.wait(for: "the inner callback") })
            }
        }
        try inner.get()
        #expect(server.requests.count == 2)
    }

    /// Returns every outcome that was reported before a later request over the same session ended.
    private func outcomes(
        of request: PushRequest,
        timeout: TimeInterval
    ) async throws -> [Result<PushResponse, PushTransportError>] {
        let reported = Lock<[Result<PushResponse, PushTransportError>]>([])
        let transport = URLSessionTransport(hooks: hooks)
        transport.deliver(request, timeout: timeout, hooks: hooks) { outcome in
            let failure = { (error: any Error) in PushTransportError(error) ?? .failed(code: 0) }
            reported.withValue { $0.append(outcome.mapError(failure)) }
        }
        try await waitFor("the callback") { reported.withValue { !$0.isEmpty } }
        let other = try LoopbackServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        _ = try await transport.send(self.request(port: other.port), timeout: 5)
        return reported.withValue { $0 }
    }

    private func request(port: UInt16) throws -> PushRequest {
        let service = "http://127.0.0.1:\(port)/json/push/sns/message"
        let registration = try PushRegistration.sample(service: service)
        return registration.request(
            mechanismUid: "id",
            device: DeviceDescription(deviceId: "00ff", deviceName: "Phone")
        )
    }
}
