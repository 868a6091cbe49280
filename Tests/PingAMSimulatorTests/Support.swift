import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server's response, as a device receives it.
struct Answer: Equatable {
    let status: Int
    let body: JSONValue?

    static let accepted = Answer(status: 200, body: [:])

    static func refused(_ message: String) -> Answer {
        let body: JSONValue = ["code": 400, "reason": "Bad Request", "message": .string(message)]
        return Answer(status: 400, body: body)
    }
}

/// Sends requests through a `URLSession`.
///
/// The requests go to simulators in this process, or over HTTP to other servers. The session stores no
/// cookies and follows no redirects.
final class Wire: NSObject, URLSessionTaskDelegate, Sendable {
    func send(
        _ method: String,
        _ address: String,
        headers: [PushRequest.Header] = [],
        body: Data? = nil
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = method
        request.httpBody = body
        // While the computations of other tests use all processors, a server in this process can respond after a minute.
        request.timeoutInterval = 600
        for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
        let configuration = Simulator.sessionConfiguration
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        let status = try #require(response as? HTTPURLResponse).statusCode
        return Answer(status: status, body: JSONValue(json: data))
    }

    func send(_ request: PushRequest) async throws -> Answer {
        try await send("POST", request.url, headers: request.headers, body: request.body)
    }

    func send(_ method: String, _ address: String, json: JSONValue?) async throws -> Answer {
        try await send(method, address, body: json?.data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// A clock that only the test advances.
final class StoppedClock: @unchecked Sendable {
    // Every access to `time` happens while `lock` is held.
    private var time = Date(timeIntervalSince1970: 1_700_000_000.125)
    private let lock = NSLock()

    var now: Date { lock.withLock { time } }

    func advance(_ seconds: TimeInterval) {
        lock.withLock { time += seconds }
    }
}

/// A registered device and its server.
struct Enrolment {
    let server: Simulator
    let clock: StoppedClock
    let credential: PushCredential
    let wire = Wire()

    static func start(
        realm: Realm = "/alpha",
        settings: ServiceSettings = ServiceSettings(),
        serve: (Simulator) async throws -> Void = { _ in }
    ) async throws -> Enrolment {
        let clock = StoppedClock()
        let server = Simulator(settings: settings, now: { clock.now })
        try await serve(server)
        var order = RegistrationOrder(issuer: "Forge", account: "demo", realm: realm)
        order.userId = "user-1"
        let uri = try server.createRegistration(order).uri(labelIssuer: "forgerock")
        let registration = try PushRegistration(uri: uri)
        let id = UUID().uuidString
        let request = registration.request(mechanismUid: id, deviceId: "0a1b2c", deviceName: "Phone")
        #expect(try await Wire().send(request) == .accepted)
        let credential = registration.credential(id: id, createdAt: clock.now)
        return Enrolment(server: server, clock: clock, credential: credential)
    }

    func push(_ type: PushType = .default, configure: (inout PushOrder) -> Void = { _ in }) throws
        -> PushDelivery
    {
        var order = PushOrder(mechanismUid: credential.id, type: type)
        configure(&order)
        return try server.createPush(order)
    }

    func notification(_ push: PushDelivery) throws -> PushNotification {
        try #require(try credential.notification(from: push.payload.data, id: "n", receivedAt: clock.now))
    }

    /// Sends an answer with the given claims.
    func answer(to push: PushDelivery, claims: JSONValue, secret: SharedSecret? = nil) async throws -> Answer
    {
        let jwt = (secret ?? credential.sharedSecret).signedToken(claims: claims.data)
        let body: JSONValue = ["messageId": .string(push.messageId), "jwt": .string(jwt)]
        return try await wire.send("POST", credential.authenticationEndpoint, json: body)
    }

    func response(to push: PushDelivery) throws -> JSONValue {
        let secret = credential.sharedSecret
        return .string(
            try #require(secret.response(toBase64: push.challenge))
        )
    }
}

extension PushRegistration {
    /// Registers a device.
    ///
    /// `changes` are added to the usual claims, or replace them.
    func send(_ changes: [String: JSONValue] = [:]) async throws -> Answer {
        let claims: [String: JSONValue] = [
            "response": .string(sharedSecret.response(to: challenge)),
            "mechanismUid": "m", "deviceId": "t", "deviceType": "ios", "communicationType": "apns",
        ]
        let all = JSONValue.object(claims.merging(changes) { _, new in new })
        let body: JSONValue = [
            "messageId": .string(messageId), "jwt": .string(sharedSecret.signedToken(claims: all.data)),
        ]
        return try await Wire().send("POST", endpoints.registration, json: body)
    }
}

/// All responses with status 400 have the same text.
let refused = Answer.refused("Bad request.")
