import Accounts
import AuthenticatorKit
import Foundation

/// Adds an account, reads the account in the framework and in the extension, and prints how many clients the
/// process has.
@main
struct App {
    static func main() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FRAClient.setCredentialStore(SharedStore.open(in: folder, .create))
        FRAClient.start()
        guard let uri = URL(string: "otpauth://totp/Forge:demo?secret=JBSWY3DPEHPK3PXP") else { return }
        FRAClient.shared?.createMechanismFromUri(uri: uri, onSuccess: { _ in }, onError: { print($0) })

        let clients = Set([FRAClient.shared, Accounts.client].compactMap { $0.map(ObjectIdentifier.init) })
        print("clients in the process: \(clients.count)")
        print("accounts that the framework sees: \(Accounts.names.joined(separator: "; "))")
        try runExtension(folder)
    }

    /// Runs the extension in a separate process, as the system does.
    private static func runExtension(_ folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("NotificationService")
        process.arguments = [folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        print(text, terminator: "")
    }
}
