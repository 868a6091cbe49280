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
            config.timeout = 600  // A busy machine can delay requests.
            config.storage = try PushSQLiteStorage(path: path, key: KeyFile(path: "\(path).key"))
        }
        _ = try? await client.setDeviceToken(deviceToken)
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

    /// For each example, one function of this file has all lines of the example, with the same indentation and order.
    ///
    /// The function can have other lines between these lines. The example's imports are at the beginning of the file.
    @Test func thisFileContainsEveryExampleOfTheReadme() throws {
        let readme = try String(contentsOf: Guide.root.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let examples = readme.components(separatedBy: "```swift\n").dropFirst()
            .map { Self.code($0.components(separatedBy: "```")[0]) }
        #expect(examples.count == 3)
        let imports = Self.code(source).filter(Self.isImport)
        let indentation = String(repeating: " ", count: 8)
        let functions = source.components(separatedBy: "\n    }\n").map { function in
            Self.code(function).map { $0.hasPrefix(indentation) ? String($0.dropFirst(8)) : $0 }
        }
        for example in examples {
            for line in example.filter(Self.isImport) { #expect(imports.contains(line), "\(line)") }
            let statements = example.filter { !Self.isImport($0) }
            #expect(!statements.isEmpty)
            #expect(
                functions.contains { Self.contains(statements, in: $0) },
                "\(statements.joined(separator: "\n"))"
            )
        }
    }

    /// Returns those lines of a text that contain code, without the comments and spaces at their ends.
    private static func code(_ text: String) -> [String] {
        text.components(separatedBy: "\n").map { line in
            var code = line.components(separatedBy: " //")[0]
            while code.last == " " { code.removeLast() }
            return code
        }
        .filter { !$0.isEmpty }
    }

    private static func isImport(_ line: String) -> Bool { line.hasPrefix("import ") }

    /// Returns whether a function contains all these lines, in this order.
    private static func contains(_ lines: [String], in function: [String]) -> Bool {
        var left = lines[...]
        for line in function where line == left.first { left.removeFirst() }
        return left.isEmpty
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
