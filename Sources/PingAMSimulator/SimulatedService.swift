public import Foundation
public import PushBridgeCore

/// A PingAM push service as a value.
///
/// The responses depend only on the state of the service, the requests, the time, and random ids, secrets and
/// challenges. If ``ServiceSettings/seed`` is set, the seed determines the ids, secrets and challenges.
public struct SimulatedService: Sendable {
    /// The settings of the service.
    public var settings: ServiceSettings
    /// The registered devices by mechanism UID.
    public internal(set) var devices: [String: SimulatedDevice] = [:]
    var registrations: [String: WaitingRegistration] = [:]
    var pushes: [String: SimulatedPush] = [:]
    var sessions: [String: SimulatedSession] = [:]
    /// The profiles of one-time passwords.
    var oathProfiles: [ProfileOwner: SimulatedOathProfile] = [:]
    /// The users' choices to skip the step of a login that uses one kind of device.
    var skips: Set<SkippedDevices> = []
    var chance: Chance
    private var received = Journal()
    private var faults: [ArmedFault] = []
    /// The journal's note on the current request.
    private var note: String?
    private var messagesSent = 0
    private var devicesAdded = 0

    /// Creates a service without devices.
    /// - Parameter settings: The version of the server and the administrator's settings.
    public init(settings: ServiceSettings = ServiceSettings()) {
        self.settings = settings
        chance = Chance(seed: settings.seed)
    }

    /// The requests to the push service in the order of arrival.
    ///
    /// The oldest requests are removed when the journal exceeds four megabytes.
    public var journal: [JournalEntry] { received.entries }
    /// The number of requests, including those that the journal no longer contains.
    var requestCount: Int { received.count }

    /// Registers a device without a QR code, and replaces a device with the same id.
    /// - Parameter device: The device.
    public mutating func add(_ device: SimulatedDevice) {
        devices[device.mechanismUid] = device
        devices[device.mechanismUid]?.number = devicesAdded
        devicesAdded += 1
    }

    /// Removes a device, as if its user had removed it at the server.
    ///
    /// - Parameter mechanismUid: The id of the device's mechanism.
    /// - Returns: Whether the service had this device.
    @discardableResult
    public mutating func removeDevice(_ mechanismUid: String) -> Bool {
        devices.removeValue(forKey: mechanismUid) != nil
    }

    /// Applies a fault to the next `times` requests that match `action` and `mechanismUid`.
    ///
    /// Faults apply in the order in which they were armed, one for each request.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - times: The number of affected requests.
    ///   - action: The kind of request; `nil` means any.
    ///   - mechanismUid: If it is not `nil`, only token updates of the device with this id are affected.
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
    /// - Parameters:
    ///   - request: The request.
    ///   - now: The time of the service.
    /// - Returns: The reply: a response or the end of the connection, and the delay before the reply.
    public mutating func handle(_ request: SimulatedRequest, at now: Date) -> SimulatedReply {
        handleAndRecord(request, at: now).reply
    }

    /// Handles a request to the push service, and returns the reply and the journal entry.
    mutating func handleAndRecord(
        _ request: SimulatedRequest,
        at now: Date
    ) -> (reply: SimulatedReply, entry: JournalEntry) {
        var refusal: Refusal?
        note = nil
        let reply = serve(request, at: now, &refusal)
        let status = reply.response?.status
        let entry = JournalEntry(request, status: status, refusal: refusal?.message, note: note)
        received.append(entry, of: request)
        return (reply, entry)
    }

    /// Returns the server that sends the next message.
    mutating func nextSender() -> String {
        defer { messagesSent += 1 }
        return settings.topology.sender(of: messagesSent)
    }

    private mutating func serve(
        _ request: SimulatedRequest,
        at now: Date,
        _ refusal: inout Refusal?
    ) -> SimulatedReply {
        let fault = takeFault(for: request)
        if let fault, fault.preventsHandling { return fault.reply(insteadOf: SimulatedResponse()) }
        let response: SimulatedResponse
        do throws(Refusal) {
            response = try answer(request, at: now)
        } catch {
            refusal = error
            response = error.response(settings)
        }
        return fault?.reply(insteadOf: response) ?? SimulatedReply(response)
    }

    private mutating func takeFault(for request: SimulatedRequest) -> Fault? {
        guard let index = faults.firstIndex(where: { $0.strikes(request) }) else { return nil }
        faults[index].remaining -= 1
        let fault = faults[index].fault
        faults.removeAll { $0.remaining <= 0 }
        return fault
    }
}

// MARK: - Answering devices

extension SimulatedService {
    /// Responds to a device's request.
    ///
    /// By default, every response with status 400 has the same text, as on real servers. The journal contains
    /// the reason.
    mutating func answer(_ request: SimulatedRequest, at now: Date) throws(Refusal) -> SimulatedResponse {
        if let devices = DeviceRequest(request) { return try answer(devices, request) }
        guard let realm = Realm(addressedBy: request) else {
            throw .notFound("No push service has this path.")
        }
        let wanted = request.resourceVersion
        guard wanted == nil || wanted == "1" else {
            throw .notFound("The push service has only version 1.")
        }
        guard wanted != nil || !settings.has(.demandedVersion) else {
            throw .badRequest("The request has no version of the resource.")
        }
        let isJSON = request.headers["content-type"]?.hasPrefix("application/json") ?? false
        guard isJSON || !settings.has(.demandedContentType) else {
            throw Refusal(status: 415, message: "The Content-Type is not JSON.", isReported: true)
        }
        let name = request.query["_action"] ?? ""
        guard request.method == "POST", !name.isEmpty else { throw .badRequest("The request has no action.") }
        let action = PushRequest.Action(rawValue: name)
        guard let action, action != .unregister, action != .refresh || settings.version.takesNewTokens else {
            let status = settings.has(.badActions) ? 400 : 501
            throw Refusal(status: status, message: "\(name) not supported", isReported: true)
        }
        guard let body = JSONValue(message: request.body) else {
            throw .badRequest("The body is not JSON, or has too many members.")
        }
        if action == .refresh {
            try refresh(body, realm: realm, now: now)
        } else {
            try take(body, cookie: request.headers["cookie"], realm: realm, now: now)
        }
        return SimulatedResponse()
    }

    /// Handles a device's answer to a message.
    ///
    /// The id of the message determines whether this is a registration or a login; the action in the address does
    /// not matter.
    private mutating func take(
        _ body: JSONValue,
        cookie: String?,
        realm: Realm,
        now: Date
    ) throws(Refusal) {
        guard let messageId = body["messageId"] else {
            throw .badRequest("The member \"messageId\" is missing.")
        }
        guard settings.realms.contains(realm) else {
            throw .notFound("Cannot find Push Notification Service.")
        }
        guard case .string(let id) = messageId, let colon = id.firstIndex(of: ":") else {
            throw .uncaught("messageId does not begin with a kind of message.")
        }
        switch id[..<colon] {
        case "REGISTER": try register(body, id, cookie: cookie, realm: realm, now: now)
        case "AUTHENTICATE": try authenticate(body, id, cookie: cookie, realm: realm, now: now)
        default: throw .uncaught("messageId is of an unknown kind.")
        }
    }

    private mutating func register(
        _ body: JSONValue,
        _ messageId: String,
        cookie: String?,
        realm: Realm,
        now: Date
    ) throws(Refusal) {
        guard let waiting = registrations[messageId], waiting.realm == realm, waiting.answer == nil,
            now < waiting.expiry || settings.has(.lateAnswers),
            settings.topology.location(of: waiting.sender, cookie: cookie, for: settings.sender) != nil
        else { throw .unknownMessage }
        let registration = waiting.registration
        let (secret, challenge) = (registration.sharedSecret, registration.challenge)
        let claims = try Self.claims(of: body, secret: secret, challenge: challenge)
        try checkEndpoint(claims["deviceId"], isCaught: settings.version.takesNewTokens)
        guard claims["communicationType"] != nil else {
            throw .uncaught("The claim \"communicationType\" is missing.")
        }
        // The answer is only recorded, and the device receives a success response. The registration page stores the
        // profile later, or fails.
        registrations[messageId]?.answer = claims
        if now >= waiting.pageEnd {
            let seconds = Int(settings.pageLifetime)
            note =
                "The registration page of this code stopped polling after \(seconds) "
                + "\(seconds == 1 ? "second" : "seconds"), so the device is not stored."
        }
        if settings.pagesLook { look(afterRegistration: messageId, at: now) }
    }

    /// Throws an error if Amazon's service has no endpoint for a token.
    ///
    /// `isCaught` states whether the simulated version of the server catches this error by default.
    private func checkEndpoint(_ token: JSONValue?, isCaught: Bool) throws(Refusal) {
        guard let token = token?.nonEmptyText, settings.tokensWithoutEndpoint.contains(token) else { return }
        let isCaught = isCaught && !settings.has(.uncaughtEndpoints)
        let message = "Amazon SNS has no endpoint for the token."
        throw isCaught ? .badRequest(message) : .uncaught(message)
    }

    private mutating func authenticate(
        _ body: JSONValue,
        _ messageId: String,
        cookie: String?,
        realm: Realm,
        now: Date
    ) throws(Refusal) {
        guard let push = pushes[messageId], push.realm == realm, push.isKnown(at: now, settings),
            devices[push.mechanismUid] != nil || !settings.has(.orphanedPushes),
            let place = settings.topology.location(of: push.sender, cookie: cookie, for: settings.sender)
        else { throw .unknownMessage }
        let claims = try Self.claims(of: body, secret: push.secret, challenge: push.challenge)
        let chosen = settings.hasRichPushes ? try Self.number(claims["challengeResponse"]) : nil
        // If an answer has no number, it counts as an answer with the right number.
        let isRight = push.number == nil || chosen == nil || chosen == push.number
        let isDenied = place.denies(claims)
        if settings.version.refusesWrongNumbers, !isDenied, !isRight {
            if settings.has(.wrongNumberConsumes) { pushes[messageId]?.end() }
            throw .badRequest("The number is not the number that the login page shows.")
        }
        let decision: PushState = isDenied || !isRight ? .denied : .approved
        if push.isConsumed || push.state(at: now, settings) == .expired {
            note = "The login page stopped polling, so the answer is ignored."
        }
        pushes[messageId]?.take(decision, from: place, at: now)
    }

    private mutating func refresh(_ body: JSONValue, realm: Realm, now: Date) throws(Refusal) {
        let mechanismUid = try body.required("mechanismUid")
        let username = try body.required("username")
        guard let device = devices[mechanismUid], device.realm == realm, device.user == username else {
            let isUncaught = settings.has(.uncaughtUsers) && devices(of: username, in: realm).isEmpty
            let message = "The user has no device with this mechanismUid."
            throw isUncaught ? .uncaught(message) : .badRequest(message)
        }
        let claims = try Self.claims(of: body, secret: device.sharedSecret)
        guard claims["communicationType"] != nil else {
            throw .uncaught("The claim \"communicationType\" is missing.")
        }
        guard let token = claims["deviceId"]?.nonEmptyText else {
            let message = "The claim \"deviceId\" is missing."
            throw settings.has(.uncaughtTokens) ? .uncaught(message) : .badRequest(message)
        }
        try checkEndpoint(claims["deviceId"], isCaught: true)
        guard claims["deviceType"]?.nonEmptyText != nil || settings.has(.blankProfiles) else {
            throw .uncaught("The claim \"deviceType\" is missing.")
        }
        devices[mechanismUid]?.take(claims)
        devices[mechanismUid]?.deviceToken = token
        devices[mechanismUid]?.tokenTime = now
        if case .string(let name)? = claims["deviceName"] { devices[mechanismUid]?.deviceName = name }
    }

    /// Returns the claims of the token in a body if the token is signed with the secret.
    ///
    /// If `challenge` is not `nil`, the claims must contain the right response to the challenge.
    private static func claims(
        of body: JSONValue,
        secret: SharedSecret,
        challenge: Data? = nil
    ) throws(Refusal) -> JSONValue {
        guard case .string(let jwt)? = body["jwt"] else {
            throw .uncaught("The member \"jwt\" is missing.")
        }
        guard let claims = JournalEntry.claims(of: body) else { throw .uncaught("jwt is not a token.") }
        if challenge != nil {
            guard case .string? = claims["response"] else {
                throw .uncaught("The claim \"response\" is missing.")
            }
        }
        guard try isSigned(jwt, with: secret) else { throw .badRequest("The signature of the jwt is wrong.") }
        let expected = challenge.map { ChallengeResponse.compute(challenge: $0, secret: secret) }
        guard expected == nil || claims["response"] == expected.map(JSONValue.string) else {
            throw .badRequest("The response to the challenge is wrong.")
        }
        return claims
    }

    /// Returns whether a token is signed with a secret and the HMAC algorithm that the token's header names.
    ///
    /// Servers accept HS256, HS384 and HS512.
    private static func isSigned(_ jwt: String, with secret: SharedSecret) throws(Refusal) -> Bool {
        let parts = jwt.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64.decode(String(parts[0])).flatMap(JSONValue.init(message:)),
            case .string(let name)? = header["alg"], let signature = Base64.decode(String(parts[2]))
        else { throw .uncaught("jwt is not a token.") }
        let algorithms: [String: OathAlgorithm] = ["HS256": .sha256, "HS384": .sha384, "HS512": .sha512]
        let input = Data("\(parts[0]).\(parts[1])".utf8)
        return algorithms[name]?.authenticationCode(for: input, secret: secret) == Array(signature)
    }

    /// Returns the number that the user chose; `nil` if the answer has no number.
    ///
    /// In the answer, the number is a JSON number or text, and must fit into 32 bits.
    private static func number(_ claim: JSONValue?) throws(Refusal) -> Int? {
        guard let claim else { return nil }
        if case .integer(let number) = claim, let number = Int32(exactly: number) { return Int(number) }
        if case .string(let text) = claim, let number = Int32(text) { return Int(number) }
        throw .uncaught("challengeResponse is not a number.")
    }
}

extension SimulatedRequest {
    /// The major version of the resource that the request names; `nil` if the request names no version.
    fileprivate var resourceVersion: Substring? {
        let versions = (headers["accept-api-version"] ?? "").split(separator: ",").map {
            $0.drop { $0 == " " }
        }
        return versions.first { $0.hasPrefix("resource=") }.map { version in
            version.dropFirst("resource=".count).prefix { $0 != "." && $0 != " " }
        }
    }
}

extension Refusal {
    fileprivate static let unknownMessage = badRequest("The messageId is unknown, used or expired.")
}

extension JSONValue {
    fileprivate func required(_ name: String) throws(Refusal) -> String {
        guard let text = self[name]?.nonEmptyText else {
            throw .badRequest("The member \"\(name)\" is missing.")
        }
        return text
    }
}
