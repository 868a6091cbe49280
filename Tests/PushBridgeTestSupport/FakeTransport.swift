package import Foundation
package import PushBridgeCore
import PushBridgePlatform

/// A server in memory that records its requests and returns the configured responses.
package final class FakeTransport: PushTransport {
    package typealias Answer = @Sendable (PushRequest) async throws -> PushResponse

    private let recorded = Lock<[(request: PushRequest, timeout: TimeInterval)]>([])
    private let answer: Lock<Answer>

    package init(_ answer: @escaping Answer = { _ in .ok }) {
        self.answer = Lock(answer)
    }

    package var sent: [(request: PushRequest, timeout: TimeInterval)] { recorded.withValue { $0 } }
    package var requests: [PushRequest] { sent.map(\.request) }

    package func willAnswer(_ answer: @escaping Answer) { self.answer.withValue { $0 = answer } }

    package func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        recorded.withValue { $0.append((request, timeout)) }
        return try await answer.withValue { $0 }(request)
    }
}

extension PushResponse {
    package static let ok = PushResponse(status: 200, body: Data("{}".utf8))
    package static let fault = PushResponse(status: 500, body: Data("<html>".utf8))
    package static let refusal = PushResponse(status: 400, body: Data(#"{"message":"Too late"}"#.utf8))
}

extension PushRequest {
    /// A member of the body.
    package subscript(name: String) -> JSONValue? { JSONValue(json: body)?[name] }

    /// The claims of the body's token, unverified; `nil` if the body contains no token.
    package var claims: JSONValue? {
        guard case .string(let jwt)? = self["jwt"] else { return nil }
        let parts = jwt.split(separator: ".")
        return parts.count == 3 ? Base64.decode(String(parts[1])).flatMap { JSONValue(json: $0) } : nil
    }
}
