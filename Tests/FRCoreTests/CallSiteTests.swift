import FRAuthenticator
import FRCore
import Foundation
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The ways in which apps of the legacy SDK use FRCore.
@Suite("Call sites")
struct CallSiteTests {
    @MainActor @Test(.processState) func aScreenReceivesTheResponseToItsRequest() async throws {
        let server = try LoopbackServer(answer: LoopbackServer.acceptance)
        let screen = Screen()
        try await waitForCall("the screen's callback") { done in
            screen.load("http://127.0.0.1:\(server.port)/json") { done(()) }
        }
        #expect(screen.status == "HTTP 200")
        #expect(screen.interceptor.count == 0)
    }

    @Test func aLevelIsChosenByNameOrAsASet() {
        let levels: [LogLevel] = [.all, .none, [.network, .error]]
        #expect(levels.map(\.rawValue) == [64, 1, 40])
    }
}

/// A screen that is isolated to the main actor and captured by its callbacks, as a view controller is.
@MainActor
private final class Screen {
    var status = ""
    let interceptor = CountingInterceptor()

    func load(_ url: String, then done: @escaping () -> Void) {
        let request = Request(url: url, method: .GET, headers: ["x": "1"])
        RestClient.shared.invoke(request: request) { result in
            switch result {
            case .success(_, let response):
                self.status = "HTTP \((response as? HTTPURLResponse)?.statusCode ?? 0)"
            case .failure(let error):
                self.status = error.localizedDescription
            }
            done()
        }
    }
}

/// An interceptor with mutable state.
///
/// Apps wrote interceptors with mutable state before interceptors had to be `Sendable`.
private class CountingInterceptor: RequestInterceptor {
    var count = 0

    func intercept(request: Request, action: Action) -> Request {
        count += 1
        return request
    }
}
