import FRCore
import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// These tests run one after the other, because the registry of interceptors and the session belong to the process.
@Suite("Interceptors and sessions of the process", .serialized, .processState)
struct InterceptorTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer(answer: LoopbackServer.acceptance)
    }

    @Test func anInterceptorChangesWhatBothAPIsSend() async throws {
        let gateway = try LoopbackServer(answer: LoopbackServer.acceptance)
        let registry = RequestInterceptorRegistry.shared
        registry.registerInterceptors(interceptors: [Rerouting(from: server.port, to: gateway.port)])
        defer { registry.registerInterceptors(interceptors: nil) }

        try await enrol()
        let request = Request(url: "\(server.base)register", method: .POST)
        #expect(send(request, Action(type: .PUSH_REGISTER)) == .success([]))

        #expect(server.requests.isEmpty)
        #expect(gateway.requests.count == 2)
        let marked = gateway.requests.filter { request in
            let head = request.lowercased()
            return head.hasPrefix("post /gateway?_action=register&via=push_register http/1.1\r\n")
                && head.contains("\r\nx-gateway: 1\r\n")
        }
        #expect(marked == gateway.requests)
        let cookies = gateway.requests.filter { $0.lowercased().contains("\r\ncookie: amlbcookie=01\r\n") }
        #expect(cookies.count == 1)
    }

    @Test func aConfigurationsHeadersReachBothAPIs() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["x-tenant": "blue"]
        RestClient.shared.setURLSessionConfiguration(config: configuration)
        defer { RestClient.shared.setURLSessionConfiguration(config: nil, handler: nil) }

        try await enrol()
        #expect(send(Request(url: "\(server.base)register", method: .GET)) == .success([]))
        let marked = server.requests.filter { $0.lowercased().contains("\r\nx-tenant: blue\r\n") }
        #expect(marked.count == 2)
    }

    @Test func aRequestWithoutAnActionIsNotIntercepted() throws {
        let registry = RequestInterceptorRegistry.shared
        registry.registerInterceptors(interceptors: [Rerouting(from: server.port, to: 1)])
        defer { registry.registerInterceptors(interceptors: nil) }
        #expect(send(Request(url: "\(server.base)register", method: .GET)) == .success([]))
    }

    private func enrol() async throws {
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(MemoryCredentialStore())
            config.logger = LogManager.none
        }
        try await client.setDeviceToken("00ff")
        try await client.addCredentialFromUri(server.registration().uri())
    }
}

/// Sends the requests for one port to a gateway on another port.
private struct Rerouting: RequestInterceptor {
    let port: UInt16
    let gateway: UInt16

    init(from port: UInt16, to gateway: UInt16) {
        self.port = port
        self.gateway = gateway
    }

    func intercept(request: Request, action: Action) -> Request {
        guard request.url.contains(":\(port)/") else { return request }
        var headers = request.headers
        headers["x-gateway"] = "1"
        var urlParams = request.urlParams
        urlParams["via"] = action.type
        return Request(
            url: request.url.replacingOccurrences(
                of: "\(port)/json/push/sns/message",
                with: "\(gateway)/gateway"
            ),
            method: request.method,
            headers: headers,
            bodyParams: request.bodyParams,
            urlParams: urlParams,
            requestType: request.requestType,
            responseType: request.responseType,
            timeoutInterval: request.timeoutInterval
        )
    }
}
