import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A migration into the items of the successor SDK.
struct SuccessorDestinationTests {
    @Test func everyRecordIsProvenInTheKeychainServicesOfTheSuccessorSDK() throws {
        let id = UUID().uuidString
        let services = KeychainServices(
            credentials: "push \(id)",
            notifications: "notifications \(id)",
            tokens: "tokens \(id)",
            oathCredentials: "oath \(id)"
        )
        let destination = MigrationDestination.successorKeychain(services: services)
        let source = MigrationSource.file(LegacyFixtures.url("edges.sqlite"))
        let migration = CredentialMigration(from: source, to: destination)
        let receipts = [try migration.migrate(), try migration.verify()]
        for receipt in receipts { #expect(receipt.records.filter { !$0.result.isVerified }.isEmpty) }
        // A second run of the app finds the same records.
        let again = MigrationDestination.successorKeychain(services: services)
        let push = try again.read { try $0.pushCredentials().map(\.id) }.sorted()
        let oath = try again.read { try $0.oathCredentials().map(\.id) }.sorted()
        #expect(push.count + oath.count == 18)

        let keychain = StandardStore.keychain
        let stored = try services.names.map { try keychain.accounts(service: $0, accessGroup: nil) }
        #expect(stored == [push, oath, oath])
    }
}

extension KeychainServices {
    fileprivate var names: [String] { [credentials, oathCredentials, oathSecrets] }
}
