import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform
import PushParity

extension Mutation {
    /// Mutations that make requests incorrect.
    static let requests: [Mutation] = [
        ofClaims("a claim is dropped", in: "A code is scanned") { $0["communicationType"] = nil },
        ofClaims("deny:false is sent", in: "A push is approved") { $0["deny"] = $0["deny"] ?? false },
        ofClaims("a denial carries a challenge response", in: "A challenge is denied") { claims in
            if claims["deny"] != nil { claims["challengeResponse"] = .null }
        },
        ofClaims("the response lacks its padding", in: "A push is approved") { claims in
            if case .string(let response)? = claims["response"] {
                claims["response"] = .string(response.replacingOccurrences(of: "=", with: ""))
            }
        },
        ofRequests("a header is changed", in: "A push is approved") { request in
            request.copy(headers: request.headers.filter { $0.name != "Cookie" } + [.init("Cookie", "other")])
        },
        ofRequests("a header is dropped", in: "A code is scanned") { request in
            request.copy(headers: request.headers.filter { $0.name != "accept-api-version" })
        },
        ofRequests("the query of the address is dropped", in: "Codes name the realm in the query") {
            request in
            request.copy(url: request.url.replacingOccurrences(of: "&realm=/alpha", with: ""))
        },
        ofRequests("the address is changed", in: "A push is approved") { request in
            request.copy(url: request.url.replacingOccurrences(of: "/am/json", with: "/am//json"))
        },
        ofRequests("the user's id is not sent", in: "The user's id is sent with the token") { request in
            request.copy(body: request.bodyMembers.filter { $0.key != "username" })
        },
        ofRequests("the user's id has another name", in: "The user's id is sent with the token") { request in
            var body = request.bodyMembers
            body["userId"] = body.removeValue(forKey: "username")
            return request.copy(body: body)
        },
        Mutation("a request is sent twice", in: "A push is approved") { changes in
            changes.transport = { transport, _ in ChangedTransport(transport, repeats: true) { $0 } }
        },
        Mutation("the time-out is different", in: "A push is approved") { changes in
            changes.transport = { transport, _ in ChangedTransport(transport, timeout: 7) { $0 } }
        },
        Mutation("the token update is skipped", in: "The token changes, and every server receives it") {
            changes in
            changes.transport = { transport, _ in ChangedTransport(transport, skips: .refresh) { $0 } }
        },
    ]

    private static func ofRequests(
        _ name: String,
        in scenario: String,
        _ change: @escaping @Sendable (PushRequest) -> PushRequest
    ) -> Mutation {
        Mutation(name, in: scenario) { changes in
            changes.transport = { transport, _ in ChangedTransport(transport, change: change) }
        }
    }

    /// Changes claims and signs them again, so that only the change can be noticed.
    private static func ofClaims(
        _ name: String,
        in scenario: String,
        _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void
    ) -> Mutation {
        Mutation(name, in: scenario) { changes in
            changes.transport = { transport, environment in
                ChangedTransport(transport) { $0.changingClaims(signedBy: environment.secret, change) }
            }
        }
    }
}

/// Sends changed requests.
struct ChangedTransport: PushTransport {
    private let transport: any PushTransport
    private let change: @Sendable (PushRequest) -> PushRequest
    private let repeats: Bool
    private let timeout: TimeInterval?
    private let skips: PushRequest.Action?

    init(
        _ transport: any PushTransport,
        repeats: Bool = false,
        timeout: TimeInterval? = nil,
        skips: PushRequest.Action? = nil,
        change: @escaping @Sendable (PushRequest) -> PushRequest
    ) {
        self.transport = transport
        self.change = change
        self.repeats = repeats
        self.timeout = timeout
        self.skips = skips
    }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        if request.action == skips { return PushResponse(status: 200, body: Data()) }
        let timeout = self.timeout ?? timeout
        let response = try await transport.send(change(request), timeout: timeout)
        if repeats { _ = try await transport.send(change(request), timeout: timeout) }
        return response
    }
}

extension SideEnvironment {
    /// The secret of the scenario's first credential; `nil` if the server can create no code.
    ///
    /// The secret is known even before the app stores the credential.
    fileprivate var secret: SharedSecret? {
        // If two services have the same seed, they generate the same first secret.
        var service = SimulatedService(settings: server.withService(\.settings))
        do {
            let code = try service.createCode(.init(issuer: "i", account: "a"), at: phone.now)
            return code.registration.sharedSecret
        } catch {
            return nil
        }
    }
}

extension PushRequest {
    fileprivate var bodyMembers: [String: JSONValue] {
        if case .object(let members)? = JSONValue(json: body) { members } else { [:] }
    }

    fileprivate func changingClaims(
        signedBy secret: SharedSecret?,
        _ change: (inout [String: JSONValue]) -> Void
    ) -> PushRequest {
        guard
            let secret, case .string(let jwt)? = bodyMembers["jwt"],
            let part = jwt.split(separator: ".").dropFirst().first, let bytes = Data(anyBase64: String(part)),
            case .object(var claims)? = JSONValue(json: bytes)
        else { return self }
        change(&claims)
        var body = bodyMembers
        body["jwt"] = .string(secret.signedToken(claims: JSONValue.object(claims).data))
        return copy(body: body)
    }

    fileprivate func copy(
        url: String? = nil,
        headers: [Header]? = nil,
        body: [String: JSONValue]? = nil
    ) -> PushRequest {
        var copy = self
        copy.url = url ?? self.url
        copy.headers = headers ?? self.headers
        copy.body = body.map { JSONValue.object($0).data } ?? self.body
        return copy
    }
}
