import Foundation

/// A push with a verified signature; only ``UnverifiedPush/verified(with:receivedAt:)`` creates it.
package struct VerifiedPush: Equatable, Sendable {
    /// The claims of a push, by their names in the token.
    package enum Claim: String, CaseIterable {
        case challenge = "c"
        case userId = "d"
        case sentAt = "i"
        case pushType = "k"
        case loadBalancer = "l"
        case messageText = "m"
        case numbersChallenge = "n"
        case customPayload = "p"
        case timeToLive = "t"
        case credentialId = "u"
        case contextInfo = "x"
    }

    /// The user's id; it is stored in the credential if the credential has no user id from the server.
    package let userId: String?
    /// Whether the server sent a date; this date is the same each time the push arrives.
    package let isDated: Bool
    /// The notification, without an id.
    private var notification: PushNotification

    /// Reads the claims.
    ///
    /// An invalid optional claim counts as absent: it is not an attack, because the server signed it, and the user can
    /// answer without it.
    ///
    /// - Throws: ``PushReceptionError`` if the challenge is missing or is not base64.
    init(
        _ claims: ClaimReader,
        messageId: String,
        credentialId: String,
        receivedAt: Date
    ) throws(PushReceptionError) {
        let sentAt = claims.milliseconds(.sentAt, upTo: Self.latestMilliseconds).map {
            Date(millisecondsSince1970: Int64($0))
        }
        isDated = sentAt != nil
        notification = PushNotification(
            id: "",
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: try claims.challenge()),
            ttl: claims.number(.timeToLive, upTo: Int(Int32.max)) ?? Self.standardTimeToLive,
            sentAt: sentAt ?? receivedAt,
            createdAt: receivedAt
        )
        userId = claims.text(.userId)
        notification.pushType = PushType(name: claims.text(.pushType))
        notification.messageText = claims.text(.messageText)
        notification.customPayload = claims.json(.customPayload)
        if notification.pushType == .challenge {
            notification.numbersChallenge = claims.text(.numbersChallenge)
        }
        notification.contextInfo = claims.json(.contextInfo)
        notification.loadBalancer = claims.loadBalancer()
        notification.additional = claims.others()
    }

    /// The server's id of the message.
    package var messageId: String { notification.messageId }

    /// Returns the pending notification to store, with the given id.
    package func notification(id: String) -> PushNotification {
        var notification = notification
        notification.id = id
        return notification
    }

    private static let standardTimeToLive = 120
    /// The end of the year 9999.
    private static let latestMilliseconds = 253_402_300_799_999
}

/// Reads individual claims; an optional claim that is `null` or has an unexpected type counts as absent.
struct ClaimReader {
    private let claims: JSONValue

    /// Parses the claims of a token; returns `nil` if they are not a JSON object.
    init?(_ json: Data) {
        guard let claims = JSONValue(json: json), case .object = claims else { return nil }
        self.claims = claims
    }

    /// The server's id of the message; `nil` if the token does not contain it.
    var messageId: String? { claims["messageId"]?.string?.nonEmpty }

    func text(_ claim: VerifiedPush.Claim) -> String? { self[claim]?.string?.nonEmpty }

    private subscript(claim: VerifiedPush.Claim) -> JSONValue? { claims[claim.rawValue] }

    /// Returns the claims that ``VerifiedPush/Claim`` does not list; `nil` if there are none.
    func others() -> JSONValue? {
        guard case .object(let members) = claims else { return nil }
        let others = members.filter { VerifiedPush.Claim(rawValue: $0.key) == nil }
        return others.isEmpty ? nil : .object(others)
    }

    func required(_ claim: VerifiedPush.Claim) throws(PushReceptionError) -> String {
        if let text = text(claim) { return text }
        switch self[claim] {
        case nil, .string?: throw .missingClaim(claim.rawValue)
        default: throw .invalidClaim(claim.rawValue)
        }
    }

    /// Returns a whole number that the server sent as a number or as decimal text; `nil` if it is not in 0...`limit`.
    func number(_ claim: VerifiedPush.Claim, upTo limit: Int) -> Int? {
        let number: Int?
        switch self[claim] {
        case .integer(let value)?: number = value
        case .number(let value)?: number = Int(exactly: value)
        case .string(let text)?: number = Int(text.trimmingCharacters(in: .whitespaces))
        default: number = nil
        }
        return number.flatMap { (0...limit).contains($0) ? $0 : nil }
    }

    /// Returns a time in whole milliseconds since 1970, which the server sent as a number or as decimal text; `nil` if
    /// the claim is not in 0...`limit`.
    func milliseconds(_ claim: VerifiedPush.Claim, upTo limit: Int) -> Int? {
        let number: Double? =
            switch self[claim] {
            case .number(let value)?: value
            case .string(let text)?: Double(text.trimmingCharacters(in: .whitespaces))
            default: nil
            }
        guard let number, number.isFinite, (0...Double(limit)).contains(number) else {
            return self.number(claim, upTo: limit)
        }
        return Int(number)
    }

    /// Returns the text of a claim, or the JSON text of an object; `nil` for any other claim.
    func json(_ claim: VerifiedPush.Claim) -> String? {
        guard case .object? = self[claim] else { return text(claim) }
        return self[claim]?.text
    }

    /// Returns the challenge as the server spelled it, after checking that it is base64 and not empty.
    func challenge() throws(PushReceptionError) -> String {
        let challenge = try required(.challenge)
        guard let bytes = Base64.decode(challenge), !bytes.isEmpty else {
            throw .invalidClaim(VerifiedPush.Claim.challenge.rawValue)
        }
        return challenge
    }

    /// Returns the load balancer's decoded cookie pair; `nil` if the text is not a cookie pair.
    func loadBalancer() -> String? {
        text(.loadBalancer).flatMap(Base64.decodeText).flatMap { $0.isCookiePair ? $0 : nil }
    }
}
