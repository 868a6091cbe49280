import PushBridgeBase

/// The default logger of clients.
public actor LogManager {
    private static let current = Lock<any Logger>(SwiftLogLogger())

    /// The logger; by default it uses the backend that the app chose for swift-log.
    ///
    /// Clients take the one that is set when they are configured.
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

    /// The logger for a level that is given as text, as in a configuration file.
    /// - Parameter level: `ERROR` and `WARN` are warnings and errors, `INFO` and `DEBUG` all messages, anything else none;
    ///   in any case.
    /// - Returns: The logger.
    public static func logger(forLevel level: String) -> any Logger {
        switch level.uppercased() {
        case "ERROR", "WARN": warning
        case "INFO", "DEBUG": standard
        default: none
        }
    }
}
