import Logging

/// Hands messages to the backend that the app chose for swift-log, which adds the time itself.
struct SystemLogger: FRLogger {
    private let logger: Logger

    init() {
        var logger = Logger(label: "FRAuthenticator")
        // What is shown was decided by `FRALog.setLogLevel`.
        logger.logLevel = .trace
        self.logger = logger
    }

    func logVerbose(timePrefix: String, logPrefix: String, message: String) {
        logger.trace("\(logPrefix) \(message)")
    }

    func logInfo(timePrefix: String, logPrefix: String, message: String) {
        logger.info("\(logPrefix) \(message)")
    }

    func logNetwork(timePrefix: String, logPrefix: String, message: String) {
        logger.debug("\(logPrefix) \(message)")
    }

    func logWarning(timePrefix: String, logPrefix: String, message: String) {
        logger.warning("\(logPrefix) \(message)")
    }

    func logError(timePrefix: String, logPrefix: String, message: String) {
        logger.error("\(logPrefix) \(message)")
    }
}
