public import Foundation
public import PushBridgeCore

/// The content of a login push to create.
public struct PushOrder: Equatable, Sendable {
    /// The id of the mechanism that receives the push.
    public var mechanismUid: String
    /// The type of the push, which determines how the user approves it.
    public var type: PushType
    /// The text that the device shows; `nil` means the servers' default text.
    ///
    /// The text may contain `{{user}}` and `{{issuer}}` as placeholders for the user's name and the issuer.
    public var message: String?
    /// The text of a request for backchannel authentication (CIBA), which replaces ``message``.
    ///
    /// Nodes have supported this text since AM 6.5.2.
    public var bindingMessage: String?
    /// The name that the user typed, which is the value of `{{user}}`; `nil` means the account's name.
    public var userName: String?
    /// The numbers of a challenge, such as `34,43,57`.
    ///
    /// The login page shows the first number. The push contains all numbers in ascending order.
    ///
    /// If the value is `nil`, a push of the type `challenge` contains three random numbers.
    public var numbers: String?
    /// The custom payload of the administrator, as JSON text; `nil` means an empty payload.
    public var customPayload: String?
    /// The origin of the login, as JSON text; `nil` means that the push contains no origin.
    public var contextInfo: String?
    /// The number of seconds for which the login waits.
    public var timeToLive = 120

    /// Creates an order; the optional properties can be set afterwards.
    /// - Parameters:
    ///   - mechanismUid: The id of the mechanism that receives the push.
    ///   - type: The type of the push.
    ///   - message: The text; `nil` means the server's default.
    ///   - numbers: The numbers of a challenge, for example `34,43,57`, with the right number first; `nil` means random
    ///     numbers.
    public init(
        mechanismUid: String,
        type: PushType = .default,
        message: String? = nil,
        numbers: String? = nil
    ) {
        self.mechanismUid = mechanismUid
        self.type = type
        self.message = message
        self.numbers = numbers
    }
}

/// The state of a login push.
public enum PushState: String, CaseIterable, Sendable {
    /// No answer has arrived yet.
    case waiting
    /// The user approved the push; for a challenge, with the right number or without a number.
    case approved
    /// The user denied the push, or answered a challenge with a number that the login page does not show.
    case denied
    /// No answer arrived in time.
    case expired
}

/// A push to deliver to a device.
public struct PushDelivery: Equatable, Sendable {
    /// The server's message id.
    public let messageId: String
    /// The challenge in standard base64.
    public let challenge: String
    /// The APNs token of the device.
    public let deviceToken: String
    /// For a challenge, the number that the login page shows; `nil` for other pushes.
    public let number: Int?
    /// The number of seconds for which the login waits, according to the push.
    public let timeToLive: Int
    /// The APNs payload as text, with the server's order of members.
    public let payloadText: String
    /// The APNs payload.
    public let payload: JSONValue
    /// The server's request to Amazon's service.
    ///
    /// Amazon's service creates the payload from this request.
    public let publication: PushPublication

    init(
        _ message: PushMessage,
        deviceToken: String,
        number: Int?,
        timeToLive: Int,
        aps: OrderedObject,
        isCompact: Bool,
        publication: (_ payloadText: String) -> PushPublication
    ) {
        messageId = message.id
        challenge = message.challenge
        self.deviceToken = deviceToken
        self.number = number
        self.timeToLive = timeToLive
        let text = aps.text(isCompact: isCompact)
        payloadText = isCompact ? "{\"aps\":\(text)}" : "{ \"aps\": \(text) }"
        payload = ["aps": aps.json]
        self.publication = publication(payloadText)
    }

    /// The push as the control endpoint returns it.
    public var json: JSONValue {
        [
            "messageId": .string(messageId), "challenge": .string(challenge), "payload": payload,
            "payloadText": .string(payloadText), "number": number.map(JSONValue.integer) ?? .null,
            "publication": publication.json,
        ]
    }
}

/// A request in which the server asks Amazon's Simple Notification Service to publish a push.
public struct PushPublication: Equatable, Sendable {
    /// The endpoint of the device.
    public let targetArn: String
    /// The text that the device shows.
    public let subject: String
    /// A JSON object with a string for each kind of endpoint: `default`, `GCM`, `APNS` and `APNS_SANDBOX`.
    public let message: String

    /// The publication as the control endpoint returns it.
    var json: JSONValue {
        [
            "TargetArn": .string(targetArn), "Subject": .string(subject), "MessageStructure": "json",
            "Message": .string(message),
        ]
    }
}

/// A login push that the server has created.
///
/// The value contains all data that is needed to validate an answer, because a device may answer after its profile
/// has been removed.
struct SimulatedPush: Sendable {
    let mechanismUid: String
    let secret: SharedSecret
    let realm: Realm
    let challenge: Data
    let sender: String
    let order: PushOrder
    /// For a challenge, the number that the login page shows; `nil` for other pushes.
    var number: Int?
    /// The date when the message expires.
    let expiry: Date
    /// The date when the login page first polled and found no answer; `nil` before that poll.
    private var firstLook: Date?
    private var answer: PushState?
    /// Whether the login page polled after the push had expired.
    ///
    /// Such a poll ends the login; a later answer has no effect.
    private var isOver = false
    /// Whether an answer was consumed, so that the server has removed the message.
    private(set) var isConsumed = false

    init(
        _ order: PushOrder,
        to device: SimulatedDevice,
        challenge: Data,
        number: Int?,
        sender: String,
        expiry: Date
    ) {
        mechanismUid = device.mechanismUid
        secret = device.sharedSecret
        realm = device.realm
        self.order = order
        self.challenge = challenge
        self.number = number
        self.sender = sender
        self.expiry = expiry
    }

    func state(at now: Date, _ settings: ServiceSettings) -> PushState {
        if isOver { return .expired }
        if let answer { return answer }
        let hasPageGivenUp =
            settings.hasPageTimeout
            && firstLook.map { now >= $0 + TimeInterval(order.timeToLive) } ?? false
        return now < expiry && !hasPageGivenUp ? .waiting : .expired
    }

    /// Polls the state of the push, as a login page does.
    ///
    /// If an answer has arrived, the poll consumes the answer.
    mutating func look(at now: Date, _ settings: ServiceSettings) -> PushState {
        let state = state(at: now, settings)
        switch state {
        case .waiting: firstLook = firstLook ?? now
        case .expired: isOver = true
        case .approved, .denied: isConsumed = true
        }
        return state
    }

    /// Returns whether the server still has the message.
    func isKnown(at now: Date, _ settings: ServiceSettings) -> Bool {
        let isRevived = settings.sender == .node && settings.has(.revivedMessages)
        return (!isConsumed || isRevived) && (now < expiry || settings.has(.lateAnswers))
    }

    /// Stores a valid answer in place of an earlier one, unless the message has expired or an answer was consumed.
    mutating func take(_ decision: PushState, from place: MessageLocation, at now: Date) {
        if now < expiry, !isConsumed { answer = decision }
        if place == .memory { isConsumed = true }
    }

    /// Denies the login and consumes the message immediately.
    mutating func end() { (answer, isConsumed) = (.denied, true) }
}

extension PushOrder {
    /// Returns the text that a device of an account shows.
    func text(for account: AccountKey) -> String {
        (bindingMessage ?? message ?? "Login attempt from {{user}} at {{issuer}}")
            .replacingOccurrences(of: "{{user}}", with: userName ?? account.accountName)
            .replacingOccurrences(of: "{{issuer}}", with: account.issuer)
    }

    /// Returns the numbers of the order, with the right number first; empty if the order has no numbers, `nil` if a
    /// part of the text is not a number.
    func orderedNumbers() -> [Int]? {
        guard let numbers else { return [] }
        let parts = numbers.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let values = parts.compactMap { Int($0) }
        return values.count == parts.count ? values : nil
    }
}

extension SimulatedService {
    /// Creates a login push.
    ///
    /// The caller must deliver the push.
    ///
    /// - Parameters:
    ///   - order: The recipient and the content of the push.
    ///   - now: The time of the service.
    /// - Returns: The push to deliver, with the number that a login page would show.
    /// - Throws: ``SimulatorError`` if the device is unknown or unreachable, if the order is invalid, or if the custom
    ///   payload is too large. The delivery checks whether APNs accepts the whole payload.
    public mutating func createPush(
        _ order: PushOrder,
        at now: Date
    ) throws(SimulatorError) -> PushDelivery {
        guard let device = devices[order.mechanismUid] else {
            throw SimulatorError(
                code: .unknownMechanism,
                reason: "No device is registered as \(order.mechanismUid)."
            )
        }
        guard !device.deviceToken.isEmpty else {
            let reason = "The device \(order.mechanismUid) has no token that APNs accepts."
            throw SimulatorError(code: .unreachable, reason: reason)
        }
        guard device.isEndpointEnabled else {
            let reason =
                "Amazon SNS disabled the endpoint of \(order.mechanismUid). Register the device, or let it send a token."
            throw SimulatorError(code: .unreachable, reason: reason)
        }
        guard order.timeToLive >= 0 else {
            throw SimulatorError(code: .invalidOrder, reason: "The number of seconds (ttl) is negative.")
        }
        guard order.bindingMessage == nil || settings.sender == .node else {
            let reason = "Only nodes send a bindingMessage; the simulated sender is a module."
            throw SimulatorError(code: .invalidOrder, reason: reason)
        }
        let payloadSize = settings.hasRichPushes ? order.customPayload?.utf8.count ?? 0 : 0
        guard payloadSize <= PushChannel.largestCustomPayload else {
            let reason = "The custom payload has \(payloadSize) bytes; servers send 3072 at most."
            throw SimulatorError(code: .payloadTooLarge, reason: reason)
        }
        let isChallenge = order.type == .challenge && settings.hasRichPushes
        let numbers = isChallenge ? try numbers(order) : []
        let challenge = chance.bytes(settings.challengeSize)
        let message = PushMessage(
            id: messageId("AUTHENTICATE", at: now),
            challenge: challenge.base64EncodedString()
        )
        let sender = nextSender()
        let alert = order.text(for: device.account)
        var claims = settings.claims(
            order,
            alert,
            to: device,
            message,
            numbers: numbers,
            sender: sender,
            now: now
        )
        if settings.has(.sortedClaims) { claims.sort { $0.name < $1.name } }
        let text = Data(claims.text(isCompact: true).utf8)
        let token =
            settings.has(.untypedTokens)
            ? device.sharedSecret.untypedToken(claims: text) : device.sharedSecret.signedToken(claims: text)
        let delivery = PushDelivery(
            message,
            deviceToken: device.deviceToken,
            number: numbers.first,
            timeToLive: order.timeToLive,
            aps: settings.aps(order.type, text: alert, messageId: message.id, token: token),
            isCompact: settings.has(.compactPayloads),
            publication: { payload in
                settings.publication(of: payload, alert, message, token: token, to: device)
            }
        )
        if settings.has(.mixedChallenges), let number = numbers.first {
            for (id, other) in pushes where other.number != nil && other.state(at: now, settings) == .waiting
            {
                pushes[id]?.number = number
            }
        }
        pushes[message.id] = SimulatedPush(
            order,
            to: device,
            challenge: challenge,
            number: numbers.first,
            sender: sender,
            expiry: now.addingTimeInterval(settings.messageLifetime)
        )
        return delivery
    }

    private mutating func numbers(_ order: PushOrder) throws(SimulatorError) -> [Int] {
        guard let asked = order.orderedNumbers() else {
            throw SimulatorError(
                code: .invalidOrder,
                reason: "One of the numbers in the challenge is invalid."
            )
        }
        return asked.isEmpty ? chance.numbers(mayRepeat: settings.version == .v7_2) : asked
    }

    /// Returns the number that the login page of a challenge shows; `nil` for any other push.
    /// - Parameter messageId: The id of the push.
    /// - Returns: The number; `nil` if the push is not a challenge or does not exist.
    public func number(ofPush messageId: String) -> Int? { pushes[messageId]?.number }

    /// Returns the state of a push; `nil` if the service sent no push with this id.
    /// - Parameters:
    ///   - messageId: The id of the push.
    ///   - now: The time of the service.
    /// - Returns: The state at that time; `nil` if the service sent no push with this id.
    public func state(ofPush messageId: String, at now: Date) -> PushState? {
        pushes[messageId]?.state(at: now, settings)
    }

    /// Polls the state of a push, as a login page does.
    ///
    /// If an answer has arrived, the poll consumes the answer.
    ///
    /// - Parameters:
    ///   - messageId: The id of the push.
    ///   - now: The time of the service.
    /// - Returns: The state of the push; `nil` if the service sent no push with this id.
    public mutating func look(afterPush messageId: String, at now: Date) -> PushState? {
        guard let state = pushes[messageId]?.look(at: now, settings) else { return nil }
        if state == .approved, settings.keepsLastAccess, let device = pushes[messageId]?.mechanismUid {
            devices[device]?.lastAccess = now
        }
        return state
    }
}

extension ServiceSettings {
    /// Returns the claims of a push in the server's order.
    ///
    /// All values are strings.
    fileprivate func claims(
        _ order: PushOrder,
        _ text: String,
        to device: SimulatedDevice,
        _ message: PushMessage,
        numbers: [Int],
        sender: String,
        now: Date
    ) -> OrderedObject {
        let balancer = Data(Topology.pair(sender).utf8).base64EncodedString()
        var claims = [("u", device.mechanismUid), ("l", balancer), ("c", message.challenge)]
        if hasRichPushes { claims += [("m", text), ("k", order.type.rawValue)] }
        if version.hasRichPushes { claims.append(("i", String(now.millisecondsSince1970))) }
        claims.append(("t", String(order.timeToLive)))
        if hasRichPushes {
            if version.namesUser { claims.append(("d", device.user)) }
            // The server's serializer writes two spaces into an empty object.
            claims.append(("p", order.customPayload ?? nothing))
            if let context = order.contextInfo { claims.append(("x", context)) }
            if !numbers.isEmpty {
                claims.append(("n", numbers.sorted().map(String.init).joined(separator: ",")))
            }
        }
        return claims.map { (name: $0.0, value: JSONValue.string($0.1)) }
    }
}

extension ServiceSettings {
    /// Creates the request to Amazon's service.
    fileprivate func publication(
        of payload: String,
        _ text: String,
        _ message: PushMessage,
        token: String,
        to device: SimulatedDevice
    ) -> PushPublication {
        let isCompact = has(.compactPayloads)
        let isLowerCase = version >= .v8_0_2 || version == .v7_5 && has(.lowerCasePriority)
        let google: OrderedObject = [
            (isLowerCase ? "priority" : "PRIORITY", "high"),
            ("data", ["message": .string(token), "messageId": .string(message.id)]),
        ]
        let document: OrderedObject = [
            ("default", .string(text)), ("GCM", .string(google.text(isCompact: isCompact))),
            ("APNS", .string(payload)), ("APNS_SANDBOX", .string(payload)),
        ]
        return PushPublication(
            targetArn: device.communicationId,
            subject: text,
            message: document.text(isCompact: isCompact)
        )
    }
}

extension SharedSecret {
    /// Returns a signed token like ``signedToken(claims:)``, but without `typ` in the header.
    fileprivate func untypedToken(claims: Data) -> String {
        let input = [Data(#"{"alg":"HS256"}"#.utf8), claims].map(Base64.encodeURLSafe).joined(separator: ".")
        let signature = ChallengeResponse.compute(challenge: Data(input.utf8), secret: self)
        return "\(input).\(Base64.encodeURLSafe(Base64.decode(signature) ?? Data()))"
    }
}
