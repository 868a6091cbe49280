import Foundation

/// The default logger of clients.
public actor LogManager {
    private static let current = CurrentLogger()

    /// The logger; by default it uses the backend that the app chose for swift-log.
    ///
    /// Clients take the one that is set when they are configured.
    public static var logger: any Logger {
        get { current.lock.withLock { current.logger } }
        set { current.lock.withLock { current.logger = newValue } }
    }
}

/// The logger and its lock; the shared lock of the package is not used, so that the product links nothing else of it.
private final class CurrentLogger: @unchecked Sendable {
    let lock = NSLock()
    // Every access holds the lock.
    var logger: any Logger = SwiftLogLogger()
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
