public import Foundation

/// The state of the device token at the server of one credential.
public enum DeviceTokenState: Equatable, Sendable {
    /// The device has no token.
    case noToken
    /// The server knows the token.
    case known
    /// The server has not received the token yet.
    case owed
    /// The server was unreachable or failed; it is retried when the token is set next.
    case unreachable(since: Date)
    /// The server accepts no new tokens, as before AM 8.0.1: it sends pushes to the old one until the user enrols
    /// again.
    case unsupported(retryAt: Date)
    /// The server rejected the token and may not know the user by this name; `setUserId` sets another one.
    case userUnknown(retryAt: Date)
    /// The server rejected the token once although the user is known, possibly because of an error of the server or a
    /// gateway.
    case refused(retryAt: Date)
    /// The server rejected the token again at another time, without a push in between: the profile was removed, or
    /// moved to another device, and this credential no longer receives pushes.
    case replaced(retryAt: Date)

    /// The date at which the client retries a server that rejected the token; `nil` in the other states.
    ///
    /// A date in the past means the next call.
    public var retryAt: Date? {
        switch self {
        case .unsupported(let date), .userUnknown(let date), .refused(let date), .replaced(let date): date
        case .noToken, .known, .owed, .unreachable: nil
        }
    }
}

/// A server's last rejection of a device token, or of all tokens.
struct TokenSetback: Codable, Equatable, Sendable {
    enum Reason: String, Codable {
        case unreachable, unsupported, userUnknown
        case refused = "replaced"
    }

    /// The id of the credential, or the address of a server that accepts no tokens.
    let about: String
    let reason: Reason
    /// The number of consecutive rejections.
    let count: Int
    let date: Date
    /// Whether the device had another token then, so that the present one may be sent immediately.
    var isOfEarlierToken: Bool?

    /// The date of the next retry: immediately if the server was unreachable, otherwise after an hour, and later every
    /// seven and a half days.
    ///
    /// The period is half a day more than a week, so that an app that starts once a day, at any hour, sends at most
    /// five requests in thirty starts.
    var retryAt: Date { isOfEarlierToken == true ? date : endOfPatience }

    /// Whether it is too early for a retry.
    func asksForPatience(at now: Date) -> Bool { isOfEarlierToken != true && isRecent(at: now) }

    /// Whether the same answer would contain no new information.
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

/// The date at which a server last received the device token.
struct TokenConfirmation: Codable, Equatable, Sendable {
    let credentialId: String
    let date: Date
    /// Whether the server's acceptance was not observed, so that it does not confirm the user's name.
    var isAssumed: Bool?

    private enum CodingKeys: Int, CodingKey {
        case credentialId = 1
        case date, isAssumed
    }
}
