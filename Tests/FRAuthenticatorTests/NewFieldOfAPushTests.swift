import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// What a server sends newly in a push.
@Suite struct NewFieldOfAPushTests {
    @Test(arguments: [StoreKind.memory, .sqlite])
    func itReachesBothAPIsAndTheWayBack(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        bench.setToken()
        let push = try #require(try bench.deliver(["r": "high"], to: await bench.enrol()))
        #expect(push.riskLevel == "high")
        let client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(bench.store)
            configuration.transport = bench.server
            configuration.logger = LogManager.none
        }
        let stored = try await client.getAllNotifications()
        #expect(stored.map(\.riskLevel) == ["high"])
        let json = try JSONEncoder().encode(stored)
        #expect(try JSONDecoder().decode([PushBridgeCore.PushNotification].self, from: json) == stored)
        let export = CredentialExport(of: bench.store)
        let folder = try TemporaryFolder()
        try export.write(to: SQLiteStoreWriter(folder.url("archives"), date: Date()))
        try export.write(to: LegacyJSONWriter(folder.url("json")))
        for way in ["archives", "json"] {
            let new = MemoryCredentialStore()
            let source = MigrationSource.store(try LegacyFile.open(folder.url(way)))
            _ = try CredentialMigration(from: source, to: new).migrate()
            #expect(try new.read { try $0.notifications().map(\.riskLevel) } == ["high"])
        }
    }
}
