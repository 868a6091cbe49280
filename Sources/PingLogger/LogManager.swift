import PushBridgeBase

/// Contains the default logger of clients, and provides other loggers.
public actor LogManager {
    private static let current = Lock<any Logger>(SwiftLogLogger())

    /// The default logger.
    ///
    /// By default, messages go to the swift-log backend that the app chose.
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

    /// Returns the logger for a level that is given as text, for example in a configuration file.
    /// - Parameter level: The level, in upper or lower case. With `ERROR` and `WARN`, warnings and errors are
    ///   logged. With `INFO` and `DEBUG`, all messages are logged. With any other text, no message is logged.
    /// - Returns: The logger.
    public static func logger(forLevel level: String) -> any Logger {
        switch level.uppercased() {
        case "ERROR", "WARN": warning
        case "INFO", "DEBUG": standard
        default: none
        }
    }
}
