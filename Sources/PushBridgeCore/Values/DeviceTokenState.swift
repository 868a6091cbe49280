public import Foundation

/// How far the device token came with the server of one credential.
public enum DeviceTokenState: Equatable, Sendable {
    /// The device has no token.
    case noToken
    /// The server knows the token.
    case known
    /// The server was not told yet.
    case owed
    /// The server could not be asked, or failed; it is asked again when the token is set next.
    case unreachable(since: Date)
    /// The server accepts no new tokens, as before AM 8.0.1: pushes go to the old one until the user enrols again.
    case unsupported(retryAt: Date)
    /// The server refused and may not know the user by this name; `setUserId` tells another.
    case userUnknown(retryAt: Date)
    /// The server refused although the user is known: once, which may be its own fault or that of a gateway.
    case refused(retryAt: Date)
    /// The server refused again at another time, without a push in between: the profile was removed, or moved to
    /// another device, and this credential no longer receives pushes.
    case replaced(retryAt: Date)

    /// When a server that refused is asked again, a time in the past being the next call; `nil` in the other
    /// states.
    public var retryAt: Date? {
        switch self {
        case .unsupported(let date), .userUnknown(let date), .refused(let date), .replaced(let date): date
        case .noToken, .known, .owed, .unreachable: nil
        }
    }
}

/// A server's last refusal of a device token, or of all of them.
struct TokenSetback: Codable, Equatable, Sendable {
    enum Reason: String, Codable {
        case unreachable, unsupported, userUnknown
        case refused = "replaced"
    }

    /// The id of the credential; of a server that accepts no tokens its address.
    let about: String
    let reason: Reason
    /// How many times in a row.
    let count: Int
    let date: Date
    /// Whether the device had another token then: this one may be sent at once.
    var isOfEarlierToken: Bool?

    /// When to ask the server again: at once if it could not be reached, else after an hour, and from then on
    /// after seven and a half days.
    ///
    /// Half a day more than a week, so that an app that starts once a day, at any hour, asks at most five times in
    /// thirty starts.
    var retryAt: Date { isOfEarlierToken == true ? date : endOfPatience }

    /// Whether the server is not to be asked yet.
    func asksForPatience(at now: Date) -> Bool { isOfEarlierToken != true && isRecent(at: now) }

    /// Whether the same answer would be no news.
    func isRecent(at now: Date) -> Bool { reason != .unreachable && now <= endOfPatience }

    private var endOfPatience: Date {
        let hour: TimeInterval = reason == .unreachable ? 0 : 3600
        return date.addingTimeInterval(count > 1 ? hour * 24 * 7.5 : hour)
    }

    var state: DeviceTokenState {
        switch reason {
        case .unreachable: .unreachable(since: date)
        case .unsupported: .unsupported(retryAt: retryAt)
        case .userUnknown: .userUnknown(retryAt: retryAt)
        case .refused where count > 1: .replaced(retryAt: retryAt)
        case .refused: isOfEarlierToken == true ? .owed : .refused(retryAt: retryAt)
        }
    }

    private enum CodingKeys: Int, CodingKey {
        case about = 1
        case reason, count, date, isOfEarlierToken
    }
}

/// When a server was last told the device token.
struct TokenConfirmation: Codable, Equatable, Sendable {
    let credentialId: String
    let date: Date
    /// Whether the server's acceptance was not observed, so that nothing follows of the user's name.
    var isAssumed: Bool?

    private enum CodingKeys: Int, CodingKey {
        case credentialId = 1
        case date, isAssumed
    }
}
