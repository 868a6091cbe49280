/// A one-time password and how long it lasts.
public struct OathCodeInfo: Equatable, Sendable {
    /// The digits.
    public let code: String
    /// How many whole seconds, begun ones included, the code still lasts; -1 for HOTP, which lasts until it is used.
    public let timeRemaining: Int
    /// The counter the code was made for; -1 for TOTP.
    public let counter: Int
    /// How much of the period has passed, 0..<1; 0 for HOTP.
    public let progress: Double
    /// The period in seconds; 0 for HOTP.
    public let totalPeriod: Int
}

extension OathCodeInfo: CustomStringConvertible, CustomReflectable {
    /// How long the code lasts, never the code.
    public var description: String { "OathCodeInfo(\(timeRemaining) of \(totalPeriod) s)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
