public import Foundation
public import PushBridgeCore

extension SimulatedService {
    /// Makes a registration QR code, whose text is `uri(labelIssuer: "forgerock")` as real servers write it.
    public mutating func createRegistration(
        _ order: RegistrationOrder,
        at now: Date
    ) throws(SimulatorError) -> PushRegistration {
        guard settings.realms.contains(order.realm) else {
            throw SimulatorError(
                code: .noPushService,
                reason: "The realm \(order.realm.path) has no push service."
            )
        }
        guard let endpoints = endpoints(of: order.realm) else {
            throw SimulatorError(code: .invalidOrder, reason: "The base is no address.")
        }
        var registration = PushRegistration(
            account: order.account,
            endpoints: endpoints,
            sharedSecret: chance.secret(),
            challenge: chance.bytes(),
            messageId: "REGISTER:\(chance.uuid())"
        )
        let sender = nextSender()
        registration.loadBalancer = sender.map(Topology.pair)
        registration.userId = order.userId
        registration.deviceResourceId = order.resourceId
        registrations[registration.messageId] = WaitingRegistration(
            registration: registration,
            realm: order.realm,
            sender: sender,
            expiry: now.addingTimeInterval(TimeInterval(settings.registrationTimeToLive))
        )
        return registration
    }

    /// Makes a login push; the caller delivers it.
    public mutating func createPush(
        _ order: PushOrder,
        at now: Date
    ) throws(SimulatorError) -> PushDelivery {
        guard let device = devices[order.mechanismUid] else {
            throw SimulatorError(
                code: .unknownMechanism,
                reason: "No device registered as \(order.mechanismUid)."
            )
        }
        guard order.timeToLive >= 0 else {
            throw SimulatorError(code: .invalidOrder, reason: "The ttl is negative.")
        }
        var order = order
        if order.type == .challenge {
            if order.numbers == nil { order.numbers = chance.numbers() }
            guard order.shownNumber != nil else {
                throw SimulatorError(code: .invalidOrder, reason: "The challenge names no number.")
            }
        }
        let challenge = chance.bytes()
        let message = PushMessage(
            id: "AUTHENTICATE:\(chance.uuid())",
            challenge: challenge.base64EncodedString()
        )
        let sender = nextSender()
        let claims = order.claims(to: device, challenge: message.challenge, sender: sender, now: now)
        let delivery = PushDelivery(
            message,
            deviceToken: device.deviceToken,
            token: device.sharedSecret.signedToken(claims: JSONValue.object(claims).data),
            alert: order.message
        )
        try SimulatorError.checkSize(delivery.payload.data)
        pushes[message.id] = SimulatedPush(
            order,
            realm: device.realm,
            challenge: challenge,
            sender: sender,
            sentAt: now
        )
        return delivery
    }

    /// What became of a push; `nil` if the service sent none with this id.
    public func state(ofPush messageId: String, at now: Date) -> PushState? {
        pushes[messageId]?.state(at: now)
    }

    private func endpoints(of realm: Realm) -> PushEndpoints? {
        let style = settings.realmStyle
        return PushEndpoints(
            registration: style.address(base: settings.base, realm: realm, action: "register"),
            authentication: style.address(base: settings.base, realm: realm, action: "authenticate")
        )
    }
}

extension PushOrder {
    fileprivate func claims(
        to device: SimulatedDevice,
        challenge: String,
        sender: String?,
        now: Date
    ) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [
            "u": .string(device.mechanismUid),
            "c": .string(challenge),
            "t": .string(String(timeToLive)),
            "i": .string(String(Int64((now.timeIntervalSince1970 * 1000).rounded(.down)))),
            "k": .string(type.rawValue),
            "m": .string(message),
        ]
        claims["l"] = sender.map { .string(Data(Topology.pair($0).utf8).base64EncodedString()) }
        claims["n"] = type == .challenge ? numbers.map(JSONValue.string) : nil
        claims["p"] = customPayload.map(JSONValue.string)
        claims["x"] = contextInfo.map(JSONValue.string)
        claims["d"] = device.userId.map(JSONValue.string)
        return claims
    }
}
