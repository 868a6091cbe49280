import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Migrating an app's own legacy storage")
struct MigrationTests {
    /// Returns a storage that contains the fixture's records.
    private func storage(_ store: String) throws -> ArchivingStorage {
        let storage = ArchivingStorage()
        for (archive, service, _) in try ModelTests.records(store) {
            let object = try ModelTests.object(archive, service)
            switch object {
            case let account as Account: storage.setAccount(account: account)
            case let mechanism as Mechanism: storage.setMechanism(mechanism: mechanism)
            case let push as FRAuthenticator.PushNotification: storage.setNotification(notification: push)
            case let token as FRAuthenticator.PushDeviceToken:
                storage.setPushDeviceToken(pushDeviceToken: token)
            default: Issue.record("\(String(describing: object)) is not an object of the SDK.")
            }
        }
        return storage
    }

    @Test func everyRecordIsMigratedAndCanBeRetired() throws {
        let storage = try storage("everyday.jsonl")
        let folder = try TemporaryFolder()
        let store = MemoryCredentialStore()
        let migration = CredentialMigration(from: .storageClient(storage), to: store)
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.container == "storageClient")
        #expect(receipt.isComplete)
        #expect(receipt.records.count == 14)
        try migration.retire(receipt, backup: folder.url("backup.jsonl"))
        #expect(storage.isEmpty())
        #expect(storage.getAllNotifications() == [])
        let backup = try LegacyFile.open(folder.url("backup.jsonl"))
        #expect(Array(try backup.items()).count == 14)
    }

    @Test func bothStoragesShowTheSameObjects() throws {
        let storage = try storage("everyday.jsonl")
        let store = MemoryCredentialStore()
        let migration = CredentialMigration(from: .storageClient(storage), to: store)
        _ = try migration.apply(migration.plan())
        let shown = [store as any CredentialStore, StorageClientStore(storage)].map { store in
            var configuration = Authenticator.Configuration()
            configuration.store = { store }
            let client = FRAClient(Authenticator(configuration))
            return client.getAllAccounts().map { account -> [String?] in
                let pushes = account.mechanisms.compactMap { $0 as? PushMechanism }
                    .flatMap { client.getAllNotifications(mechanism: $0) }
                return [account.toJson()] + account.mechanisms.map { $0.toJson() }
                    + pushes.map { $0.toJson() }
            }
        }
        #expect(shown[0].count == 4)
        #expect(shown[0] == shown[1])
    }

    /// A legacy store with the accounts of two codes: one code has no issuer, and the other code has no account
    /// name.
    private static let withoutNames = """
        {"accounts":[
        {"id":"demo-demo","issuer":"demo","accountName":"demo","timeAdded":1700000000000},
        {"id":"Example-Untitled","issuer":"Example","accountName":"Untitled","timeAdded":1700000000000}],
        "mechanisms":[
        {"id":"demo-demo-totp","mechanismUID":"0E8DBCB1-1CE5-4BA5-8FD7-ED9D16A4B8B1","issuer":"demo",
        "accountName":"demo","secret":"JBSWY3DPEHPK3PXP","timeAdded":1700000000000,"type":"otpauth",
        "oathType":"totp","algorithm":"sha1","digits":6,"period":30},
        {"id":"Example-Untitled-totp","mechanismUID":"3B0D4C32-6BFF-4C56-A1DF-D6C5C8F1B4E4","issuer":"Example",
        "accountName":"Untitled","secret":"JBSWY3DPEHPK3PXP","timeAdded":1700000000000,"type":"otpauth",
        "oathType":"totp","algorithm":"sha1","digits":6,"period":30}]}
        """

    @Test(
        "After the migration, a code without an issuer or without an account name is refused as a duplicate",
        arguments: [StoreKind.memory, .sqlite],
        ["otpauth://totp/demo?secret=JBSWY3DPEHPK3PXP", "otpauth://totp/Example:?secret=JBSWY3DPEHPK3PXP"]
    )
    func aCodeOfAMigratedAccountIsRefusedAsADuplicate(_ kind: StoreKind, _ code: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url("legacy.json")
        try Data(Self.withoutNames.utf8).write(to: file)
        let fixture = try ClientFixture(kind)
        let migration = CredentialMigration(from: .file(file), to: fixture.store)
        #expect(try migration.apply(migration.plan()).isComplete)
        let url = try #require(URL(string: code))
        let report = await outcome { _, fail in
            fixture.client.createMechanismFromUri(uri: url, onSuccess: { _ in }, onError: fail)
        }
        #expect(report.code == 6_000_004)
        #expect(fixture.client.getAllAccounts().count == 2)
    }

    @Test(arguments: [StoreKind.memory, .sqlite])
    func migratedRecordsAreShownUnchanged(_ kind: StoreKind) throws {
        let fixture = try ClientFixture(kind)
        let migration = CredentialMigration(
            from: .file(LegacyFixtures.url("edges.sqlite")),
            to: fixture.store
        )
        _ = try migration.apply(migration.plan())
        let records = try ModelTests.records("edges.jsonl").map(\.2)
        let accounts = fixture.client.getAllAccounts()
        let mechanisms = accounts.flatMap(\.mechanisms)
        func expected(_ kinds: Set<LegacyRecordKind>) throws -> Set<String> {
            Set(
                try records.filter { kinds.contains($0.kind) }
                    .map { String(decoding: try $0.legacyJSON(), as: UTF8.self) }
            )
        }
        #expect(try expected([.account]).subtracting(accounts.compactMap { $0.toJson() }) == [])
        #expect(try expected([.push, .totp, .hotp]) == Set(mechanisms.compactMap { $0.toJson() }))
        let known = Set(mechanisms.map(\.mechanismUUID))
        let shown = fixture.client.getAllNotifications().compactMap { $0.toJson() }
        #expect(
            try expected([.notification]).symmetricDifference(shown).count
                == records.filter { record in
                    guard case .notification(let value) = record else { return false }
                    return !known.contains(value.credentialId)
                }.count
        )
        for account in accounts {
            #expect(
                fixture.client.getAccount(identifier: account.identifier)?.identifier == account.identifier
            )
        }
    }
}
