import FRAuthenticator
// If the app contains FRAuth, this is the legacy SDK's FRCore. Otherwise, this is PushBridge's FRCore.
import FRCore
import Foundation

#if BESIDE_SDK
import FRAuth
#endif
#if BESIDE_SUCCESSOR
import PingPush
#endif

/// Calls the API as an old app does, with an unchanged `import FRAuthenticator`, and prints each problem.
@main
struct App {
    static func main() throws {
        let findings = try findings()
        for finding in findings { print(finding) }
        exit(findings.isEmpty ? 0 : 1)
    }

    static func findings() throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FRAClient.setStorage(storage: PluginStorage(folder: folder))
        FRAClient.start()
        guard let uri = URL(string: "otpauth://totp/Forge:demo?secret=JBSWY3DPEHPK3PXP") else { return [] }
        FRAClient.shared?.createMechanismFromUri(uri: uri, onSuccess: { _ in }, onError: { print($0) })

        var findings: [String] = []
        let accounts = FRAClient.shared?.getAllAccounts() ?? []
        if accounts.map(\.identifier) != ["Forge-demo"] {
            findings.append("The account cannot be read back from the app's own storage.")
        }
        if try accounts.map(archiveOfSDK).map(account).map(\.?.identifier) != ["Forge-demo"] {
            findings.append("An archive of the SDK cannot be read.")
        }
        #if BESIDE_SDK
        if FRUser.core != "the legacy SDK" || FRCore.Request.origin != "the legacy SDK" {
            findings.append("FRAuth does not use the legacy SDK's FRCore.")
        }
        #else
        let items = KeychainService(service: "app.\(folder.lastPathComponent)")
        defer { items.deleteAll() }
        if !items.set("kept", key: "own") || items.getString("own") != "kept" {
            findings.append("The app's own keychain items are not kept.")
        }
        Log.w("Messages outside FRAuth are logged as before.")
        #endif
        #if BESIDE_SUCCESSOR
        if PushClient.origin != "the successor SDK" {
            findings.append("PingPush is not the module of the successor SDK.")
        }
        #endif
        return findings
    }

    /// Returns an account's archive with the class name that the SDK uses.
    static func archiveOfSDK(_ account: Account) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        archiver.encode(account, forKey: NSKeyedArchiveRootObjectKey)
        var text = String(decoding: archiver.encodedData, as: UTF8.self)
        #if !canImport(ObjectiveC)
        // On Linux, Foundation cannot archive a class under a different name, so the name is replaced in the
        // archive's text.
        text = text.replacingOccurrences(of: "PushBridgeFRAuthenticator.", with: "FRAuthenticator.")
        #endif
        return Data(text.utf8)
    }

    static func account(_ archive: Data) throws -> Account? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: Account.self, from: archive)
    }
}
