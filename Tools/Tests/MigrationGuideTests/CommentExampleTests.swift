import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import PingOath
import PingPush
import PushBridgeTestSupport
import Testing

/// The examples in the comments of public symbols, and the code of the tutorial.
@Suite struct CommentExampleTests {
    /// Checks that every line of an example is also a line of this file, which the compiler checks.
    @Test func everyExampleInACommentIsCompiled() throws {
        let own = try ownLines()
        let examples = try SourceFiles.contents(of: "Sources").flatMap { source in
            source.matches(of: /\/\/\/ ```swift\n(.*?)\/\/\/ ```/.dotMatchesNewlines()).map(\.output.1)
        }
        #expect(examples.count >= 14)
        for line in examples.flatMap({ $0.split(separator: "\n") }) {
            let code = line.trimmingCharacters(in: .whitespaces).dropFirst("///".count)
                .trimmingCharacters(in: .whitespaces)
            let isCompiled = code.isEmpty || own.contains(code)
            #expect(isCompiled, "\(code)")
        }
    }

    @Test func everyStepOfTheTutorialIsCompiled() throws {
        let own = try ownLines()
        let resources = "Sources/CredentialMigration/CredentialMigration.docc/Resources"
        let folder = Guide.root.appendingPathComponent(resources)
        let steps = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix("migrate-")
        }
        #expect(steps.count == 5)
        for step in steps {
            let text = try String(contentsOf: folder.appendingPathComponent(step), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.hasPrefix("let folder = ") {
                let isCompiled = own.contains(line.trimmingCharacters(in: .whitespaces))
                #expect(isCompiled, "\(step): \(line)")
            }
        }
    }

    @Test func theTutorialRetiresAStore() throws {
        let temporary = try TemporaryFolder()
        let legacyStore = try temporary.copy(LegacyFixtures.url("everyday.sqlite"))
        let folder = legacyStore.deletingLastPathComponent()
        try FileManager.default.moveItem(at: legacyStore, to: folder.appendingPathComponent("legacy.sqlite"))

        let legacy = folder.appendingPathComponent("legacy.sqlite")
        let database = folder.appendingPathComponent("credentials.db").path

        let store = try SQLiteCredentialStore(
            path: database,
            key: KeyFile(path: "\(database).key"),
            mode: .create
        )
        let migration = CredentialMigration(from: .file(legacy), to: store)

        let plan = try migration.plan()
        for record in plan.records {
            print(record.kind, record.key, record.result.outcome, record.result.reason ?? "")
        }

        let receipt = try migration.apply(plan)
        for record in receipt.records where !record.isRetirable {
            print("stays:", record.key, record.result.reason ?? "")
        }

        let backup = folder.appendingPathComponent("backup.sqlite")
        try migration.retire(receipt, backup: backup)
        print(receipt.isComplete ? "All records are proven and removed." : "Some records remain.")

        #expect(receipt.isComplete)
        #expect(receipt.totals.records == 14)
        #expect(FileManager.default.fileExists(atPath: backup.path))
        #expect(throws: LegacyStoreError.self, "No legacy record is left in the store.") {
            try LegacyFile.open(legacy)
        }
    }

    private func ownLines() throws -> Set<String> {
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        return Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    // MARK: Only compiled

    private func show(_ parts: Any...) {}
    private func log(_ parts: Any...) {}

    private func legacy(_ scanned: URL, _ push: FRAuthenticator.PushNotification) {
        FRAClient.start()
        let accounts = FRAClient.shared?.getAllAccounts() ?? []
        show(accounts)
        FRAClient.shared?.createMechanismFromUri(
            uri: scanned,
            onSuccess: { mechanism in show(mechanism.accountName) },
            onError: { error in show(error.localizedDescription) }
        )
        push.accept(onSuccess: { show("Approved") }, onError: { error in show(error.localizedDescription) })
    }

    private func legacy(_ application: UIApplication, _ userInfo: [AnyHashable: Any]) {
        let push = FRAPushHandler.shared.application(application, didReceiveRemoteNotification: userInfo)
        if let push { show(push.messageId) }
    }

    private func opening() async throws -> PushClient {
        let client = try await PushClient.createClient { config in
            config.timeout = 30
        }
        return client
    }

    private func enrolling(_ client: PushClient, _ scanned: URL, _ deviceToken: Data) async throws {
        try await client.setDeviceToken(deviceToken)
        let credential = try await client.addCredentialFromUri(scanned.absoluteString)
        show(credential.displayAccountName)
    }

    private func answering(
        _ client: PushClient,
        _ userInfo: [AnyHashable: Any],
        _ chosen: String
    ) async throws {
        if let push = try await client.processNotification(userInfo: userInfo) {
            show(push.messageText ?? push.messageId)
        }
        for push in try await client.getPendingNotifications() where push.pushType == .default {
            try await client.approveNotification(push.id)
        }
        for push in try await client.getPendingNotifications() {
            do {
                try await client.approveChallengeNotification(push.id, challengeResponse: chosen)
            } catch PushError.pushNumberChallengeError {
                show("Another number")
            }
        }
    }

    private func codes(_ client: OathClient) async throws {
        for credential in try await client.getCredentials() {
            let info = try await client.generateCodeWithValidity(credential.id)
            show("\(info.code), \(info.timeRemaining) s")
        }
    }

    private func migrating(_ url: URL, _ store: any CredentialStore, _ backup: URL) throws {
        let migration = CredentialMigration(from: .file(url), to: store)
        let plan = try migration.plan()
        let receipt = try migration.apply(plan)
        try migration.retire(receipt, backup: backup)
        let check = try SigningCheck(of: .file(url))
        for problem in check.problems { log(problem.key, problem.reason) }
        let doctor = PushDoctor { try StandardStore.open() }
        for finding in doctor.findings { show(finding.severity, finding.meaning, finding.remedy) }
        let attachment = try JSONEncoder().encode(doctor)
        show(attachment)
    }
}
