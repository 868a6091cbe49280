import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import Testing

@testable import Step1

/// The app's own storage keeps all data that the API stores in it.
@Suite(.serialized)
struct PluginStorageTests {
    @Test func aReopenedPluginStorageContainsEveryRecord() async throws {
        let (app, server) = (try await Phone.app(), try await SimulatorServer.start())
        let push = try receive(.default, try await enrol("dave", app, server), app, server)
        let storage = PluginStorage(folder: Phone.folder)
        #expect(storage.getAllAccounts().map(\.accountName).contains("dave"))
        #expect(storage.getMechanismForUUID(uuid: push.mechanismUUID) is PushMechanism)
        #expect(storage.getNotificationByMessageId(messageId: push.messageId)?.isPending == true)
        #expect(storage.getPushDeviceToken()?.tokenId == "F79B")
        await server.stop()
    }

    @Test func aMigrationCanReadTheFileOfThePluginStorage() async throws {
        let (app, server) = (try await Phone.app(), try await SimulatorServer.start())
        _ = try await enrol("erin", app, server)
        let file = Phone.folder.appendingPathComponent("accounts.plist")
        let plan = try CredentialMigration(from: .file(file), to: MemoryCredentialStore()).plan()
        #expect(plan.isComplete)
        #expect(plan.records.map(\.key).contains("Example-erin-push"))
        await server.stop()
    }
}
