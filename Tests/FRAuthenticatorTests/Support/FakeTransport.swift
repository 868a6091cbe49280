import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A server in memory that records its requests and returns the configured responses.
final class FakeTransport: PushTransport {
    typealias Answer = @Sendable (PushRequest) async throws -> PushResponse

    private let recorded = Lock<[PushRequest]>([])
    private let answer = Lock<Answer>({ _ in .ok })

    var requests: [PushRequest] { recorded.withValue { $0 } }

    func willAnswer(_ answer: @escaping Answer) { self.answer.withValue { $0 = answer } }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        recorded.withValue { $0.append(request) }
        return try await answer.withValue { $0 }(request)
    }
}

extension PushResponse {
    static let ok = PushResponse(status: 200, body: Data("{}".utf8))
    static let fault = PushResponse(status: 500, body: Data())
    static let refusal = PushResponse(status: 400, body: Data(#"{"message":"Too late"}"#.utf8))
}

extension PushRequest {
    /// A member of the body.
    subscript(name: String) -> JSONValue? { JSONValue(json: body)?[name] }

    /// The claims of the body's token, unverified.
    var claims: JSONValue? {
        guard case .string(let jwt)? = self["jwt"] else { return nil }
        let parts = jwt.split(separator: ".")
        return parts.count == 3 ? Base64.decode(String(parts[1])).flatMap { JSONValue(json: $0) } : nil
    }
}
