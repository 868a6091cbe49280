import Foundation
@_spi(PushBridgeTools) public import PingAMSimulator
public import PushBridgeCore

extension SimulatorServer {
    /// Forwards a push, and returns the result as JSON.
    ///
    /// The server adds the result to its response to the request that created the push.
    public typealias Forwarding = @Sendable (PushDelivery) async -> JSONValue
}

/// The endpoints for the simulator's owner.
///
/// Requests must contain an access token, because every process on the machine can reach the port, and the responses
/// contain secrets and signed pushes.
struct ControlEndpoints: Sendable {
    let simulator: Simulator
    /// The access token that requests must contain.
    let token: String
    /// Forwards each push, and returns the result as JSON; `nil` if pushes are not forwarded.
    ///
    /// The response to the request that created the push contains the result.
    let forward: SimulatorServer.Forwarding?
    /// The listeners and the configuration profile that were added after the server started.
    let additions: ServerAdditions

    init(
        _ simulator: Simulator,
        _ additions: ServerAdditions,
        token: String?,
        forward: SimulatorServer.Forwarding?
    ) {
        self.simulator = simulator
        self.additions = additions
        self.token = token ?? UUID().uuidString.lowercased()
        self.forward = forward
    }

    /// Returns the path components after `control` and the access token; a header may contain the token instead.
    ///
    /// Returns `nil` if the request is for other endpoints or has no valid token.
    func path(of request: SimulatedRequest) -> [String]? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.first == "control" else { return nil }
        if parts.count > 1, parts[1].isSame(as: token) { return Array(parts.dropFirst(2)) }
        let header = request.headers["authorization"] ?? ""
        return header.isSame(as: "Bearer \(token)") ? Array(parts.dropFirst()) : nil
    }

    func response(to request: SimulatedRequest, path: [String]) async -> SimulatedResponse {
        if request.method == "GET", path == ["profile"], let profile = await additions.profile {
            var response = SimulatedResponse()
            response.headers["Content-Type"] = "application/x-apple-aspen-config"
            response.body = profile
            return response
        }
        do {
            return SimulatedResponse(json: try await perform(request, path: path))
        } catch let refusal as ControlRefusal {
            return SimulatedResponse(status: refusal.status, refusal: refusal.message)
        } catch let error as SimulatorError {
            return SimulatedResponse(
                status: [.alreadyRegistered, .unreachable].contains(error.code) ? 409 : 400,
                refusal: error.reason
            )
        } catch {
            return SimulatedResponse(status: 500, refusal: "The request failed: \(error)")
        }
    }

    private func perform(_ request: SimulatedRequest, path: [String]) async throws -> JSONValue {
        switch (request.method, path.first, path.count) {
        case ("POST", "registrations", 1):
            let body = try request.controlBody(RegistrationOrder.controlMembers)
            let order = try RegistrationOrder(control: body)
            if try body.flag("push") ?? true { return try simulator.createCode(order).controlJSON }
            let code = try simulator.createOneTimeCode(order)
            return ["uri": .string(code.uri), "secret": code.secret.withBase64 { .string($0) }]
        case ("GET", "registrations", 2):
            guard let state = simulator.look(afterRegistration: path[1]) else {
                throw ControlRefusal(status: 404, message: "No code has the messageId \(path[1]).")
            }
            return ["state": .string(state.rawValue)]
        case ("POST", "pushes", 1):
            let body = try request.controlBody(PushOrder.controlMembers)
            let settings = simulator.withService(\.settings)
            let order = try PushOrder(control: body, to: try mechanism(in: body), settings)
            let push = try simulator.createPush(order)
            guard let forward, case .object(var members) = push.json else { return push.json }
            members["apns"] = await forward(push)
            return .object(members)
        case ("GET", "pushes", 2):
            // The request counts as a poll of the login page, so it consumes the answer.
            guard let state = simulator.look(afterPush: path[1]) else {
                throw ControlRefusal(status: 404, message: "No push has the messageId \(path[1]).")
            }
            var page: [String: JSONValue] = ["state": .string(state.rawValue)]
            page["number"] = simulator.withService { $0.number(ofPush: path[1]) }.map(JSONValue.integer)
            return .object(page)
        case ("GET", "journal", 1):
            return .array(simulator.journal.map(\.json))
        case ("GET", "devices", 1):
            let devices = simulator.withService(\.devices).values
            return .array(devices.sorted { $0.mechanismUid < $1.mechanismUid }.map(\.json))
        case ("POST", "sessions", 1):
            let body = try request.controlBody(["user", "realm"])
            let (user, realm) = (try body.required("user"), try body.realm)
            let session = simulator.withService { $0.createSession(for: user, in: realm) }
            return ["cookie": .string(SimulatedService.sessionCookie), "session": .string(session)]
        case ("POST", "endpoints", 1):
            let body = try request.controlBody(["mechanismUid", "user", "realm", "enabled"])
            guard let isEnabled = try body.flag("enabled") else {
                throw ControlRefusal.badRequest("The member \"enabled\" is missing.")
            }
            let device = try mechanism(in: body)
            guard simulator.withService({ $0.enableEndpoint(isEnabled, of: device) }) else {
                throw ControlRefusal.badRequest("No device is registered as \(device).")
            }
            return [:]
        case ("POST", "resets", 1):
            try reset(try request.controlBody(["user", "realm", "kind"]))
            return [:]
        default:
            throw ControlRefusal(status: 404, message: "No control endpoint has this method and path.")
        }
    }

    /// Removes a user's profiles of one kind, or of both kinds if the request names no kind.
    private func reset(_ body: JSONValue) throws(ControlRefusal) {
        let (user, realm, kind) = (try body.required("user"), try body.realm, try body.text("kind"))
        guard [nil, "push", "oath"].contains(kind) else {
            throw .badRequest("The member \"kind\" is neither push nor oath.")
        }
        simulator.withService { service in
            if kind != "oath" { service.resetDevices(of: user, in: realm) }
            if kind != "push" { service.resetOneTimePasswords(of: user, in: realm) }
        }
    }

    /// Returns the id of the mechanism that a request names.
    ///
    /// If the request names a user instead, the mechanism is that of the user's first device.
    private func mechanism(in body: JSONValue) throws(ControlRefusal) -> String {
        guard let user = try body.text("user") else { return try body.required("mechanismUid") }
        let realm = try body.realm
        guard let device = simulator.withService({ $0.devices(of: user, in: realm).first }) else {
            throw .badRequest("\(user) has no device.")
        }
        return device.mechanismUid
    }
}

extension String {
    /// Returns whether two strings are equal.
    ///
    /// The duration does not reveal where strings of the same length differ.
    fileprivate func isSame(as other: String) -> Bool {
        let (own, others) = (Array(utf8), Array(other.utf8))
        return own.count == others.count && zip(own, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

private struct ControlRefusal: Error {
    let status: Int
    let message: String

    static func badRequest(_ message: String) -> ControlRefusal {
        ControlRefusal(status: 400, message: message)
    }
}

extension SimulatedRequest {
    /// Returns the body, which must be a JSON object; rejects members that are not in `known`.
    fileprivate func controlBody(_ known: Set<String>) throws(ControlRefusal) -> JSONValue {
        guard let json = JSONValue(json: body), case .object(let members) = json else {
            throw .badRequest("The body is not a JSON object.")
        }
        let unknown = members.keys.filter { !known.contains($0) }.sorted()
        guard unknown.isEmpty else {
            throw .badRequest("The body has unknown members: \(unknown.joined(separator: ", ")).")
        }
        return json
    }
}

extension RegistrationCode {
    /// The code as JSON for the simulator's owner, with the secret of the registration URI as a separate value.
    fileprivate var controlJSON: JSONValue {
        [
            "uri": .string(uri),
            "secret": registration.sharedSecret.withBase64 { .string($0) },
            "messageId": .string(registration.messageId),
        ]
    }
}

extension RegistrationOrder {
    fileprivate static let controlMembers = OneTimeCodeOrder.controlMembers.union([
        "issuer", "account", "realm", "user", "codes", "image", "color", "policies", "push",
    ])

    fileprivate init(control body: JSONValue) throws(ControlRefusal) {
        self.init(issuer: try body.required("issuer"), account: try body.required("account"))
        realm = try body.realm
        userId = try body.text("user")
        account.imageURL = try body.text("image")
        account.backgroundColor = try body.text("color")
        let digits = account.backgroundColor.map { $0.hasPrefix("#") ? $0.dropFirst() : $0[...] }
        guard digits?.allSatisfy(\.isHexDigit) ?? true else {
            throw .badRequest("The member \"color\" is not hexadecimal.")
        }
        account.policies = try body.textOrObject("policies", \.text)
        codes = try OneTimeCodeOrder.ordered(by: body)
    }
}

extension OneTimeCodeOrder {
    fileprivate static let controlMembers: Set = ["digits", "algorithm", "period", "counter"]

    /// Returns the order for the one-time passwords that a body requests; `nil` if the body requests none.
    fileprivate static func ordered(by body: JSONValue) throws(ControlRefusal) -> OneTimeCodeOrder? {
        let kind = try body.text("codes")
        // Servers name a hash function only in registrations of time-based one-time passwords, so `hotp` excludes
        // `algorithm`.
        let fitting: Set<String>
        switch kind {
        case nil: fitting = []
        case "totp"?: fitting = ["digits", "algorithm", "period"]
        case "hotp"?: fitting = ["digits", "counter"]
        default: throw .badRequest("The member \"codes\" is neither totp nor hotp.")
        }
        for name in controlMembers.subtracting(fitting).sorted() where body[name] != nil {
            throw .badRequest(
                "The member \"\(name)\" is not allowed for \(kind ?? "a code without one-time passwords")."
            )
        }
        guard let kind else { return nil }
        let period = try body.number("period", in: 1...86_400) ?? 30
        let counter = try body.number("counter", in: 0...(.max)) ?? 0
        var order = OneTimeCodeOrder(kind == "totp" ? .time(period: period) : .counter(counter))
        order.digits = try body.number("digits", in: 6...8) ?? 6
        let algorithm = OathAlgorithm(name: try body.text("algorithm") ?? "SHA1")
        guard order.digits != 7, let algorithm, [.sha1, .sha256, .sha512].contains(algorithm) else {
            throw .badRequest("Servers support only 6 or 8 digits, and only SHA1, SHA256 and SHA512.")
        }
        order.algorithm = algorithm
        return order
    }
}

extension PushOrder {
    fileprivate static let controlMembers: Set = [
        "mechanismUid", "user", "realm", "type", "message", "numbers", "customPayload", "contextInfo", "ttl",
        "bindingMessage", "username",
    ]

    fileprivate init(
        control body: JSONValue,
        to mechanismUid: String,
        _ settings: ServiceSettings
    ) throws(ControlRefusal) {
        guard let type = PushType(rawValue: try body.required("type")) else {
            throw .badRequest("The member \"type\" is not default, challenge or biometric.")
        }
        self.init(mechanismUid: mechanismUid, type: type)
        message = try body.text("message")
        bindingMessage = try body.text("bindingMessage")
        userName = try body.text("username")
        numbers = try body.numbers()
        customPayload = try body.textOrObject("customPayload", settings.text)
        contextInfo = try body.textOrObject("contextInfo", settings.text)
        timeToLive = try body.number("ttl", in: 0...(.max)) ?? timeToLive
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) throws(ControlRefusal) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw .badRequest("The member \"\(name)\" is not text.") }
        return text
    }

    fileprivate func flag(_ name: String) throws(ControlRefusal) -> Bool? {
        guard let value = self[name] else { return nil }
        guard case .bool(let flag) = value else {
            throw .badRequest("The member \"\(name)\" is neither true nor false.")
        }
        return flag
    }

    fileprivate func required(_ name: String) throws(ControlRefusal) -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw .badRequest("The member \"\(name)\" is missing.")
        }
        return text
    }

    fileprivate var realm: Realm {
        get throws(ControlRefusal) { Realm(try text("realm") ?? "/") }
    }

    fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws(ControlRefusal) -> Int? {
        guard let value = self[name] else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw .badRequest("The member \"\(name)\" is not a whole number that servers accept.")
        }
        return number
    }

    /// Returns three two-digit numbers as a string, such as `34,43,57`; `nil` if the body has no numbers.
    ///
    /// The body may contain the numbers as one string, or as a list of numbers or strings.
    fileprivate func numbers() throws(ControlRefusal) -> String? {
        guard let value = self["numbers"] else { return nil }
        var elements: [JSONValue] = []
        if case .array(let list) = value { elements = list }
        if case .string(let text) = value {
            elements = text.split(separator: ",", omittingEmptySubsequences: false).map {
                .string(String($0))
            }
        }
        let numbers = elements.compactMap { element -> Int? in
            switch element {
            case .integer(let number): number
            case .string(let text): Int(text.trimmingCharacters(in: .whitespaces))
            default: nil
            }
        }
        guard elements.count == 3, numbers.count == 3, numbers.allSatisfy((10...99).contains) else {
            throw .badRequest("The member \"numbers\" must contain three numbers of two digits.")
        }
        return numbers.map(String.init).joined(separator: ",")
    }

    /// Returns a string member unchanged, and an object as `write` converts it; `nil` if there is no such member.
    fileprivate func textOrObject(
        _ name: String,
        _ write: (JSONValue) -> String
    ) throws(ControlRefusal) -> String? {
        guard let value = self[name], case .object = value else { return try text(name) }
        return write(value)
    }
}
