import Foundation
public import Logging

#if canImport(os)
public import os
#endif

/// A logger that drops all messages.
public final class NoneLogger: Logger {
    /// Creates the logger.
    public init() {}

    /// Drops the message.
    public func d(_ message: String) {}
    /// Drops the message.
    public func i(_ message: String) {}
    /// Drops the message.
    public func w(_ message: String, error: (any Error)?) {}
    /// Drops the message.
    public func e(_ message: String, error: (any Error)?) {}
}

/// Hands everything to a logger of swift-log.
public struct SwiftLogLogger: Logger {
    private let logger: Logging.Logger

    /// Creates a logger with a logger of swift-log.
    /// - Parameter logger: The logger; by default the one with the label `Ping`.
    public init(_ logger: Logging.Logger = Logging.Logger(label: "Ping")) {
        self.logger = logger
    }

    /// Hands the message on at the level `debug`.
    public func d(_ message: String) { logger.debug("\(message)") }
    /// Hands the message on at the level `info`.
    public func i(_ message: String) { logger.info("\(message)") }
    /// Hands the message on at the level `warning`.
    public func w(_ message: String, error: (any Error)?) { logger.warning("\(message.naming(error))") }
    /// Hands the message on at the level `error`.
    public func e(_ message: String, error: (any Error)?) { logger.error("\(message.naming(error))") }
}

/// Writes all messages to the system's log, or to swift-log on platforms without one.
public class StandardLogger: Logger, @unchecked Sendable {
    // Unchecked because a non-final class needs that; it is immutable, so no lock is necessary.
    #if canImport(os)
    private let log: OSLog

    /// Creates a logger that writes to a log.
    /// - Parameter log: The log; `nil` means the one of the subsystem `com.pingidentity.ios`, which is the successor
    ///   SDK's.
    public init(log: OSLog? = nil) {
        self.log = log ?? OSLog(subsystem: "com.pingidentity.ios", category: "Standard")
    }

    private func say(_ message: String, _ level: Logging.Logger.Level) {
        let type: OSLogType =
            switch level {
            case .debug: .debug
            case .info: .info
            case .error: .error
            default: .default
            }
        os_log("%{public}@", log: log, type: type, message)
    }
    #else
    private let log = Logging.Logger(label: "Ping")

    /// Creates the logger.
    public init() {}

    private func say(_ message: String, _ level: Logging.Logger.Level) { log.log(level: level, "\(message)") }
    #endif

    /// Writes the message at the level `debug`.
    public func d(_ message: String) { say(message, .debug) }
    /// Writes the message at the level `info`.
    public func i(_ message: String) { say(message, .info) }
    /// Writes the message at the level `warning`, which the system's log calls `default`.
    public func w(_ message: String, error: (any Error)?) { say(message.naming(error), .warning) }
    /// Writes the message at the level `error`.
    public func e(_ message: String, error: (any Error)?) { say(message.naming(error), .error) }
}

/// Writes warnings and errors to the system's log.
public final class WarningLogger: StandardLogger, @unchecked Sendable {
    /// Drops the message.
    public override func d(_ message: String) {}
    /// Drops the message.
    public override func i(_ message: String) {}
}

extension String {
    /// The message, and the error if there is one; errors of the package never hold a secret.
    fileprivate func naming(_ error: (any Error)?) -> String {
        error.map { "\(self) (\($0.localizedDescription))" } ?? self
    }
}
