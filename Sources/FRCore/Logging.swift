public import Dispatch
public import Foundation
import Logging
import PushBridgeCore
public import PushBridgePlatform

/// The log of the legacy API.
///
/// Until the app sets a level, the log can contain only one message: that the app was built incorrectly. The log never
/// contains a secret.
///
/// The class is safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class Log: NSObject {
    /// The version of the SDK whose API this package provides.
    public static let sdkVersion = "4.9.1"

    private static let state = Lock(State())

    override private init() {}

    /// Sets which kinds of messages are logged from now on.
    /// - Parameter logLevel: The kinds. If they include ``LogLevel/none``, nothing is logged.
    public static func setLogLevel(_ logLevel: LogLevel) {
        let bits = logLevel.rawValue
        let isSilent = bits & LogLevel.none.rawValue != 0
        state.withValue { $0.bits = isSilent ? 0 : bits }
    }

    /// Sends messages to an app's own logger instead of swift-log's backend.
    /// - Parameter logger: The logger. Its methods are called on any thread.
    public static func setCustomLogger(_ logger: any FRLogger) {
        state.withValue { $0.logger = logger }
    }

    /// Logs a detailed step.
    ///
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - includeCallStack: Whether the prefix that an app's own logger receives contains the file, the line
    ///     and the function. swift-log always receives them.
    ///   - module: The module that logs the message. With `nil`, this is FRCore.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func v(
        _ message: String,
        _ includeCallStack: Bool? = true,
        module: String? = nil,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        log(.verbose, message, module, Place(includeCallStack, file, line, function))
    }

    /// Logs an event; see ``v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - includeCallStack: Whether the prefix that an app's own logger receives contains the file, the line
    ///     and the function. swift-log always receives them.
    ///   - module: The module that logs the message. With `nil`, this is FRCore.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func i(
        _ message: String,
        _ includeCallStack: Bool? = true,
        module: String? = nil,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        log(.info, message, module, Place(includeCallStack, file, line, function))
    }

    /// Logs a possible failure; see ``v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - includeCallStack: Whether the prefix that an app's own logger receives contains the file, the line
    ///     and the function. swift-log always receives them.
    ///   - module: The module that logs the message. With `nil`, this is FRCore.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func w(
        _ message: String,
        _ includeCallStack: Bool? = true,
        module: String? = nil,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        log(.warning, message, module, Place(includeCallStack, file, line, function))
    }

    /// Logs a failure; see ``v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - module: The module that logs the message. With `nil`, this is FRCore.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func e(
        _ message: String,
        module: String? = nil,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        log(.error, message, module, Place(true, file, line, function))
    }

    /// Logs the result of a request.
    static func n(_ message: String, file: String = #file, line: Int = #line, function: String = #function) {
        log(.network, message, nil, Place(false, file, line, function))
    }

    /// Logs that the app was built incorrectly, even if the app has set no level.
    package static func alert(
        _ message: String,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        log(.error, message, "FRAuthenticator", Place(true, file, line, function), of: LogLevel.all.rawValue)
    }

    private static func log(
        _ level: LogLevel,
        _ message: String,
        _ module: String?,
        _ place: Place,
        of forced: Int? = nil
    ) {
        let (chosen, logger) = state.withValue { ($0.bits, $0.logger) }
        let bits = forced ?? chosen
        guard bits & (level.rawValue | LogLevel.all.rawValue) != 0 else { return }
        let prefix = "[\(module ?? "FRCore")]"
        guard let logger else {
            let text = Logger.Message(stringLiteral: "\(prefix) \(message)")
            return system.log(
                level: level.severity,
                text,
                file: place.file,
                function: place.function,
                line: UInt(clamping: place.line)
            )
        }
        let time = Date().formatted(.iso8601)
        logger.log(level, timePrefix: time, logPrefix: prefix + place.text, message: message)
    }

    /// The logger of swift-log, whose backend the app chooses.
    ///
    /// The backend adds the time.
    private static let system: Logger = {
        var logger = Logger(label: "FRAuthenticator")
        // This level lets every message pass, because only `setLogLevel` decides whether a message is logged.
        logger.logLevel = .trace
        return logger
    }()

    private struct State {
        var bits = LogLevel.none.rawValue
        var logger: (any FRLogger)?
    }

    /// The source location of a log call.
    private struct Place {
        let isShown: Bool
        let file: String
        let line: Int
        let function: String

        init(_ isShown: Bool?, _ file: String, _ line: Int, _ function: String) {
            self.isShown = isShown ?? false
            (self.file, self.line, self.function) = (file, line, function)
        }

        var text: String {
            isShown ? " [\(file.split(separator: "/").last ?? ""):\(line) \(function)]" : ""
        }
    }
}

/// The log with the module name FRAuthenticator; see ``Log``.
public struct FRALog {
    private static let module = "FRAuthenticator"

    private init() {}

    /// Sets which kinds of messages are logged from now on.
    /// - Parameter logLevel: The kinds. If they include ``LogLevel/none``, nothing is logged.
    public static func setLogLevel(_ logLevel: LogLevel) { Log.setLogLevel(logLevel) }

    /// Sends messages to an app's own logger instead of swift-log's backend.
    /// - Parameter logger: The logger. Its methods are called on any thread.
    public static func setCustomLogger(_ logger: any FRLogger) { Log.setCustomLogger(logger) }

    /// Logs a detailed step; see ``Log/v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - includeCallStack: Whether the prefix that an app's own logger receives contains the file, the line
    ///     and the function. swift-log always receives them.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func v(
        _ message: String,
        _ includeCallStack: Bool? = true,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        Log.v(message, includeCallStack, module: module, file: file, line: line, function: function)
    }

    /// Logs an event; see ``Log/v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - includeCallStack: Whether the prefix that an app's own logger receives contains the file, the line
    ///     and the function. swift-log always receives them.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func i(
        _ message: String,
        _ includeCallStack: Bool? = true,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        Log.i(message, includeCallStack, module: module, file: file, line: line, function: function)
    }

    /// Logs a possible failure; see ``Log/v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - includeCallStack: Whether the prefix that an app's own logger receives contains the file, the line
    ///     and the function. swift-log always receives them.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func w(
        _ message: String,
        _ includeCallStack: Bool? = true,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        Log.w(message, includeCallStack, module: module, file: file, line: line, function: function)
    }

    /// Logs a failure; see ``Log/v(_:_:module:file:line:function:)``.
    /// - Parameters:
    ///   - message: The message; it must not contain a secret.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    ///   - function: The function of the call.
    public static func e(
        _ message: String,
        file: String = #file,
        line: Int = #line,
        function: String = #function
    ) {
        Log.e(message, module: module, file: file, line: line, function: function)
    }
}

/// The kinds of messages that the legacy API logs.
///
/// As in the SDK, this set is an object, and an insertion changes the object. Do not change the constants. If
/// a thread changes an object, do not share this object with other threads.
#if canImport(ObjectiveC)
@objcMembers
#endif
public class LogLevel: NSObject, OptionSet {
    /// The type of the bits.
    public typealias RawValue = Int

    /// One bit for each kind.
    public var rawValue: Int

    /// Nothing is logged.
    ///
    /// This is the state before the app sets a level.
    public nonisolated(unsafe) static let none = LogLevel(rawValue: 1 << 0)
    /// Detailed steps.
    public nonisolated(unsafe) static let verbose = LogLevel(rawValue: 1 << 1)
    /// Events.
    public nonisolated(unsafe) static let info = LogLevel(rawValue: 1 << 2)
    /// Requests and their results, without headers and bodies.
    public nonisolated(unsafe) static let network = LogLevel(rawValue: 1 << 3)
    /// Possible failures.
    public nonisolated(unsafe) static let warning = LogLevel(rawValue: 1 << 4)
    /// Failures.
    public nonisolated(unsafe) static let error = LogLevel(rawValue: 1 << 5)
    /// All kinds of messages.
    public nonisolated(unsafe) static let all = LogLevel(rawValue: 1 << 6)

    /// Creates an empty set.
    override public required convenience init() { self.init(rawValue: 0) }

    /// Creates a set from its bits.
    /// - Parameter rawValue: One bit for each kind.
    public required init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates the union of sets.
    /// - Parameter logs: The sets.
    public convenience init(logs: [LogLevel]) {
        self.init(rawValue: logs.reduce(0) { $0 | $1.rawValue })
    }

    /// The hash, which is equal for equal sets.
    override public var hash: Int { rawValue }

    /// Returns whether `object` is a set with the same kinds.
    override public func isEqual(_ object: Any?) -> Bool {
        (object as? LogLevel)?.rawValue == rawValue
    }

    /// Adds the kinds of another set to this object.
    /// - Parameter other: The other set.
    public func formUnion(_ other: LogLevel) { rawValue |= other.rawValue }

    /// Removes from this object the kinds that another set lacks.
    /// - Parameter other: The other set.
    public func formIntersection(_ other: LogLevel) { rawValue &= other.rawValue }

    /// Replaces the kinds of this object with the kinds that only one of the two sets contains.
    /// - Parameter other: The other set.
    public func formSymmetricDifference(_ other: LogLevel) { rawValue ^= other.rawValue }

    /// The swift-log level of a single kind.
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

/// Receives the messages of the legacy API.
///
/// To use an app's own logger, call ``Log/setCustomLogger(_:)``.
///
/// The methods are called on any thread. The messages never contain a secret.
public protocol FRLogger: AnyObject, NonisolatedConformance {
    /// Receives a message of the level `verbose`.
    /// - Parameters:
    ///   - timePrefix: The time in ISO 8601.
    ///   - logPrefix: The name of the module in brackets. The file, the line and the function follow if the
    ///     log call requested them.
    ///   - message: The message.
    func logVerbose(timePrefix: String, logPrefix: String, message: String)
    /// Receives a message of the level `info`.
    /// - Parameters:
    ///   - timePrefix: The time in ISO 8601.
    ///   - logPrefix: The name of the module in brackets. The file, the line and the function follow if the
    ///     log call requested them.
    ///   - message: The message.
    func logInfo(timePrefix: String, logPrefix: String, message: String)
    /// Receives a message of the level `network`.
    /// - Parameters:
    ///   - timePrefix: The time in ISO 8601.
    ///   - logPrefix: The name of the module in brackets. The file, the line and the function follow if the
    ///     log call requested them.
    ///   - message: The message.
    func logNetwork(timePrefix: String, logPrefix: String, message: String)
    /// Receives a message of the level `warning`.
    /// - Parameters:
    ///   - timePrefix: The time in ISO 8601.
    ///   - logPrefix: The name of the module in brackets. The file, the line and the function follow if the
    ///     log call requested them.
    ///   - message: The message.
    func logWarning(timePrefix: String, logPrefix: String, message: String)
    /// Receives a message of the level `error`.
    /// - Parameters:
    ///   - timePrefix: The time in ISO 8601.
    ///   - logPrefix: The name of the module in brackets. The file, the line and the function follow if the
    ///     log call requested them.
    ///   - message: The message.
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

/// A logger that an app implements and that stores the messages it receives.
///
/// This package neither reads the stored messages nor enables the logger.
public protocol FRHistory: AnyObject, NonisolatedConformance {
    /// The queue on which the logger stores messages.
    var queue: DispatchQueue { get }
    /// Whether the logger stores messages.
    var enableHistory: Bool { get set }
    /// The stored messages, oldest first.
    var logHistory: [String] { get }
}
