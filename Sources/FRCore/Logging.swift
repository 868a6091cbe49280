public import Foundation
import Logging
import PushBridgeCore
import PushBridgePlatform

/// The log of the legacy API; silent until a level is set, and never told a secret.
public final class FRALog: NSObject {
    private static let state = Lock(State())

    override private init() {}

    /// Chooses what is shown from now on.
    public static func setLogLevel(_ logLevel: LogLevel) {
        state.withValue { $0.level = logLevel }
    }

    /// Sends messages to an app's own logger instead of swift-log's backend.
    public static func setCustomLogger(_ logger: any FRLogger) {
        state.withValue { $0.logger = logger }
    }

    /// Logs what was done step by step.
    public static func v(_ message: @autoclosure () -> String) { log(.verbose, message()) }

    /// Logs what happened.
    public static func i(_ message: @autoclosure () -> String) { log(.info, message()) }

    /// Logs what may become a failure.
    public static func w(_ message: @autoclosure () -> String) { log(.warning, message()) }

    /// Logs what failed.
    public static func e(_ message: @autoclosure () -> String) { log(.error, message()) }

    /// Logs how a request went.
    package static func n(_ message: @autoclosure () -> String) { log(.network, message()) }

    private static func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        let (isShown, logger) = state.withValue { ($0.level.contains(level), $0.logger) }
        guard isShown else { return }
        let prefix = "[FRAuthenticator]"
        guard let logger else { return system.log(level: level.severity, "\(prefix) \(message())") }
        logger.log(level, timePrefix: Date().formatted(.iso8601), logPrefix: prefix, message: message())
    }

    /// The backend that the app chose for swift-log, which adds the time itself.
    private static let system: Logger = {
        var logger = Logger(label: "FRAuthenticator")
        // What is shown was decided by `setLogLevel`.
        logger.logLevel = .trace
        return logger
    }()

    private struct State {
        var level = LogLevel.none
        var logger: (any FRLogger)?
    }
}

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

    /// What swift-log calls a single kind.
    fileprivate var severity: Logger.Level {
        switch self {
        case .verbose: .trace
        case .info: .info
        case .network: .debug
        case .warning: .warning
        default: .error
        }
    }
}

/// Receives what the legacy API logs; an app's own goes to ``FRALog/setCustomLogger(_:)``.
///
/// Called from any thread.
public protocol FRLogger {
    /// Takes a message of the level `verbose`.
    func logVerbose(timePrefix: String, logPrefix: String, message: String)
    /// Takes a message of the level `info`.
    func logInfo(timePrefix: String, logPrefix: String, message: String)
    /// Takes a message of the level `network`.
    func logNetwork(timePrefix: String, logPrefix: String, message: String)
    /// Takes a message of the level `warning`.
    func logWarning(timePrefix: String, logPrefix: String, message: String)
    /// Takes a message of the level `error`.
    func logError(timePrefix: String, logPrefix: String, message: String)
}

extension FRLogger {
    fileprivate func log(_ level: LogLevel, timePrefix: String, logPrefix: String, message: String) {
        switch level {
        case .verbose: logVerbose(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        case .info: logInfo(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        case .network: logNetwork(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        case .warning: logWarning(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        default: logError(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        }
    }
}
