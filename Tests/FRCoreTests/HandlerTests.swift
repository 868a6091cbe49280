import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The challenges that session handlers answer.
///
/// Most tests use password challenges: on Linux, Foundation does not ask a handler about a server's trust. Challenges
/// of both kinds are handled in the same way.
@Suite("Session handlers")
struct HandlerTests {
    private let hooks = NetworkHooks()
    private let client: RestClient

    init() {
        client = RestClient(hooks: hooks, registry: RequestInterceptorRegistry(hooks: hooks))
    }

    @Test(arguments: [false, true])
    func aSessionHandlerAnswersAuthenticationChallengesForBothAPIs(_ overridesTheTask: Bool) async throws {
        let (push, rest) = (try locked(), try locked())
        let handler = overridesTheTask ? PerTask() : PerSession()
        client.setURLSessionConfiguration(config: nil, handler: handler)
        let response = try await URLSessionTransport(hooks: hooks).send(try push.request(), timeout: 10)
        #expect(response.status == 200)
        #expect(send(Request(url: rest.base, method: .GET), through: client) == .success([]))
        for server in [push, rest] {
            let answered = server.requests.map { $0.contains("Authorization: Basic YmFiczpzZWNyZXQ=\r\n") }
            #expect(answered == [false, true])
        }
    }

    /// A server trust challenge reaches a handler that implements either of the two methods.
    ///
    /// The test calls the handler directly, because on Linux, Foundation does not ask a handler about a server's
    /// certificate.
    @Test(arguments: [false, true])
    func eitherMethodOfAHandlerReceivesAServerTrustChallenge(_ overridesTheTask: Bool) throws {
        let space = URLProtectionSpace(
            host: "am.example.com",
            port: 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: "NSURLAuthenticationMethodServerTrust"
        )
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: UnusedSender()
        )
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try #require(URL(string: "https://am.example.com")))
        let handlers = [overridesTheTask ? PerTask() : PerSession(), Both()]
        let expected: [URLSession.AuthChallengeDisposition] = [
            .useCredential, .cancelAuthenticationChallenge,
        ]
        for (handler, expected) in zip(handlers, expected) {
            let decide = try #require(SessionEvents(handler).challenge)
            let decided = Lock<[URLSession.AuthChallengeDisposition]>([])
            decide(session, task, challenge) { disposition, _ in decided.withValue { $0.append(disposition) }
            }
            #expect(decided.withValue { $0 } == [expected])
        }
    }

    @Test func aRejectedChallengeIsReportedAsATLSFailure() async throws {
        let server = try locked()
        let request = try server.request()
        client.setURLSessionConfiguration(config: nil, handler: Refusing())
        let error = await #expect(throws: URLError.self) {
            try await URLSessionTransport(hooks: hooks).send(request, timeout: 10)
        }
        #expect(error?.code == .cancelled)
        #expect(error.map { PushTransportError($0) } == .tls)
        #expect(send(Request(url: server.base, method: .GET), through: client) == .success([]))
    }

    /// Returns a server that asks for a password once.
    private func locked() throws -> LoopbackServer {
        let challenge =
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n"
        return try LoopbackServer(answers: [challenge, LoopbackServer.acceptance])
    }

    @Test func onlyAHandlerFollowsARedirect() throws {
        let target = try LoopbackServer(answer: LoopbackServer.acceptance)
        let server = try LoopbackServer(
            answer: "HTTP/1.1 307 Moved\r\nLocation: \(target.base)\r\nContent-Length: 0\r\n\r\n"
        )
        client.setURLSessionConfiguration(config: nil, handler: Plain())
        #expect(send(Request(url: server.base, method: .GET), through: client) == .failure(5_000_010))
        #expect(target.requests.isEmpty)
        client.setURLSessionConfiguration(config: nil, handler: Following())
        client.setURLSessionConfiguration(config: .ephemeral)
        #expect(send(Request(url: server.base, method: .GET), through: client) == .success([]))
        #expect(target.requests.count == 1)
    }
}

/// A handler that implements no method, so that the defaults apply.
private final class Plain: NSObject, FRURLSessionHandlerProtocol {}

private final class Refusing: FRURLSessionHandler {
    override func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

private class PasswordHandler: FRURLSessionHandler {
    let credential = URLCredential(user: "babs", password: "secret", persistence: .none)
}

private final class PerSession: PasswordHandler {
    override func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, credential)
    }
}

private final class PerTask: PasswordHandler {
    override func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, credential)
    }
}

/// Cancels challenges of the session, and lets the system handle challenges of the task.
private final class Both: PasswordHandler {
    override func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    override func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }
}

private final class UnusedSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

private final class Following: FRURLSessionHandler {
    override func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(request)
    }
}
