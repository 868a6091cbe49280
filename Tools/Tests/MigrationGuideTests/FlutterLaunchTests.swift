import CredentialMigration
import FRAuthenticator
import Foundation
import PushBridgeTestSupport
import Testing

/// Runs the launch code in docs/plugins.md on the items of the vendor's Flutter plugin.
@Suite struct FlutterLaunchTests {
    #if compiler(>=6.2) && (os(Linux) || os(macOS))
    /// This test runs in a child process, because a process has only one shared client.
    @Test func theClientReturnsAccountsOfTheFlutterPluginAfterTheLaunch() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            StandardStore.folder = folder.url
            let keychain = InMemoryKeychain()
            for line in try LegacyFixtures.data("everyday.jsonl").split(separator: UInt8(ascii: "\n")) {
                let item = try JSONDecoder().decode([String: String].self, from: line)
                let service = try #require(item["svce"]).replacingOccurrences(of: ".ios.", with: ".")
                let name = KeychainItem.Name(service: service, account: item["acct"] ?? "")
                try keychain.add(
                    KeychainItem(name, data: try #require(Data(base64Encoded: item["data"] ?? "")))
                )
            }
            try FlutterLaunch.launch(on: keychain)
            let accounts = try #require(FRAClient.shared).getAllAccounts()
            #expect(
                accounts.map(\.identifier).sorted() == [
                    "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "ForgeRock-demo",
                ]
            )
            #expect(accounts.flatMap(\.mechanisms).count == 5)
        }
    }
    #endif
}
