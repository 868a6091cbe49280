import PushBridgeBase

/// The default logger of clients.
public actor LogManager {
    private static let current = Lock<any Logger>(SwiftLogLogger())

    /// The default logger; if not set, it uses the backend that the app chose for swift-log.
    ///
    /// A client's configuration reads this property when the configuration is created.
    public static var logger: any Logger {
        get { current.withValue { $0 } }
        set { current.withValue { $0 = newValue } }
    }
}

extension LogManager {
    /// A logger that drops all messages.
    public static var none: any Logger { NoneLogger() }
    /// A logger that writes all messages to the system's log.
    public static var standard: any Logger { StandardLogger() }
    /// A logger that writes warnings and errors to the system's log.
    public static var warning: any Logger { WarningLogger() }

    /// Returns the logger for a level in the form of text, for example from a configuration file.
    /// - Parameter level: The level, in upper or lower case. `ERROR` and `WARN` log warnings and errors, `INFO` and
    ///   `DEBUG` all messages, any other text no messages.
    /// - Returns: The logger.
    public static func logger(forLevel level: String) -> any Logger {
        switch level.uppercased() {
        case "ERROR", "WARN": warning
        case "INFO", "DEBUG": standard
        default: none
        }
    }
}
