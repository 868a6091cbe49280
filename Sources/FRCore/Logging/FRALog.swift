public import Foundation
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
        let logger = state.withValue { $0.level.contains(level) ? $0.logger : nil }
        guard let logger else { return }
        logger.log(
            level,
            timePrefix: Date().formatted(.iso8601),
            logPrefix: "[FRAuthenticator]",
            message: message()
        )
    }

    private struct State {
        var level = LogLevel.none
        var logger: any FRLogger = SystemLogger()
    }
}
