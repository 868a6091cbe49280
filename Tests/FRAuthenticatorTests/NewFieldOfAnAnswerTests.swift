import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// What a server sends newly in the answer to a registration.
@Suite struct NewFieldOfAnAnswerTests {
    @Test(arguments: [StoreKind.memory, .sqlite])
    func itReachesBothAPIsAndTheWayBack(_ kind: StoreKind) async throws {
        let bench = try Bench(kind)
        bench.setToken()
        bench.server.willAnswer { _ in PushResponse(status: 200, body: Data(#"{"region":"eu"}"#.utf8)) }
        #expect(try await bench.enrol().region == "eu")
        let client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(bench.store)
            configuration.transport = bench.server
            configuration.logger = LogManager.none
        }
        #expect(try await client.getCredentials().map(\.region) == ["eu"])
        try await client.addCredentialFromUri(Bench.uri("scarter"))
        let mechanisms = bench.client.getAllAccounts().flatMap(\.mechanisms)
        #expect(mechanisms.map { ($0 as? PushMechanism)?.region } == ["eu", "eu"])
        let export = CredentialExport(of: bench.store)
        let folder = try TemporaryFolder()
        try export.write(to: SQLiteStoreWriter(folder.url("archives"), date: Date()))
        try export.write(to: LegacyJSONWriter(folder.url("json")))
        for way in ["archives", "json"] {
            let new = MemoryCredentialStore()
            let source = MigrationSource.store(try LegacyFile.open(folder.url(way)))
            _ = try CredentialMigration(from: source, to: new).migrate()
            #expect(try new.read { try $0.pushCredentials().map(\.region) } == ["eu", "eu"])
        }
    }
}
