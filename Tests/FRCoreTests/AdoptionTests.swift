import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// Push requests as an app's own transport receives them.
///
/// The requests contain the changes that interceptors made.
@Suite("Intercepted push requests")
struct AdoptionTests {
    private let hooks = NetworkHooks()
    private let request: PushRequest

    init() throws {
        request = try LoopbackServer(answer: nil).request()
    }

    @Test func anUnchangedRequestKeepsItsBytes() async throws {
        let (sent, timeout) = try await deliver { $0 }
        #expect(sent == request)
        #expect(timeout == 15)
    }

    @Test func anInterceptorCanChangeEachPartOfARequest() async throws {
        let (sent, timeout) = try await deliver { original in
            var body = original.bodyParams
            body["tenant"] = "blue"
            return Request(
                url: "https://gateway.example.com/?a=%2F",
                method: .PUT,
                headers: ["X": "1"],
                bodyParams: body,
                timeoutInterval: 5
            )
        }
        #expect(sent.url == "https://gateway.example.com/?a=%2F")
        #expect(sent.method == "PUT")
        #expect(sent.headers == [PushRequest.Header("X", "1")])
        #expect(JSONValue(json: sent.body)?["tenant"] == "blue")
        #expect(JSONValue(json: sent.body)?["jwt"] == JSONValue(json: request.body)?["jwt"])
        #expect(timeout == 5)
    }

    @Test(arguments: [(5.0, 5.0), (30, 30), (31, 30), (.infinity, 30)])
    func aTimeOutIsAtMostDoubled(_ asked: TimeInterval, _ given: TimeInterval) async throws {
        let (_, timeout) = try await deliver { original in
            Request(
                url: original.url,
                method: .POST,
                bodyParams: original.bodyParams,
                timeoutInterval: asked
            )
        }
        #expect(timeout == given)
    }

    @Test func aNewFieldFollowsTheOthers() async throws {
        let (sent, _) = try await deliver { request in
            var request = request
            request.updateHeader(headers: ["authorization": "Bearer 1"])
            return request
        }
        #expect(sent.headers == request.headers + [PushRequest.Header("authorization", "Bearer 1")])
        #expect(sent.body == request.body)
    }

    @Test func anInterceptorReceivesTheTypeOfTheAction() async throws {
        let seen = Lock<[String]>([])
        _ = try await deliver { request, action in
            seen.withValue { $0.append(action.type) }
            return request
        }
        #expect(seen.withValue { $0 } == ["PUSH_REGISTER"])
    }

    @Test func interceptorsFollowOneAnother() async throws {
        let registry = RequestInterceptorRegistry(hooks: hooks)
        let append = { (text: String) in
            Intercepting { request, _ in
                var request = request
                request.updateHeader(headers: ["X": (request.headers["X"] ?? "") + text])
                return request
            }
        }
        registry.registerInterceptors(interceptors: [append("0")])
        registry.registerInterceptors(interceptors: [append("a"), append("b")])
        registry.registerInterceptors(interceptors: [append("c")], shouldOverride: false)
        #expect(try await deliver().0.headers.last == PushRequest.Header("X", "abc"))
        registry.registerInterceptors(interceptors: nil, shouldOverride: false)
        #expect(try await deliver().0.headers.last == PushRequest.Header("X", "abc"))
        registry.registerInterceptors(interceptors: nil)
        #expect(try await deliver().0 == request)
    }

    @Test(arguments: [
        ("nonsense", PushTransportError.invalidAddress), ("https://am.example.com/", .invalidRequest),
    ])
    func anInvalidRequestOfAnInterceptorIsNotSent(_ url: String, _ error: PushTransportError) async throws {
        await #expect(throws: error) {
            try await deliver { _ in
                Request(url: url, method: .POST, bodyParams: ["date": Date()])
            }
        }
    }

    private func deliver(_ change: @escaping (Request) -> Request) async throws -> (PushRequest, TimeInterval)
    {
        try await deliver { request, _ in change(request) }
    }

    private func deliver(
        _ change: @escaping (Request, Action) -> Request
    ) async throws -> (PushRequest, TimeInterval) {
        let registry = RequestInterceptorRegistry(hooks: hooks)
        registry.registerInterceptors(interceptors: [Intercepting(change: change)])
        return try await deliver()
    }

    private func deliver() async throws -> (PushRequest, TimeInterval) {
        let transport = FakeTransport()
        _ = try await transport.deliver(request, timeout: 15, hooks: hooks)
        return try #require(transport.sent.first)
    }
}

private struct Intercepting: RequestInterceptor {
    let change: (Request, Action) -> Request

    func intercept(request: Request, action: Action) -> Request { change(request, action) }
}
