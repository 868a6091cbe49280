public import Foundation

/// The state of the device token at the server of one credential.
public enum DeviceTokenState: Equatable, Sendable {
    /// The device has no token.
    case noToken
    /// The server has the token.
    case known
    /// The server has not received the token yet, or has to receive it again.
    case owed
    /// The server was unreachable or failed; the client retries when the app sets the token again.
    case unreachable(since: Date)
    /// The server accepts no new tokens, like servers before AM 8.0.1.
    ///
    /// The server sends pushes to the old token until the user enrols again.
    case unsupported(retryAt: Date)
    /// The server rejected the token, possibly because the server has a different name for the user; `setUserId`
    /// sets the name.
    case userUnknown(retryAt: Date)
    /// The server rejected the token once, although the server's name for the user is known.
    ///
    /// The cause may be an error of the server or a gateway.
    case refused(retryAt: Date)
    /// The server rejected the token at least twice, and no push arrived in between.
    ///
    /// The profile was removed, or moved to another device, so this credential no longer receives pushes.
    case replaced(retryAt: Date)

    /// The earliest date when the client retries a server that rejected the token; `nil` in the other states.
    ///
    /// The client retries when the app sets the token again.
    public var retryAt: Date? {
        switch self {
        case .unsupported(let date), .userUnknown(let date), .refused(let date), .replaced(let date): date
        case .noToken, .known, .owed, .unreachable: nil
        }
    }
}

/// The last failure to send the device token to a server, for one credential or for all credentials of the server.
struct TokenSetback: Codable, Equatable, Sendable {
    enum Reason: String, Codable {
        case unreachable, unsupported, userUnknown
        case refused = "replaced"
    }

    /// The id of the credential or, if the server accepts no tokens, the address of the server.
    let about: String
    let reason: Reason
    /// The number of consecutive failures with this reason; a rejection during the waiting time does not count.
    let count: Int
    let date: Date
    /// Whether the failure concerned an earlier token, so that the current token can be sent immediately.
    ///
    /// `nil` means no.
    var isOfEarlierToken: Bool?

    /// The date from which the token can be sent again.
    ///
    /// There is no waiting time if the server was unreachable, or if the failure concerned an earlier token. Otherwise,
    /// the waiting time is an hour after the first rejection, and seven and a half days after further rejections.
    ///
    /// The longer waiting time is half a day more than a week. So an app that starts once a day, at any hour, sends at
    /// most five requests in thirty starts.
    var retryAt: Date { isOfEarlierToken == true ? date : endOfPatience }

    /// Returns whether the server rejected the current token, and the waiting time has not ended.
    func isTooEarlyForRetry(at now: Date) -> Bool { isOfEarlierToken != true && isRecent(at: now) }

    /// Returns whether the waiting time after this rejection has not ended; until then, the same rejection does not
    /// count again.
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

/// The date when a server last received the device token.
struct TokenConfirmation: Codable, Equatable, Sendable {
    let credentialId: String
    let date: Date
    /// Whether PushBridge only assumes that the server accepted the token.
    ///
    /// An assumed acceptance does not confirm the user's name. `nil` means no.
    var isAssumed: Bool?

    private enum CodingKeys: Int, CodingKey {
        case credentialId = 1
        case date, isAssumed
    }
}
