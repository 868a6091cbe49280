import FRCore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@Suite("Log", .processState)
struct LogTests {
    @Test func onlyMessagesOfTheChosenLevelsAreLogged() {
        let logger = RecordingLogger()
        FRALog.setCustomLogger(logger)
        defer { FRALog.setLogLevel(.none) }
        for level in [
            LogLevel.none, [.none, .error], [.none, .all], .verbose, .info, [.warning, .error], .all,
        ] {
            FRALog.setLogLevel(level)
            FRALog.v("v\(level.rawValue)")
            FRALog.i("i\(level.rawValue)")
            FRALog.w("w\(level.rawValue)")
            FRALog.e("e\(level.rawValue)")
        }
        let ours = logger.messages.filter { $0.first.map("viwe".contains) == true && $0.count <= 3 }
        #expect(ours == ["v2", "i4", "w48", "e48", "v64", "i64", "w64", "e64"])
    }

    /// An error in an app's build is logged even if the log level is `none`.
    ///
    /// An app with two copies of the package usually sets the log level of only one copy.
    @Test func anErrorInTheBuildOfAnAppIsLoggedAtAnyLevel() {
        let logger = RecordingLogger()
        FRALog.setCustomLogger(logger)
        FRALog.setLogLevel(.none)
        Log.alert("There are two copies.")
        #expect(logger.messages.filter { $0 == "There are two copies." }.count == 1)
    }
}

private final class RecordingLogger: FRLogger {
    private let recorded = Lock<[String]>([])
    var messages: [String] { recorded.withValue { $0 } }

    func logVerbose(timePrefix: String, logPrefix: String, message: String) { record(message) }
    func logInfo(timePrefix: String, logPrefix: String, message: String) { record(message) }
    func logNetwork(timePrefix: String, logPrefix: String, message: String) { record(message) }
    func logWarning(timePrefix: String, logPrefix: String, message: String) { record(message) }
    func logError(timePrefix: String, logPrefix: String, message: String) { record(message) }

    private func record(_ message: String) { recorded.withValue { $0.append(message) } }
}
