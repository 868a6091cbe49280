import AuthenticatorKit
import Foundation

/// Opens the app's store, as an app's service extension does for each push.
@main
struct NotificationService {
    static func main() throws {
        let folder = URL(fileURLWithPath: CommandLine.arguments[1])
        try FRAClient.setCredentialStore(SharedStore.open(in: folder, .open))
        FRAClient.start()
        let names = FRAClient.shared?.getAllAccounts().map { "\($0.issuer), \($0.accountName)" } ?? []
        print("accounts that the extension sees: \(names.joined(separator: "; "))")
    }
}
