import FRAuthenticator
import FRCore
import Foundation
import PushBridgeNotifications
import SecondCopy

/// Prints how many clients the process has, and how many errors about a second copy of PushBridge the log contains.
@main
struct TwoCopies {
    static func main() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let errors = Errors()
        FRALog.setCustomLogger(errors)
        try SecondCopy.start(in: folder)
        let path = folder.appendingPathComponent("first.db").path
        let key = KeyFile(path: folder.appendingPathComponent("first.key").path)
        try FRAClient.setCredentialStore(SQLiteCredentialStore(path: path, key: key, mode: .create))
        FRAClient.start()
        let clients = Set([FRAClient.shared, SecondCopy.client].compactMap { $0.map(ObjectIdentifier.init) })
        print("clients in the process: \(clients.count)")
        print("errors about copies: \(errors.aboutCopies)")
    }
}

/// A logger that counts the errors about a second copy of PushBridge.
final class Errors: FRLogger {
    private(set) var aboutCopies = 0

    func logVerbose(timePrefix: String, logPrefix: String, message: String) {}
    func logInfo(timePrefix: String, logPrefix: String, message: String) {}
    func logNetwork(timePrefix: String, logPrefix: String, message: String) {}
    func logWarning(timePrefix: String, logPrefix: String, message: String) {}
    func logError(timePrefix: String, logPrefix: String, message: String) {
        if message.contains("two copies of PushBridge") { aboutCopies += 1 }
    }
}
