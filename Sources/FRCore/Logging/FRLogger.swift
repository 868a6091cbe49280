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
    func log(_ level: LogLevel, timePrefix: String, logPrefix: String, message: String) {
        switch level {
        case .verbose: logVerbose(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        case .info: logInfo(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        case .network: logNetwork(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        case .warning: logWarning(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        default: logError(timePrefix: timePrefix, logPrefix: logPrefix, message: message)
        }
    }
}
