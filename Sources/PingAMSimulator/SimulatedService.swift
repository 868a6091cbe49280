public import Foundation
public import PushBridgeCore

/// A PingAM push service as a value: requests and the time go in, replies come out.
///
/// Only ids, secrets and challenges are random, and not even those with ``ServiceSettings/seed``.
public struct SimulatedService: Sendable {
    /// How the service is set up.
    public var settings: ServiceSettings
    /// The registered devices by mechanism UID.
    public internal(set) var devices: [String: SimulatedDevice] = [:]
    var registrations: [String: WaitingRegistration] = [:]
    var pushes: [String: SimulatedPush] = [:]
    var chance: Chance
    private var received = Journal()
    private var faults: [ArmedFault] = []
    private var messagesSent = 0

    /// Creates a service that knows no device.
    public init(settings: ServiceSettings = ServiceSettings()) {
        self.settings = settings
        chance = Chance(seed: settings.seed)
    }

    /// The requests to the push service in the order of arrival; the oldest are forgotten once they fill four megabytes.
    public var journal: [JournalEntry] { received.entries }

    /// Registers a device without a QR code, replacing one with the same id.
    public mutating func add(_ device: SimulatedDevice) {
        devices[device.mechanismUid] = device
    }

    /// Forgets a device, as when its user removes it at the server.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public mutating func removeDevice(_ mechanismUid: String) -> Bool {
        devices.removeValue(forKey: mechanismUid) != nil
    }

    /// Lets the next `times` requests fail; faults strike in the order they were armed.
    ///
    /// `action` narrows that to requests of one kind, `mechanismUid` to token updates of one device.
    public mutating func arm(
        _ fault: Fault,
        times: Int = 1,
        action: PushRequest.Action? = nil,
        mechanismUid: String? = nil
    ) {
        faults.append(
            ArmedFault(fault: fault, action: action, mechanismUid: mechanismUid, remaining: times)
        )
    }

    /// Handles a request to the push service.
    public mutating func handle(_ request: SimulatedRequest, at now: Date) -> SimulatedReply {
        let reply = serve(request, at: now)
        received.append(request, status: reply.response?.status)
        return reply
    }

    /// The node whose turn it is to send a message.
    mutating func nextSender() -> String? {
        defer { messagesSent += 1 }
        return settings.topology.sender(of: messagesSent)
    }

    private mutating func serve(_ request: SimulatedRequest, at now: Date) -> SimulatedReply {
        guard let fault = takeFault(for: request) else { return SimulatedReply(answer(request, at: now)) }
        guard !fault.preventsHandling else { return fault.reply(insteadOf: SimulatedResponse()) }
        return fault.reply(insteadOf: answer(request, at: now))
    }

    private mutating func takeFault(for request: SimulatedRequest) -> Fault? {
        guard let index = faults.firstIndex(where: { $0.strikes(request) }) else { return nil }
        faults[index].remaining -= 1
        let fault = faults[index].fault
        faults.removeAll { $0.remaining <= 0 }
        return fault
    }
}

extension SimulatedService {
    /// Answers a device's request.
    mutating func answer(_ request: SimulatedRequest, at now: Date) -> SimulatedResponse {
        do throws(Refusal) {
            try perform(request, at: now)
            return SimulatedResponse()
        } catch {
            return error.response
        }
    }

    private mutating func perform(_ request: SimulatedRequest, at now: Date) throws(Refusal) {
        guard let realm = Realm(addressedBy: request) else { throw .notFound("There is nothing here.") }
        guard settings.realms.contains(realm) else {
            throw .notFound("The realm \(realm.path) has no push service.")
        }
        guard request.method == "POST", let action = request.query["_action"].flatMap(PushRequest.Action.init)
        else { throw .badRequest("The push service takes POST with a known _action.") }
        guard let body = JSONValue(json: request.body) else { throw .badRequest("The body is not JSON.") }
        switch action {
        case .register: try register(body, cookie: request.headers["cookie"], realm: realm, now: now)
        case .authenticate: try authenticate(body, cookie: request.headers["cookie"], realm: realm, now: now)
        case .refresh: try refresh(body, realm: realm)
        }
    }

    private mutating func register(
        _ body: JSONValue,
        cookie: String?,
        realm: Realm,
        now: Date
    ) throws(Refusal) {
        let messageId = try body.required("messageId")
        let jwt = try body.required("jwt")
        guard let waiting = registrations[messageId], waiting.realm == realm, now < waiting.expiry else {
            throw .unknownMessage
        }
        guard settings.topology.mode(of: waiting.sender, cookie: cookie) != nil else { throw .unknownMessage }
        let registration = waiting.registration
        let claims = try Self.claims(of: jwt, secret: registration.sharedSecret)
        try Self.checkResponse(claims, challenge: registration.challenge, secret: registration.sharedSecret)
        try Self.checkCommunicationType(claims)
        var device = SimulatedDevice(
            mechanismUid: try claims.required("mechanismUid"),
            sharedSecret: registration.sharedSecret,
            deviceToken: try claims.required("deviceId"),
            account: registration.account.key,
            realm: realm
        )
        device.userId = registration.userId
        add(device)
        registrations[messageId] = nil
    }

    private mutating func authenticate(
        _ body: JSONValue,
        cookie: String?,
        realm: Realm,
        now: Date
    ) throws(Refusal) {
        let messageId = try body.required("messageId")
        let jwt = try body.required("jwt")
        guard
            let push = pushes[messageId], push.realm == realm, push.state(at: now) == .waiting,
            let device = devices[push.mechanismUid],
            let mode = settings.topology.mode(of: push.sender, cookie: cookie)
        else { throw .unknownMessage }
        let claims = try Self.claims(of: jwt, secret: device.sharedSecret)
        try Self.checkResponse(claims, challenge: push.challenge, secret: device.sharedSecret)
        pushes[messageId]?.take(claims, mode: mode)
    }

    private mutating func refresh(_ body: JSONValue, realm: Realm) throws(Refusal) {
        let mechanismUid = try body.required("mechanismUid")
        let jwt = try body.required("jwt")
        guard let device = devices[mechanismUid], device.realm == realm else {
            throw .badRequest("The mechanism is unknown.")
        }
        let claims = try Self.claims(of: jwt, secret: device.sharedSecret)
        try Self.checkCommunicationType(claims)
        devices[mechanismUid]?.deviceToken = try claims.required("deviceId")
    }

    private static func claims(of jwt: String, secret: SharedSecret) throws(Refusal) -> JSONValue {
        do {
            let token = try CompactToken(jwt).verified(with: secret)
            if let claims = JSONValue(json: token.claims) { return claims }
        } catch {
            throw .badRequest("The signature of the jwt is wrong.")
        }
        throw .badRequest("The claims of the jwt are not JSON.")
    }

    private static func checkResponse(
        _ claims: JSONValue,
        challenge: Data,
        secret: SharedSecret
    ) throws(Refusal) {
        let expected = ChallengeResponse.compute(challenge: challenge, secret: secret)
        guard claims["response"] == .string(expected) else {
            throw .badRequest("The response to the challenge is wrong.")
        }
    }

    private static func checkCommunicationType(_ claims: JSONValue) throws(Refusal) {
        guard claims["communicationType"] == "apns" else {
            throw .badRequest("The communicationType must be apns.")
        }
    }
}

extension Refusal {
    fileprivate static let unknownMessage = badRequest("The messageId is unknown, used or expired.")
}

extension JSONValue {
    fileprivate func required(_ name: String) throws(Refusal) -> String {
        guard case .string(let text)? = self[name], !text.isEmpty else {
            throw .badRequest("\(name) is missing.")
        }
        return text
    }
}
