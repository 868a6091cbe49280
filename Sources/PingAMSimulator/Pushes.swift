public import Foundation
public import PushBridgeCore

/// What a login push is to say.
public struct PushOrder: Equatable, Sendable {
    /// The mechanism that is to answer.
    public var mechanismUid: String
    /// What the user has to do.
    public var type: PushType
    /// The text that the device shows.
    public var message: String
    /// The numbers of a challenge, `34,43,57`; the first is the one that the login page shows.
    ///
    /// Three are drawn for a challenge that names none.
    public var numbers: String?
    /// The app's own payload, JSON text.
    public var customPayload: String?
    /// Where the login comes from, JSON text.
    public var contextInfo: String?
    /// How many seconds the login waits.
    public var timeToLive = 120

    /// Creates an order; everything optional is set afterwards.
    public init(mechanismUid: String, type: PushType = .default, message: String = "Login attempt") {
        self.mechanismUid = mechanismUid
        self.type = type
        self.message = message
    }
}

/// What became of a login push.
public enum PushState: String, CaseIterable, Sendable {
    /// No answer came yet.
    case waiting
    /// The user approved; of a challenge, with the right number.
    case approved
    /// The user denied, or answered a challenge with another number than the one shown.
    case denied
    /// No answer came in time.
    case expired
}

/// A push on its way to a device.
public struct PushDelivery: Equatable, Sendable {
    /// The largest payload that APNs delivers.
    public static let largestPayload = 4096

    /// The server's id of the message.
    public let messageId: String
    /// The challenge, in standard base64.
    public let challenge: String
    /// The APNs token of the device.
    public let deviceToken: String
    /// What is inside `aps`.
    let aps: JSONValue

    init(_ message: PushMessage, deviceToken: String, token: String, alert: String) {
        messageId = message.id
        challenge = message.challenge
        self.deviceToken = deviceToken
        aps = [
            "alert": .string(alert),
            "sound": "default",
            "content-available": "1",
            "messageId": .string(message.id),
            "data": .string(token),
        ]
    }

    /// The APNs payload.
    public var payload: JSONValue { ["aps": aps] }

    /// The push as the control endpoint shows it.
    public var json: JSONValue {
        ["messageId": .string(messageId), "challenge": .string(challenge), "payload": payload]
    }
}

/// A login push as the server remembers it.
struct SimulatedPush: Sendable {
    let mechanismUid: String
    let realm: Realm
    let challenge: Data
    /// The number the login page shows, of a challenge.
    let number: String?
    let sender: String?
    let expiry: Date
    private var answer: PushState?

    init(_ order: PushOrder, realm: Realm, challenge: Data, sender: String?, sentAt: Date) {
        mechanismUid = order.mechanismUid
        self.realm = realm
        self.challenge = challenge
        number = order.type == .challenge ? order.shownNumber : nil
        self.sender = sender
        expiry = sentAt.addingTimeInterval(TimeInterval(order.timeToLive))
    }

    func state(at now: Date) -> PushState {
        answer ?? (now < expiry ? .waiting : .expired)
    }

    mutating func take(_ claims: JSONValue, mode: NodeMode) {
        let isRight = number == nil || claims["challengeResponse"] == number.map(JSONValue.string)
        answer = mode.denies(claims) || !isRight ? .denied : .approved
    }
}

extension PushOrder {
    /// The number of a challenge that the login page shows.
    var shownNumber: String? {
        numbers?.split(separator: ",").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension SimulatedService {
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
