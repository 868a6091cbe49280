import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Imports and retires the successor SDK's keychain items.
@Suite struct SuccessorImportTests {
    private let keychain = InMemoryKeychain()
    private let store = MemoryCredentialStore()
    private static let code = "C0DE0000-0000-4000-8000-00000000000"

    init() throws {
        for item in try KeychainFixture.successor.items() {
            let name = KeychainItem.Name(service: item.service, account: item.account)
            try keychain.add(KeychainItem(name, data: item.data))
        }
    }

    @Test func everyItemIsImportedAndRetired() throws {
        let migration = CredentialMigration(from: .newSDKKeychain(keychain), to: store)
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.records.count == 8)
        #expect(receipt.isComplete)
        try expectCodes(store)
        let notification = try store.read { try $0.notification(messageId: "own-handler-17") }
        #expect(notification != nil && notification?.challenge == nil)
        #expect(try migration.verify().isComplete)
        let folder = try TemporaryFolder()
        let backup = URL(fileURLWithPath: folder.path("backup"))
        try migration.retire(receipt, backup: backup)
        for service in Set(try KeychainFixture.successor.items().map(\.service)) {
            #expect(try keychain.accounts(service: service, accessGroup: nil) == [], "\(service)")
        }
        // The backup is also a store that can be imported.
        let other = MemoryCredentialStore()
        let back = CredentialMigration(from: .file(backup), to: other)
        #expect(try back.apply(back.plan()).isComplete)
        try expectCodes(other)
    }

    /// `retire` fails if the source is the keychain store into which the records were imported.
    ///
    /// The source and the destination are then the same items, and a proof would compare each record with itself.
    @Test(arguments: [(nil, nil), ("group", nil), ("group", "group")] as [(String?, String?)])
    func retiringFailsIfTheSourceIsTheDestination(_ source: String?, _ destination: String?) throws {
        let phone = InMemoryKeychain()
        let store = KeychainCredentialStore(keychain: phone, accessGroup: destination)
        let first = CredentialMigration(from: .newSDKKeychain(keychain), to: store)
        #expect(try first.apply(first.plan()).isComplete)
        let migration = CredentialMigration(from: .newSDKKeychain(phone, accessGroup: source), to: store)
        let receipt = try migration.apply(migration.plan())
        let folder = try TemporaryFolder()
        let error = #expect(throws: MigrationError.self) {
            try migration.retire(receipt, backup: URL(fileURLWithPath: folder.path("backup")))
        }
        #expect(error?.code == .sourceIsDestination)
        try expectCodes(store)
    }

    /// Credentials that were imported into an app's keychain group can be imported from there, like items of the SDK.
    @Test func credentialsImportedIntoAGroupCanBeImportedFromThere() throws {
        let phone = InMemoryKeychain()
        let group = KeychainCredentialStore(keychain: phone, accessGroup: "group")
        let migration = CredentialMigration(from: .newSDKKeychain(keychain), to: group)
        #expect(try migration.apply(migration.plan()).isComplete)
        try expectCodes(group)
        let back = MemoryCredentialStore()
        let second = CredentialMigration(from: .newSDKKeychain(phone, accessGroup: "group"), to: back)
        #expect(try second.apply(second.plan()).isComplete)
        try expectCodes(back)
    }

    @Test func anIncompletePairIsReportedAndTheOtherItemsAreImported() throws {
        try keychain.remove(.init(service: "com.pingidentity.oath.secrets", account: "\(Self.code)1"))
        let migration = CredentialMigration(from: .newSDKKeychain(keychain), to: store)
        let receipt = try migration.apply(migration.plan())
        #expect(!receipt.isComplete)
        #expect(receipt.totals[.damaged] == 1)
        #expect(receipt.records.first { $0.result.outcome == .damaged }?.key == "\(Self.code)1")
        let folder = try TemporaryFolder()
        try migration.retire(receipt, backup: URL(fileURLWithPath: folder.path("backup")))
        let left = try keychain.accounts(service: "com.pingidentity.oath", accessGroup: nil)
        #expect(left == ["\(Self.code)1"])
    }

    @Test func anImportOpensEachItemOnceUntilAnItemChanges() throws {
        let counting = CountingKeychain()
        for item in try KeychainFixture.successor.items() {
            let name = KeychainItem.Name(service: item.service, account: item.account)
            try counting.add(KeychainItem(name, data: item.data))
        }
        let migration = CredentialMigration(from: .newSDKKeychain(counting), to: store)
        #expect(try migration.migrateNew()?.isComplete == true)
        let opened = [
            "com.pingidentity.push.credentials": 2, "com.pingidentity.push.notifications": 2,
            "com.pingidentity.push.tokens": 1, "com.pingidentity.oath": 3, "com.pingidentity.oath.secrets": 3,
        ]
        #expect(counting.takeOpened() == opened)
        #expect(try migration.migrateNew() == nil)
        #expect(counting.takeOpened() == [:])
        let name = KeychainItem.Name(service: "com.pingidentity.oath.secrets", account: "\(Self.code)1")
        try counting.update(name, data: Data("MFRGGZDFMZTWQ2LK".utf8))
        #expect(try migration.migrateNew()?.totals[.conflict] == 1)
    }

    private func expectCodes(_ store: any CredentialStore) throws {
        let codes = try store.read { view in
            try (1...3).map { try #require(try view.oathCredential(id: "\(Self.code)\($0)")) }
        }
        #expect(codes[0].password.secret == SharedSecret(utf8: "12345678901234567890123456789012"))
        #expect((codes[0].oathAlgorithm, codes[0].digits, codes[0].period) == (.sha256, 8, 60))
        #expect((codes[0].displayIssuer, codes[0].isLocked) == ("My bank", true))
        #expect(codes[0].createdAt == Date(timeIntervalSinceReferenceDate: 783_854_142.25))
        #expect(codes[1].password.secret == SharedSecret(base32: "JBSWY3DPEHPK3PXP"))
        #expect((codes[2].oathType, codes[2].counter) == (.hotp, 4_294_967_301))
    }
}
