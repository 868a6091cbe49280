import Foundation
import PushBridgeCore

extension SimulatedService {
    /// Answers the simulator's owner.
    mutating func control(_ request: SimulatedRequest, at now: Date) -> SimulatedReply {
        do {
            return try performControl(request, at: now)
        } catch let refusal as Refusal {
            return SimulatedReply(refusal.response)
        } catch let error as SimulatorError {
            return SimulatedReply(Refusal.badRequest(error.reason).response)
        } catch {
            return SimulatedReply(Refusal.internalError("\(error)").response)
        }
    }

    private mutating func performControl(_ request: SimulatedRequest, at now: Date) throws -> SimulatedReply {
        let parts = request.path.split(separator: "/").dropFirst().map(String.init)
        switch (request.method, parts.first, parts.count) {
        case ("POST", "registrations", 1):
            let order = try RegistrationOrder(control: try request.controlBody())
            return SimulatedReply(SimulatedResponse(json: try createRegistration(order, at: now).controlJSON))
        case ("POST", "pushes", 1):
            let push = try createPush(try PushOrder(control: try request.controlBody()), at: now)
            return SimulatedReply(SimulatedResponse(json: push.json), delivery: push)
        case ("GET", "pushes", 2):
            guard let state = state(ofPush: parts[1], at: now) else {
                throw Refusal.notFound("No push has the messageId \(parts[1]).")
            }
            return SimulatedReply(SimulatedResponse(json: ["state": .string(state.rawValue)]))
        case ("GET", "journal", 1):
            return SimulatedReply(SimulatedResponse(json: .array(journal.map(\.json))))
        case ("GET", "devices", 1):
            let sorted = devices.values.sorted { $0.mechanismUid < $1.mechanismUid }
            return SimulatedReply(SimulatedResponse(json: .array(sorted.map(\.json))))
        default:
            throw Refusal.notFound("There is no \(request.method) \(request.path).")
        }
    }
}

extension SimulatedRequest {
    fileprivate func controlBody() throws(Refusal) -> JSONValue {
        guard let json = JSONValue(json: body), case .object = json else {
            throw .badRequest("The body is not a JSON object.")
        }
        return json
    }
}

extension PushRegistration {
    /// The one place where a secret is shown: to the simulator's owner, who asked for it.
    fileprivate var controlJSON: JSONValue {
        [
            "uri": .string(uri(labelIssuer: "forgerock")),
            "secret": sharedSecret.withBase64 { .string($0) },
            "messageId": .string(messageId),
        ]
    }
}

extension RegistrationOrder {
    fileprivate init(control body: JSONValue) throws(Refusal) {
        self.init(issuer: try body.required("issuer"), account: try body.required("account"))
        if let realm = try body.text("realm") { self.realm = Realm(realm) }
    }
}

extension PushOrder {
    fileprivate init(control body: JSONValue) throws(Refusal) {
        guard let type = PushType(rawValue: try body.required("type")) else {
            throw .badRequest("type is none of default, challenge and biometric.")
        }
        self.init(mechanismUid: try body.required("mechanismUid"), type: type)
        if let message = try body.text("message") { self.message = message }
        numbers = try body.text("numbers")
        customPayload = try body.textOrObject("customPayload")
        contextInfo = try body.textOrObject("contextInfo")
        guard let ttl = body["ttl"] else { return }
        guard case .integer(let seconds) = ttl else { throw .badRequest("ttl is not a whole number.") }
        timeToLive = seconds
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) throws(Refusal) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw .badRequest("\(name) is not text.") }
        return text
    }

    fileprivate func required(_ name: String) throws(Refusal) -> String {
        guard let text = try text(name), !text.isEmpty else { throw .badRequest("\(name) is missing.") }
        return text
    }

    fileprivate func textOrObject(_ name: String) throws(Refusal) -> String? {
        guard let value = self[name], case .object = value else { return try text(name) }
        return value.text
    }
}
