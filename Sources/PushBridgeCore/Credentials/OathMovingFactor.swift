/// The kinds of one-time password.
public enum OathType: String, CaseIterable, Sendable {
    /// Time-based, RFC 6238.
    case totp
    /// Counter-based, RFC 4226.
    case hotp
}

/// What moves a one-time password on.
public enum OathMovingFactor: Equatable, Sendable {
    /// TOTP with a period in seconds.
    case time(period: Int)
    /// HOTP with the counter of the next code.
    case counter(Int)

    /// The kind of one-time password.
    public var type: OathType {
        switch self {
        case .time: .totp
        case .counter: .hotp
        }
    }
}
