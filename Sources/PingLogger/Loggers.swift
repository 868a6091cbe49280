import Foundation
public import Logging

#if canImport(os)
public import os
#endif

/// A logger that drops all messages.
public final class NoneLogger: Logger {
    /// Creates a logger without settings.
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

/// Passes all messages to a logger of swift-log.
public struct SwiftLogLogger: Logger {
    private let logger: Logging.Logger

    /// Creates a logger that passes its messages to a logger of swift-log.
    /// - Parameter logger: The logger of swift-log. By default, its label is `Ping`.
    public init(_ logger: Logging.Logger = Logging.Logger(label: "Ping")) {
        self.logger = logger
    }

    /// Passes on the message at the level `debug`.
    public func d(_ message: String) { logger.debug("\(message)") }
    /// Passes on the message at the level `info`.
    public func i(_ message: String) { logger.info("\(message)") }
    /// Passes on the message at the level `warning`.
    public func w(_ message: String, error: (any Error)?) { logger.warning("\(message.naming(error))") }
    /// Passes on the message at the level `error`.
    public func e(_ message: String, error: (any Error)?) { logger.error("\(message.naming(error))") }
}

/// Writes all messages to the system's log (`os_log`) or, on platforms without it, to swift-log.
///
/// The conformance to `Sendable` is unchecked, because the class is not final. The class is immutable, so no lock is
/// necessary.
public class StandardLogger: Logger, @unchecked Sendable {
    #if canImport(os)
    private let log: OSLog

    /// Creates a logger that writes to a log.
    /// - Parameter log: The log. With `nil`, a log of the successor SDK's subsystem `com.pingidentity.ios` is
    ///   used.
    public init(log: OSLog? = nil) {
        self.log = log ?? OSLog(subsystem: "com.pingidentity.ios", category: "Standard")
    }

    private func write(_ message: String, _ level: Logging.Logger.Level) {
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

    /// Creates a logger that writes to swift-log with the label `Ping`.
    public init() {}

    private func write(_ message: String, _ level: Logging.Logger.Level) {
        log.log(level: level, "\(message)")
    }
    #endif

    /// Writes the message at the level `debug`.
    public func d(_ message: String) { write(message, .debug) }
    /// Writes the message at the level `info`.
    public func i(_ message: String) { write(message, .info) }
    /// Writes the message at the level `warning`, which the system's log calls `default`.
    public func w(_ message: String, error: (any Error)?) { write(message.naming(error), .warning) }
    /// Writes the message at the level `error`.
    public func e(_ message: String, error: (any Error)?) { write(message.naming(error), .error) }
}

/// Writes only warnings and errors, to the same log as ``StandardLogger``.
public final class WarningLogger: StandardLogger, @unchecked Sendable {
    /// Drops the message.
    public override func d(_ message: String) {}
    /// Drops the message.
    public override func i(_ message: String) {}
}

extension String {
    /// Returns the message, together with the error if there is one.
    ///
    /// Errors of the package never contain a secret.
    fileprivate func naming(_ error: (any Error)?) -> String {
        error.map { "\(self) (\($0.localizedDescription))" } ?? self
    }
}
