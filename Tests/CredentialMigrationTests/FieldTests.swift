import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Situations from the field in which a migration lost something or misled once.
@Suite("Migrations from the field")
struct FieldTests {
    private func archives(_ records: [LegacyRecord]) -> MigrationSource {
        .keychain(
            {
                let keychain = InMemoryKeychain()
                for record in records {
                    let name = KeychainItem.Name(service: record.service.rawValue, account: record.identifier)
                    try? keychain.add(KeychainItem(name, data: record.archive))
                }
                return keychain
            }()
        )
    }

    /// A release was withdrawn, the device got a new token, and the release was published again.
    @Test func theNewerDeviceTokenCounts() throws {
        let store = MemoryCredentialStore()
        let old = PushDeviceToken(tokenId: "AA11", createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        let new = PushDeviceToken(tokenId: "BB22", createdAt: Date(timeIntervalSince1970: 1_700_100_000))
        _ = try CredentialMigration(from: archives([.deviceToken(old)]), to: store).migrate()
        let receipt = try CredentialMigration(from: archives([.deviceToken(new)]), to: store).migrate()
        #expect(receipt.records.map(\.result.outcome) == [.migrated])
        #expect(receipt.records.allSatisfy { $0.result.isVerified })
        #expect(try store.read { try $0.deviceToken() }?.tokenId == "BB22")
        let again = try CredentialMigration(from: archives([.deviceToken(old)]), to: store).migrate()
        #expect(again.records.map(\.result.outcome) == [.alreadyPresent])
        #expect(try store.read { try $0.deviceToken() }?.tokenId == "BB22")
    }

    /// The account is in Unicode's form D and its mechanism in form C, which the SDK takes for equal.
    @Test func canonicallyEquivalentNamesAreJoined() throws {
        var profile = AccountProfile(issuer: "Cafe\u{301}", accountName: "zoe")
        profile.isLocked = true
        profile.lockingPolicy = "deviceTampering"
        profile.policies = #"{"deviceTampering":{"score":0.8}}"#
        profile.customDisplayIssuer = "My cafe"
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let mechanism = LegacyMechanism(
            mechanismUUID: "M",
            account: AccountKey(issuer: "Caf\u{E9}", accountName: "zoe"),
            secret: try #require(SharedSecret(utf8: "JBSWY3DPEHPK3PXP")),
            timeAdded: date,
            factor: .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
        )
        for records in [
            [LegacyRecord.account(LegacyAccount(profile: profile, timeAdded: date)), .mechanism(mechanism)],
            [.mechanism(mechanism), .account(LegacyAccount(profile: profile, timeAdded: date))],
        ] {
            let store = MemoryCredentialStore()
            _ = try CredentialMigration(from: archives(records), to: store).migrate()
            let credential = try #require(try store.read { try $0.oathCredential(id: "M") })
            #expect(credential.isLocked)
            #expect(credential.lockingPolicy == "deviceTampering")
            #expect(credential.displayIssuer == "My cafe")
        }
    }
}
