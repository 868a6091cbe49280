package import Foundation

/// A push whose signature was checked; only ``UnverifiedPush/verified(with:receivedAt:)`` makes one.
package struct VerifiedPush: Equatable, Sendable {
    /// The user's id, for a credential that has none yet.
    package let userId: String?
    /// The notification, without an id.
    private var notification: PushNotification

    /// Reads the claims; an optional one that is invalid counts as absent, because the push itself is signed.
    init(
        _ claims: ClaimReader,
        messageId: String,
        credentialId: String,
        receivedAt: Date
    ) throws(PushReceptionError) {
        let sentAt = claims.milliseconds("i", upTo: Self.latestMilliseconds).map {
            Date(millisecondsSince1970: Int64($0))
        }
        notification = PushNotification(
            id: "",
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: try claims.challenge()),
            ttl: claims.number("t", upTo: Int(Int32.max)) ?? Self.standardTimeToLive,
            sentAt: sentAt ?? receivedAt,
            createdAt: receivedAt
        )
        userId = claims.text("d")
        notification.pushType = PushType(name: claims.text("k"))
        notification.messageText = claims.text("m")
        notification.customPayload = claims.json("p")
        notification.numbersChallenge = notification.pushType == .challenge ? claims.text("n") : nil
        notification.contextInfo = claims.json("x")
        notification.loadBalancer = claims.loadBalancer()
        notification.additional = claims.others(than: Self.knownClaims)
    }

    /// The claims that the fields of a notification hold.
    private static let knownClaims: Set = ["c", "d", "i", "k", "l", "m", "n", "p", "t", "u", "x"]

    /// The server's id of the message.
    package var messageId: String { notification.messageId }
    /// The credential whose secret signed the push.
    package var credentialId: String { notification.credentialId }
    /// When the device received the push.
    package var receivedAt: Date { notification.createdAt }

    /// The notification to store, pending, under an id that the caller makes.
    package func notification(id: String) -> PushNotification {
        var notification = notification
        notification.id = id
        return notification
    }

    private static let standardTimeToLive = 120
    /// The end of the year 9999.
    private static let latestMilliseconds = 253_402_300_799_999
}

/// Reads single claims; `null` and another type than expected count as absent.
struct ClaimReader {
    private let claims: JSONValue

    /// Parses the claims of a token; returns `nil` if they are not a JSON object.
    init?(_ json: Data) {
        guard let claims = JSONValue(json: json), case .object = claims else { return nil }
        self.claims = claims
    }

    func text(_ name: String) -> String? { claims[name]?.string?.nonEmpty }

    /// Returns the claims with other names; `nil` if there are none.
    func others(than known: Set<String>) -> JSONValue? {
        guard case .object(let members) = claims else { return nil }
        let others = members.filter { !known.contains($0.key) }
        return others.isEmpty ? nil : .object(others)
    }

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

    /// The load balancer's cookie pair, decoded; any other text is left out.
    func loadBalancer() -> String? {
        text("l").flatMap(Base64.decodeText).flatMap { $0.isCookiePair ? $0 : nil }
    }
}
