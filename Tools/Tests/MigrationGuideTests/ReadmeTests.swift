import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The examples in the README compile, and they do what the README promises.
@Suite struct ReadmeTests {
    @Test func appExampleMigratesAndRetires() throws {
        let folder = try TemporaryFolder()
        let legacyStore = try folder.copy(LegacyFixtures.url("everyday.sqlite"))
        let backup = folder.url("backup.sqlite")
        let path = folder.path("credentials.db")

        let store = try SQLiteCredentialStore(path: path, key: KeyFile(path: "\(path).key"), mode: .create)
        let migration = CredentialMigration(from: .file(legacyStore), to: store)
        let plan = try migration.plan()
        let receipt = try migration.apply(plan)
        try migration.retire(receipt, backup: backup)

        #expect(receipt.isComplete)
        #expect(FileManager.default.fileExists(atPath: backup.path))
    }

    @Test func asyncExampleEnrolsReceivesAndApproves() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("credentials.db")
        let deviceToken = Data([0xAB])
        let server = try await SimulatorServer.start()
        let order = RegistrationOrder(issuer: "Example", account: "babs")
        let scannedCode = try server.simulator.createRegistration(order).uri(labelIssuer: "forgerock")

        let client = try await PushClient.createClient { config in
            config.timeout = 600  // A busy machine may let requests wait.
            config.storage = try PushSQLiteStorage(path: path, key: KeyFile(path: "\(path).key"))
        }
        try await client.setDeviceToken(deviceToken)
        let credential = try await client.addCredentialFromUri(scannedCode)

        let delivery = try server.simulator.createPush(PushOrder(mechanismUid: credential.id))
        let payload = try JSONSerialization.jsonObject(with: delivery.payload.data)
        let userInfo = try #require(payload as? [AnyHashable: Any])
        if let push = try await client.processNotification(userInfo: userInfo) {
            try await client.approveNotification(push.id)
        }
        #expect(server.simulator.state(ofPush: delivery.messageId) == .approved)
        await server.stop()
    }

    @Test func thisFileContainsEveryExampleOfTheReadme() throws {
        let readme = Guide.root.appendingPathComponent("README.md")
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```swift\n")
            .dropFirst().compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count == 3)
        for line in blocks.flatMap({ $0.split(separator: "\n") }) {
            let code = line.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces)
            #expect(source.contains(code), "\(code)")
        }
    }

    /// This example is only compiled, because it uses the process's shared client.
    private func legacyExample(
        _ application: UIApplication,
        _ userInfo: [AnyHashable: Any],
        done: @escaping () -> Void,
        show: @escaping (any Error) -> Void
    ) {
        FRAClient.start()
        let push = FRAPushHandler.shared.application(application, didReceiveRemoteNotification: userInfo)
        push?.accept(onSuccess: { done() }, onError: { show($0) })
    }
}
