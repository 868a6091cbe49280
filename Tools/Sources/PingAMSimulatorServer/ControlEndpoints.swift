import Foundation
public import PingAMSimulator
public import PushBridgeCore

extension SimulatorServer {
    /// Sends a push on, and says what came of it.
    public typealias Forwarding = @Sendable (PushDelivery) async -> JSONValue
}

/// What the simulator's owner may ask over HTTP, under a path that nobody else can guess.
///
/// Any process of the machine reaches the port, and what is asked here hands out secrets and signed pushes.
struct ControlEndpoints: Sendable {
    let simulator: Simulator
    /// Sends each push on and says what came of it, for who asked for the push.
    let forward: SimulatorServer.Forwarding?
    /// The first two names of every path.
    let prefix = ["control", UUID().uuidString.lowercased()]

    /// What follows the prefix in a request's path; `nil` if it is not for these endpoints.
    func path(of request: SimulatedRequest) -> [String]? {
        let parts = request.path.split(separator: "/").map(String.init)
        return parts.starts(with: prefix) ? Array(parts.dropFirst(prefix.count)) : nil
    }

    func response(to request: SimulatedRequest, path: [String]) async -> SimulatedResponse {
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
            return SimulatedResponse(status: 500, refusal: "The push was not delivered: \(error)")
        }
    }

    private func perform(_ request: SimulatedRequest, path: [String]) async throws -> JSONValue {
        switch (request.method, path.first, path.count) {
        case ("POST", "registrations", 1):
            let order = try RegistrationOrder(control: try request.controlBody())
            return try simulator.createCode(order).controlJSON
        case ("GET", "registrations", 2):
            guard let state = simulator.look(afterRegistration: path[1]) else {
                throw ControlRefusal(status: 404, message: "No code has the messageId \(path[1]).")
            }
            return ["state": .string(state.rawValue)]
        case ("POST", "pushes", 1):
            let body = try request.controlBody()
            let push = try simulator.createPush(try PushOrder(control: body, to: try mechanism(in: body)))
            guard let forward, case .object(var members) = push.json else { return push.json }
            members["apns"] = await forward(push)
            return .object(members)
        case ("GET", "pushes", 2):
            // Asking is the login page's look, which uses up an answer.
            guard let state = simulator.look(afterPush: path[1]) else {
                throw ControlRefusal(status: 404, message: "No push has the messageId \(path[1]).")
            }
            return ["state": .string(state.rawValue)]
        case ("GET", "journal", 1):
            return .array(simulator.journal.map(\.json))
        case ("GET", "devices", 1):
            let devices = simulator.withService(\.devices).values
            return .array(devices.sorted { $0.mechanismUid < $1.mechanismUid }.map(\.json))
        case ("POST", "sessions", 1), ("POST", "resets", 1):
            let body = try request.controlBody()
            let (user, realm) = (try body.required("user"), Realm(try body.text("realm") ?? "/"))
            return simulator.withService { service in
                guard path.first == "sessions" else {
                    service.resetDevices(of: user, in: realm)
                    return [:]
                }
                let session = service.createSession(for: user, in: realm)
                return ["cookie": .string(SimulatedService.sessionCookie), "session": .string(session)]
            }
        default:
            throw ControlRefusal(status: 404, message: "There is no such control endpoint.")
        }
    }

    /// The mechanism that a push is for: servers send to the first device of a user.
    private func mechanism(in body: JSONValue) throws(ControlRefusal) -> String {
        guard let user = try body.text("user") else { return try body.required("mechanismUid") }
        let realm = Realm(try body.text("realm") ?? "/")
        guard let device = simulator.withService({ $0.devices(of: user, in: realm).first }) else {
            throw .badRequest("\(user) has no device.")
        }
        return device.mechanismUid
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
    fileprivate func controlBody() throws(ControlRefusal) -> JSONValue {
        guard let json = JSONValue(json: body), case .object = json else {
            throw .badRequest("The body is not a JSON object.")
        }
        return json
    }
}

extension RegistrationCode {
    /// The one place where a secret is shown: to the simulator's owner, who asked for it.
    fileprivate var controlJSON: JSONValue {
        [
            "uri": .string(uri),
            "secret": registration.sharedSecret.withBase64 { .string($0) },
            "messageId": .string(registration.messageId),
        ]
    }
}

extension RegistrationOrder {
    fileprivate init(control body: JSONValue) throws(ControlRefusal) {
        self.init(issuer: try body.required("issuer"), account: try body.required("account"))
        if let realm = try body.text("realm") { self.realm = Realm(realm) }
        userId = try body.text("user")
        switch try body.text("codes") {
        case nil: break
        case "totp"?: codes = OneTimeCodeOrder()
        case "hotp"?: codes = OneTimeCodeOrder(.counter(0))
        default: throw .badRequest("codes is neither totp nor hotp.")
        }
    }
}

extension PushOrder {
    fileprivate init(control body: JSONValue, to mechanismUid: String) throws(ControlRefusal) {
        guard let type = PushType(rawValue: try body.required("type")) else {
            throw .badRequest("type is none of default, challenge and biometric.")
        }
        self.init(mechanismUid: mechanismUid, type: type)
        if let message = try body.text("message") { self.message = message }
        numbers = try body.numbers()
        customPayload = try body.textOrObject("customPayload")
        contextInfo = try body.textOrObject("contextInfo")
        guard let ttl = body["ttl"] else { return }
        guard case .integer(let seconds) = ttl else { throw .badRequest("ttl is not a whole number.") }
        timeToLive = seconds
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) throws(ControlRefusal) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw .badRequest("\(name) is not text.") }
        return text
    }

    fileprivate func required(_ name: String) throws(ControlRefusal) -> String {
        guard let text = try text(name), !text.isEmpty else { throw .badRequest("\(name) is missing.") }
        return text
    }

    /// Numbers as text, `34,43,57`, or as a list of numbers or texts.
    fileprivate func numbers() throws(ControlRefusal) -> String? {
        guard case .array(let elements)? = self["numbers"] else { return try text("numbers") }
        let texts = elements.compactMap { element -> String? in
            switch element {
            case .integer(let number): String(number)
            case .string(let text): text
            default: nil
            }
        }
        guard texts.count == elements.count else { throw .badRequest("numbers are no numbers.") }
        return texts.joined(separator: ",")
    }

    fileprivate func textOrObject(_ name: String) throws(ControlRefusal) -> String? {
        guard let value = self[name], case .object = value else { return try text(name) }
        return value.text
    }
}
