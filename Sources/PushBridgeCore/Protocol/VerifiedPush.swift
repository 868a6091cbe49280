public import Foundation

/// A push whose signature was checked; only ``UnverifiedPush/verified(with:receivedAt:)`` makes one.
public struct VerifiedPush: Equatable, Sendable {
    /// The server's id of the message.
    public let messageId: String
    /// The credential whose secret signed the push.
    public let credentialId: String
    /// When the device received the push.
    public let receivedAt: Date
    private let claims: PushClaims

    init(messageId: String, credentialId: String, claims: PushClaims, receivedAt: Date) {
        self.messageId = messageId
        self.credentialId = credentialId
        self.claims = claims
        self.receivedAt = receivedAt
    }

    /// The user's id, for a credential that has none yet.
    public var userId: String? { claims.userId }

    /// The notification to store, pending, under an id that the caller makes.
    public func notification(id: String) -> PushNotification {
        var notification = PushNotification(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: claims.challenge),
            ttl: claims.timeToLive,
            sentAt: claims.sentAt ?? receivedAt,
            createdAt: receivedAt
        )
        notification.pushType = claims.pushType
        notification.messageText = claims.messageText
        notification.customPayload = claims.customPayload
        notification.numbersChallenge = claims.numbersChallenge
        notification.contextInfo = claims.contextInfo
        notification.loadBalancer = claims.loadBalancer
        return notification
    }
}

/// The claims of a push; an optional one that is invalid counts as absent, because the push itself is signed.
struct PushClaims: Equatable, Sendable {
    static let standardTimeToLive = 120

    let challenge: String
    let timeToLive: Int
    let sentAt: Date?
    let pushType: PushType
    let messageText: String?
    let numbersChallenge: String?
    let customPayload: String?
    let contextInfo: String?
    let loadBalancer: String?
    let userId: String?

    init(_ claims: ClaimReader) throws(PushReceptionError) {
        challenge = try claims.challenge()
        timeToLive = claims.number("t", upTo: Int(Int32.max)) ?? Self.standardTimeToLive
        sentAt = claims.milliseconds("i", upTo: Self.latestMilliseconds).map {
            Date(millisecondsSince1970: Int64($0))
        }
        pushType = PushType(name: claims.text("k"))
        messageText = claims.text("m")
        let numbers = claims.text("n")
        numbersChallenge = pushType == .challenge ? numbers : nil
        customPayload = claims.json("p")
        contextInfo = claims.json("x")
        loadBalancer = claims.loadBalancer()
        userId = claims.text("d")
    }

    /// The end of the year 9999.
    private static let latestMilliseconds = 253_402_300_799_999
}

/// Reads single claims; `null` and another type than expected count as absent.
struct ClaimReader {
    private let claims: JSONValue

    /// Takes the claims of a token, or returns `nil` if they are no JSON object.
    init?(_ json: Data) {
        guard let claims = JSONValue(json: json), case .object = claims else { return nil }
        self.claims = claims
    }

    func text(_ name: String) -> String? { claims[name]?.string?.nonEmpty }

    func required(_ name: String) throws(PushReceptionError) -> String {
        if let text = text(name) { return text }
        switch claims[name] {
        case nil, .string?: throw .missingClaim(name)
        default: throw .invalidClaim(name)
        }
    }

    /// A whole number from 0 to `limit`, as a number or as decimal text.
    func number(_ name: String, upTo limit: Int) -> Int? {
        let number: Int?
        switch claims[name] {
        case .integer(let value)?: number = value
        case .number(let value)?: number = Int(exactly: value)
        case .string(let text)?: number = Int(text.trimmingCharacters(in: .whitespaces))
        default: number = nil
        }
        return number.flatMap { (0...limit).contains($0) ? $0 : nil }
    }

    /// A time in milliseconds, without the part of one.
    func milliseconds(_ name: String, upTo limit: Int) -> Int? {
        let number: Double? =
            switch claims[name] {
            case .number(let value)?: value
            case .string(let text)?: Double(text.trimmingCharacters(in: .whitespaces))
            default: nil
            }
        guard let number, number.isFinite, (0...Double(limit)).contains(number) else {
            return self.number(name, upTo: limit)
        }
        return Int(number)
    }

    /// JSON text, from text or from the object itself.
    func json(_ name: String) -> String? {
        guard case .object? = claims[name] else { return text(name) }
        return claims[name]?.text
    }

    /// The challenge, as the server spelled it.
    func challenge() throws(PushReceptionError) -> String {
        let challenge = try required("c")
        guard let bytes = Base64.decode(challenge), !bytes.isEmpty else { throw .invalidClaim("c") }
        return challenge
    }

    /// The load balancer's cookie pair, decoded; one that would break out of its header is ignored.
    func loadBalancer() -> String? {
        text("l").flatMap(Base64.decodeText).flatMap { $0.isHeaderValue ? $0 : nil }
    }
}
