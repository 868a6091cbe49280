import CredentialMigration
import Foundation
import LegacyFiles
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A migration from a keychain has the same outcomes as a migration from a file with the same records.
///
/// The outcomes do not depend on how the items are sealed.
@Suite struct KeychainMigrationTests {
    /// The way in which the items of a device are sealed.
    enum Sealing: CaseIterable {
        case plain, newer, older, mixed

        func format(at index: Int) -> SealedFormat? {
            switch self {
            case .plain: nil
            case .newer: .variableIV
            case .older: .zeroIV
            case .mixed: [nil, .variableIV, .zeroIV][index % 3]
            }
        }
    }

    private let keychain = InMemoryKeychain()
    private let key = SoftwareItemKey()
    private let store = MemoryCredentialStore()

    /// Stores a fixture's items in the keychain and returns them.
    ///
    /// If two items have the same name, only the first item is stored.
    @discardableResult
    private func fill(
        _ fixture: String,
        _ sealing: Sealing,
        _ accessibility: KeychainAccessibility = .afterFirstUnlock
    ) throws -> [LegacyItem] {
        var items: [LegacyItem] = []
        for item in try LegacyFile.open(LegacyFixtures.url(fixture)).items() {
            let item = try item.get()
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            guard try keychain.data(name) == nil else { continue }
            let format = sealing.format(at: items.count)
            let value = try format.map { try key.seal(item.payload.archived, as: $0) }
            try keychain.add(
                KeychainItem(name, data: value ?? item.payload.archived, accessibility: accessibility)
            )
            items.append(item)
        }
        return items
    }

    private func migrating(with key: (any LegacyItemKey)?) -> CredentialMigration {
        CredentialMigration(from: .keychain(keychain, key: key), to: store)
    }

    /// A migrated HOTP credential has the period 30, although HOTP has no period.
    ///
    /// This is row `period-of-a-counter-code` of `docs/successor.md`.
    @Test func aMigratedCounterCredentialHasTheStandardPeriod() throws {
        try fill("everyday.jsonl", .plain)
        let migration = migrating(with: nil)
        _ = try migration.apply(migration.plan())
        let counters = try store.read { try $0.oathCredentials().values.filter { $0.oathType == .hotp } }
        #expect(counters.map(\.period) == [30])
    }

    @Test(arguments: Sealing.allCases, ["everyday.jsonl", "edges.jsonl"])
    func aKeychainIsMigratedWithTheSameResultAsAFile(_ sealing: Sealing, _ fixture: String) throws {
        let items = try fill(fixture, sealing)
        let reference = MemoryCredentialStore()
        let expected = try migrate(MemoryLegacySource(items), to: reference)
        let migration = migrating(with: key)
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.container == "keychain")
        #expect(receipt.totals == expected.totals)
        #expect(receipt.isComplete)
        #expect(try migration.verify().isComplete)
        #expect(try Snapshot(store) == Snapshot(reference))

        let folder = try TemporaryFolder()
        let backup = URL(fileURLWithPath: folder.path("backup"))
        #expect(try migration.retire(receipt, backup: backup) == receipt.retirable)
        #expect(try Array(KeychainLegacySource(keychain).items()).isEmpty)
        // The backup is also a legacy store; its items are sealed as before.
        let second = CredentialMigration(from: .file(backup, key: key), to: store)
        #expect(try second.verify().isComplete)
    }

    /// A migrated item has the same accessibility class as its legacy item.
    @Test(arguments: KeychainAccessibility.allCases)
    func migratedItemsKeepTheirAccessibility(_ accessibility: KeychainAccessibility) throws {
        try fill("everyday.jsonl", .mixed, accessibility)
        let phone = InMemoryKeychain()
        let migration = CredentialMigration(
            from: .keychain(keychain, key: key),
            to: KeychainCredentialStore(keychain: phone)
        )
        let receipt = try migration.apply(migration.plan())
        #expect(receipt.isComplete)
        let services = KeychainServices()
        let kinds = [
            services.credentials, services.oathCredentials, services.oathSecrets, services.accounts,
            services.notifications, services.tokens, services.ledger,
        ]
        for service in kinds {
            let accounts = try phone.accounts(service: service, accessGroup: nil)
            #expect(!accounts.isEmpty)
            for account in accounts {
                let name = KeychainItem.Name(service: service, account: account)
                #expect(try phone.accessibility(of: name) == accessibility)
            }
        }
        let travels = accessibility == .whenUnlocked || accessibility == .afterFirstUnlock
        #expect(receipt.restorableAccounts == (travels ? 4 : 0))
    }

    @Test func onlyAccountsThatTravelAreCounted() throws {
        try fill("everyday.jsonl", .plain)
        for account in try keychain.accounts(service: LegacyService.mechanism.rawValue, accessGroup: nil)
        where account.contains("push") {
            let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: account)
            let data = try #require(try keychain.data(name))
            try keychain.remove(name)
            try keychain.add(KeychainItem(name, data: data, accessibility: .whenUnlockedThisDeviceOnly))
        }
        let phone = KeychainCredentialStore(keychain: InMemoryKeychain())
        let migration = CredentialMigration(from: .keychain(keychain, key: nil), to: phone)
        let receipt = try migration.apply(migration.plan())
        let withCodes = Set(try phone.read { try $0.fetch(OathCredential.self) }.values.map(\.account.key))
        let all = withCodes.union(
            try phone.read { try $0.fetch(PushCredential.self) }.values.map(\.account.key)
        )
        #expect(receipt.restorableAccounts == withCodes.count)
        #expect(withCodes.count < all.count)
    }

    @Test func withoutTheRightKeyOnlyTheSealedRecordsAreUndecryptable() throws {
        let items = try fill("everyday.jsonl", .mixed)
        let plain = items.indices.filter { $0.isMultiple(of: 3) }.count
        for key in [SoftwareItemKey(), nil] {
            let migration = migrating(with: key)
            let plan = try migration.plan()
            #expect(plan.totals[.undecryptable] == items.count - plain)
            let receipt = try migration.apply(plan)
            #expect(receipt.totals[.undecryptable] == items.count - plain)
            #expect(receipt.retirable.count == plain)
            let sealed = receipt.records.filter { $0.result.outcome == .undecryptable }
            let reasons = Set(sealed.compactMap(\.result.reason))
            #expect(reasons.count == 1 && reasons.first?.contains("enrol again") == true)
        }
    }

    @Test func aLockedKeychainIsMigratedAfterItsUnlock() throws {
        try fill("everyday.jsonl", .mixed)
        keychain.isLocked = true
        let error = #expect(throws: LegacyStoreError.self) { try migrating(with: key).plan() }
        #expect(error?.code == .locked)
        #expect(try Snapshot(store) == Snapshot(MemoryCredentialStore()))
        keychain.isLocked = false
        let migration = migrating(with: key)
        #expect(try migration.apply(migration.plan()).isComplete)
    }

    @Test func recordsAreMigratedAfterTheirLockedKeyIsUnlocked() throws {
        let items = try fill("everyday.jsonl", .newer)
        let locked = migrating(with: LockedKey())
        let first = try locked.apply(locked.plan())
        #expect(first.totals[.locked] == items.count)
        #expect(first.retirable.isEmpty)
        let migration = migrating(with: key)
        #expect(try migration.apply(migration.plan()).totals[.migrated] == items.count)
        #expect(try migration.verify().isComplete)
    }

    private struct LockedKey: LegacyItemKey {
        func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
            throw LegacyRecordError(.locked, reason: "The device is locked.")
        }
    }
}
