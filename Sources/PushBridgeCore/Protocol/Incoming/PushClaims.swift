import Foundation

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
