import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RestClient")
struct RestClientTests {
    private let hooks = NetworkHooks()
    private let client: RestClient

    init() {
        client = RestClient(hooks: hooks, registry: RequestInterceptorRegistry(hooks: hooks))
    }

    @Test func anInvalidRequestFailsAtOnce() {
        var code = 0
        client.invoke(request: Request(url: "nonsense", method: .GET)) { result in
            if case .failure(let error as NetworkError) = result { code = error.code }
        }
        #expect(code == 5_000_005)
    }

    @Test func aRefusalIsAFailureWithItsBody() throws {
        let server = try LoopbackServer(
            answer: "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}"
        )
        let outcome = client.invokeSync(request: Request(url: server.base, method: .POST))
        guard case .failure(NetworkError.apiRequestFailure(let body, let response, nil)) = outcome else {
            Issue.record("The outcome is \(outcome) instead of apiRequestFailure.")
            return
        }
        #expect(body == Data("{}".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
    }

    @Test func aPortThatRefusesIsAFailureWithItsCause() {
        let outcome = client.invokeSync(request: Request(url: "http://127.0.0.1:1/", method: .GET))
        guard case .failure(let cause as URLError) = outcome else {
            Issue.record("The outcome is \(outcome) instead of a URLError.")
            return
        }
        #expect(cause.code == .cannotConnectToHost)
    }

    @Test func aCallersCookieJarIsOff() async throws {
        let server = try LoopbackServer(
            answer: "HTTP/1.1 200 OK\r\nSet-Cookie: amlbcookie=02; Path=/\r\nContent-Length: 2\r\n\r\n{}"
        )
        let configuration = URLSessionConfiguration.default
        configuration.httpShouldSetCookies = true
        configuration.httpCookieAcceptPolicy = .always
        client.setURLSessionConfiguration(config: configuration)
        let request = try server.request()
        for _ in 0..<2 {
            _ = try await URLSessionTransport(hooks: hooks).send(request, timeout: 5)
            #expect(send(Request(url: server.base, method: .GET), through: client) == .success([]))
        }
        #expect(server.requests.count == 4)
        #expect(server.requests.filter { $0.contains("=02") } == [])
        #expect(server.requests.filter { $0.contains("amlbcookie=01\r\n") }.count == 2)
        #expect(configuration.httpShouldSetCookies)
    }

    @Test func aNewConfigurationDoesNotChangeARequestUnderWay() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(answer: LoopbackServer.acceptance, gate: gate)
        let (request, transport) = (try server.request(), URLSessionTransport(hooks: hooks))
        let sending = Task { try await transport.send(request, timeout: 60) }
        try await waitFor("the request to arrive") { !server.requests.isEmpty }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["x-tenant": "blue"]
        client.setURLSessionConfiguration(config: configuration)
        gate.signal()
        #expect(try await sending.value.status == 200)
        gate.signal()
        _ = try await transport.send(request, timeout: 60)
        #expect(server.requests.map { $0.lowercased().contains("x-tenant: blue") } == [false, true])
    }
}
