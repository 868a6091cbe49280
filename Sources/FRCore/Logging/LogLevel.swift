/// Which kinds of message the legacy API's log shows.
public struct LogLevel: OptionSet, Sendable {
    /// One bit for each kind.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing; the state before ``FRALog/setLogLevel(_:)`` is called.
    public static let none: LogLevel = []
    /// What was done step by step.
    public static let verbose = LogLevel(rawValue: 1 << 0)
    /// What happened.
    public static let info = LogLevel(rawValue: 1 << 1)
    /// Which requests were sent and how they ended; never their headers or bodies.
    public static let network = LogLevel(rawValue: 1 << 2)
    /// What may become a failure.
    public static let warning = LogLevel(rawValue: 1 << 3)
    /// What failed.
    public static let error = LogLevel(rawValue: 1 << 4)
    /// Everything.
    public static let all: LogLevel = [.verbose, .info, .network, .warning, .error]
}
