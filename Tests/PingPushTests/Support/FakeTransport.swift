import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform

/// A server in memory that records its requests and returns the configured responses.
final class FakeTransport: PushTransport {
    typealias Answer = @Sendable (PushRequest) async throws -> PushResponse

    private let recorded = Lock<[PushRequest]>([])
    private let limits = Lock<[TimeInterval]>([])
    private let answer: Lock<Answer>

    init(_ answer: @escaping Answer = { _ in .ok }) {
        self.answer = Lock(answer)
    }

    var requests: [PushRequest] { recorded.withValue { $0 } }
    /// The time-out of each request.
    var timeouts: [TimeInterval] { limits.withValue { $0 } }

    func willAnswer(_ answer: @escaping Answer) { self.answer.withValue { $0 = answer } }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        recorded.withValue { $0.append(request) }
        limits.withValue { $0.append(timeout) }
        return try await answer.withValue { $0 }(request)
    }
}

extension PushResponse {
    static let ok = PushResponse(status: 200, body: Data("{}".utf8))
    static let refusal = PushResponse(status: 400, body: Data(#"{"message":"Too late"}"#.utf8))
    static let fault = PushResponse(status: 500, body: Data("<html>".utf8))
}

extension PushRequest {
    /// A member of the body.
    subscript(name: String) -> JSONValue? { JSONValue(json: body)?[name] }

    /// Returns the claims of the body's token.
    func claims(signedWith secret: SharedSecret) throws -> JSONValue? {
        guard case .string(let jwt)? = self["jwt"] else { return nil }
        return JSONValue(json: try JSONWebToken(jwt).verified(with: secret).claims)
    }
}
