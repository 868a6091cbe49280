import CredentialMigration
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// What the server sends newly with a registration.
@Suite struct NewFieldTests {
    @Test func itReachesBothStoresTheWayBackAndTheSuccessorsJSON() throws {
        let folder = try TemporaryFolder()
        let endpoint = "https://am.example.com/json/push/sns/message"
        var registration = PushRegistration(
            account: AccountProfile(issuer: "Example", accountName: "babs"),
            endpoints: try #require(
                PushEndpoints(
                    registration: "\(endpoint)?_action=register",
                    authentication: "\(endpoint)?_action=authenticate"
                )
            ),
            sharedSecret: .random(),
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        )
        registration.tenant = "Blue"
        let scanned = try PushRegistration(uri: registration.uri())
        #expect(scanned == registration)
        let credential = scanned.credential(id: "1", createdAt: Date(timeIntervalSince1970: 1_800_000_000))
        let json = try JSONEncoder().encode(credential)
        #expect(try JSONDecoder().decode(PushCredential.self, from: json).tenant == "Blue")
        let stores: [any CredentialStore] = [
            KeychainCredentialStore(keychain: InMemoryKeychain()),
            try SQLiteCredentialStore(path: folder.path("db"), key: InMemorySealingKey(), mode: .create),
        ]
        for (number, store) in stores.enumerated() {
            try store.write { _ = try $0.enrol(credential, registeredWith: PushDeviceToken(token: "00ff")) }
            let export = CredentialExport(of: store)
            try export.write(to: SQLiteStoreWriter(folder.url("archives \(number)"), date: Date()))
            try export.write(to: LegacyJSONWriter(folder.url("json \(number)")))
            for way in ["archives", "json"] {
                let new = MemoryCredentialStore()
                let legacy = try LegacyFile.open(folder.url("\(way) \(number)"))
                _ = try migrate(legacy, to: new)
                #expect(try new.read { try $0.pushCredential(id: "1") }?.tenant == "Blue")
            }
        }
    }
}
