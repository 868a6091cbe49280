import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Sending as the legacy API")
struct LegacySendingTests {
    private let request: PushRequest

    init() throws {
        request = try LoopbackServer(answer: nil).request()
    }

    @Test func theLegacyHeadersAndTimeOutAreAddedToARequest() async throws {
        let transport = FakeTransport()
        #expect(try await invoke(transport) == nil)
        let (sent, timeout) = try #require(transport.sent.first)
        #expect(timeout == 60)
        #expect(
            sent.headers == request.headers + [
                PushRequest.Header("Accept", "application/json"),
                PushRequest.Header("x-requested-platform", "ios"),
                PushRequest.Header("x-requested-with", "forgerock-sdk"),
            ]
        )
        #expect(sent.body == request.body)
    }

    @Test func anAcceptanceNeedsNoJSON() async throws {
        let transport = FakeTransport { _ in PushResponse(status: 200, body: Data("<html>".utf8)) }
        #expect(try await invoke(transport) == nil)
    }

    @Test func theErrorOfARejectionContainsTheBodyAndTheStatus() async throws {
        let transport = FakeTransport { _ in PushResponse(status: 400, body: Data("why".utf8)) }
        guard case NetworkError.apiRequestFailure(let body, let response, nil)? = try await invoke(transport)
        else {
            Issue.record("The rejection was not reported.")
            return
        }
        #expect(body == Data("why".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
        #expect(response?.url?.absoluteString == request.url)
    }

    @Test(arguments: [
        (PushTransportError.timedOut, URLError.Code.timedOut), (.offline, .notConnectedToInternet),
        (.connectionFailed, .cannotConnectToHost), (.tls, .secureConnectionFailed),
        (.hostNotFound, .cannotFindHost), (.failed(code: -1011), .badServerResponse),
    ])
    func aTransportFailureIsReportedAsItsURLError(_ error: PushTransportError, _ code: URLError.Code)
        async throws
    {
        let reported = try await invoke(FakeTransport { _ in throw error })
        #expect((reported as? URLError)?.code == code)
    }

    @Test(arguments: [
        URLError.Code.notConnectedToInternet, .cancelled, .serverCertificateUntrusted, .networkConnectionLost,
    ])
    func anErrorOfTheSystemIsReportedUnchanged(_ code: URLError.Code) async throws {
        let reported = try await invoke(FakeTransport { _ in throw URLError(code) })
        #expect((reported.map { $0 as NSError })?.domain == NSURLErrorDomain)
        #expect((reported.map { $0 as NSError })?.code == code.rawValue)
    }

    @Test func aRequestThatCannotBeSentIsAnInvalidRequest() async throws {
        let error = try await invoke(FakeTransport { _ in throw PushTransportError.invalidAddress })
        #expect((error as? NetworkError)?.code == 5_000_005)
    }

    @Test func theCallbackIsCalledOnceOnABackgroundQueue() async throws {
        let calls = Lock<[Bool]>([])
        try await waitForCall("the callback") { done in
            FakeTransport().invoke(OneRequest(request: request)) { _ in
                calls.withValue { $0.append(Thread.isMainThread) }
                done(())
            }
        }
        #expect(calls.withValue { $0 } == [false])
    }

    private func invoke(_ transport: FakeTransport) async throws -> (any Error)? {
        try await waitForCall("the callback") { done in
            transport.invoke(OneRequest(request: request)) { outcome in
                guard case .failure(let failure) = outcome else { return done(nil) }
                done(failure.networkError)
            }
        }
    }
}

/// An operation that consists of one request.
private struct OneRequest: PushOperation {
    let request: PushRequest

    func firstRequest() -> PushRequest { request }
}
