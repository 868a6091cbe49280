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

    /// `credential` with the user's id the push brought, or `nil` if nothing is to be filled in.
    public func fillingUserId(in credential: PushCredential) -> PushCredential? {
        guard credential.id == credentialId, credential.userId == nil, let userId else { return nil }
        var filled = credential
        filled.userId = userId
        return filled
    }
}

/// The claims of a push, each checked for its type and sense.
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
        timeToLive = try claims.number("t", upTo: Int(Int32.max)) ?? Self.standardTimeToLive
        sentAt = try claims.number("i", upTo: Self.latestMilliseconds).map {
            Date(millisecondsSince1970: Int64($0))
        }
        pushType = PushType(name: try claims.text("k"))
        messageText = try claims.text("m")
        let numbers = try claims.text("n")
        numbersChallenge = pushType == .challenge ? numbers : nil
        customPayload = try claims.json("p")
        contextInfo = try claims.json("x")
        loadBalancer = try claims.loadBalancer()
        userId = try claims.text("d")
    }

    /// The end of the year 9999.
    private static let latestMilliseconds = 253_402_300_799_999
}

/// Reads single claims; `null` counts as absent, another type than expected is an error.
struct ClaimReader {
    private let claims: JSONValue

    /// Takes the claims of a token, or returns `nil` if they are no JSON object.
    init?(_ json: Data) {
        guard let claims = JSONValue(json: json), case .object = claims else { return nil }
        self.claims = claims
    }

    func text(_ name: String) throws(PushReceptionError) -> String? {
        guard let value = claims[name] else { return nil }
        guard case .string(let text) = value else { throw .invalidClaim(name) }
        return text.isEmpty ? nil : text
    }

    func required(_ name: String) throws(PushReceptionError) -> String {
        guard let text = try text(name) else { throw .missingClaim(name) }
        return text
    }

    /// A whole number from 0 to `limit`, as a number or as decimal text.
    func number(_ name: String, upTo limit: Int) throws(PushReceptionError) -> Int? {
        let number: Int?
        switch claims[name] {
        case nil, .string("")?: return nil
        case .integer(let value)?: number = value
        case .number(let value)?: number = Int(exactly: value)
        case .string(let text)?: number = Int(text.trimmingCharacters(in: .whitespaces))
        default: number = nil
        }
        guard let number, (0...limit).contains(number) else { throw .invalidClaim(name) }
        return number
    }

    /// JSON text, from text or from the object itself.
    func json(_ name: String) throws(PushReceptionError) -> String? {
        guard case .object? = claims[name] else { return try text(name) }
        return claims[name]?.text
    }

    /// The challenge, as the server spelled it.
    func challenge() throws(PushReceptionError) -> String {
        let challenge = try required("c")
        guard let bytes = Base64.decode(challenge), !bytes.isEmpty else { throw .invalidClaim("c") }
        return challenge
    }

    /// The load balancer's cookie pair, decoded; one that would break out of its header is refused.
    func loadBalancer() throws(PushReceptionError) -> String? {
        guard let encoded = try text("l") else { return nil }
        guard let pair = Base64.decodeText(encoded), pair.isHeaderValue else { throw .invalidClaim("l") }
        return pair
    }
}
