import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// What a server sends newly in a code.
@Suite struct NewFieldOfACodeTests {
    @Test(arguments: [StoreKind.memory, .sqlite])
    func itReachesBothAPIsAndTheWayBack(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        bench.setToken()
        var registration = try PushRegistration(uri: Bench.uri())
        registration.tenant = "Blue"
        let mechanism = try #require(try await bench.create(registration.uri()) as? PushMechanism)
        #expect(mechanism.tenant == "Blue")
        let client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(bench.store)
            configuration.transport = bench.server
            configuration.logger = LogManager.none
        }
        #expect(try await client.getCredentials().map(\.tenant) == ["Blue"])
        let json = try JSONEncoder().encode(try await client.getCredentials())
        #expect(try JSONDecoder().decode([PushCredential].self, from: json).map(\.tenant) == ["Blue"])
        let export = CredentialExport(of: bench.store)
        let folder = try TemporaryFolder()
        try export.write(to: SQLiteStoreWriter(folder.url("archives"), date: Date()))
        try export.write(to: LegacyJSONWriter(folder.url("json")))
        for way in ["archives", "json"] {
            let new = MemoryCredentialStore()
            let source = MigrationSource.store(try LegacyFile.open(folder.url(way)))
            _ = try CredentialMigration(from: source, to: new).migrate()
            #expect(try new.read { try $0.pushCredentials().map(\.tenant) } == ["Blue"])
        }
    }
}
