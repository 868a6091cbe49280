import Foundation
import LegacyFiles
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// The import that an app repeats at every start: which items it reads, and which changes it detects.
@Suite struct NewRecordsTests {
    private let legacy = CountingKeychain()
    private let phone = CountingKeychain()
    private let store: KeychainCredentialStore

    init() throws {
        store = KeychainCredentialStore(keychain: phone)
        try Self.fill(legacy)
    }

    private static func fill(
        _ keychain: some Keychain,
        where isWanted: (LegacyService) -> Bool = { _ in true }
    ) throws {
        for item in try LegacyFile.open(LegacyFixtures.url("everyday.jsonl")).items() {
            let item = try item.get()
            guard isWanted(item.service) else { continue }
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            try keychain.add(KeychainItem(name, data: item.payload.archived))
        }
    }

    /// Imports as an app does at its start.
    ///
    /// Returns the number of new records; `nil` if there are no new records.
    private func start(
        _ keychain: (any Keychain)? = nil,
        key: (any LegacyItemKey)? = nil,
        onConflict policy: ConflictPolicy = .keep
    ) throws -> Int? {
        let options = MigrationOptions(conflictPolicy: policy)
        let source = MigrationSource.keychain(keychain ?? legacy, key: key)
        return try CredentialMigration(from: source, to: store, options: options).migrateNew()?.records.count
    }

    /// Returns the names of the legacy items of a kind, sorted.
    private func names(_ service: LegacyService) throws -> [KeychainItem.Name] {
        try legacy.accounts(service: service.rawValue, accessGroup: nil).map {
            KeychainItem.Name(service: service.rawValue, account: $0)
        }
    }

    private var openedLegacyItems: Int { legacy.takeOpened().values.reduce(0, +) }

    @Test func theFirstStartOpensEachItemOnce() throws {
        #expect(try start() == 14)
        #expect(openedLegacyItems == 14)
    }

    @Test func aStartWithNothingNewOpensNoItemAndReadsNoLedger() throws {
        #expect(try start() == 14)
        _ = (legacy.takeOpened(), phone.takeOpened())
        #expect(try start() == nil)
        #expect(legacy.takeOpened() == [:])
        #expect(phone.takeOpened() == [KeychainServices().imports: 1])
    }

    /// An import ends by storing the records that waited for other records; if it is killed, the next start does so.
    @Test func theNextStartStoresTheWaitingRecordsOfAKilledImport() throws {
        let (early, late) = (InMemoryKeychain(), InMemoryKeychain())
        try Self.fill(early) { $0 == .notification }
        try Self.fill(late) { $0 != .notification }
        let count = try #require(try start(early))
        let killed = try MigrationPass(store: store, options: MigrationOptions())
        let migration = CredentialMigration(from: .keychain(late), to: store)
        try migration.forEachBatch(of: try migration.openSource()) { try killed.add($0) }
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 0)
        #expect(try start() == nil)
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == count)
    }

    @Test func anAddedItemIsImportedAlone() throws {
        var builder = LegacyStoreBuilder()
        try builder.totp("added", name: "dora")
        #expect(try start() == 14)
        let item = try #require(builder.items.first)
        let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
        try legacy.add(KeychainItem(name, data: item.payload.archived))
        _ = openedLegacyItems
        #expect(try start() == 1)
        #expect(openedLegacyItems == 15)
        #expect(try start() == nil)
        #expect(openedLegacyItems == 0)
    }

    @Test func aChangedItemIsNoticed() throws {
        #expect(try start() == 14)
        let name = try #require(try names(.notification).first)
        try legacy.update(name, data: Data("another value".utf8))
        #expect(try start() == 1)
    }

    @Test func anItemRewrittenWithTheSameDataIsNotImportedAgain() throws {
        #expect(try start() == 14)
        let name = try #require(try names(.account).first)
        let data = try #require(try legacy.data(name))
        try legacy.remove(name)
        try legacy.add(KeychainItem(name, data: data))
        _ = openedLegacyItems
        #expect(try start() == nil)
        #expect(openedLegacyItems == 14)
        #expect(try start() == nil)
        #expect(openedLegacyItems == 0)
    }

    @Test func aRemovedItemLeavesNothingToDo() throws {
        #expect(try start() == 14)
        try legacy.remove(try #require(try names(.notification).first))
        _ = openedLegacyItems
        #expect(try start() == nil)
        #expect(openedLegacyItems == 13)
        #expect(try start() == nil)
        #expect(openedLegacyItems == 0)
    }

    @Test func aStartDoesNotRestoreACredentialThatTheUserRemoved() throws {
        #expect(try start() == 14)
        let id = try #require(try store.read { try $0.pushCredentials().first?.id })
        _ = try store.write { try $0.deleteCredential(PushCredential.self, id: id) }
        try legacy.remove(try #require(try names(.notification).first))
        #expect(try start() == nil)
        #expect(try store.read { try $0.pushCredential(id: id) } == nil)
    }

    /// A removed account stays removed, even if the previous release changes its items after the removal.
    ///
    /// The release makes a one-time password and renames the account, so both items have new bytes.
    @Test func aStartDoesNotRestoreARemovedAccountThatThePreviousReleaseChanged() throws {
        #expect(try start() == 14)
        let hotp = try #require(try store.read { try $0.oathCredentials().first { $0.oathType == .hotp } })
        let key = hotp.account.key
        _ = try store.write { try $0.removeAccount(key) }
        try makeCode(of: hotp.id)
        let name = try #require(try names(.account).first { $0.account == key.legacyIdentifier })
        let data = try #require(try legacy.data(name))
        guard case .account(var account) = try LegacyRecord(archive: data, service: .account) else {
            Issue.record("The item contains no account.")
            return
        }
        account.profile.customDisplayAccountName = "Robert"
        try legacy.update(name, data: LegacyRecord.account(account).archive)
        #expect(try start() == nil)
        let contents = try store.read { try $0.accountContents() }
        #expect(!contents.isEmpty && !contents.contains { $0.account.key == key })
    }

    /// A credential that another process removes during an import stays removed.
    ///
    /// The previous release has made a one-time password, so the start imports the mechanism's item again.
    @Test func aCredentialThatIsRemovedDuringAnImportStaysRemoved() throws {
        #expect(try start() == 14)
        let store = store
        try store.write { try $0.put(LegacyMove(.moved, beganAt: Date(timeIntervalSince1970: 0))) }
        let id = try #require(try store.read { try $0.oathCredentials().first { $0.oathType == .hotp }?.id })
        try makeCode(of: id)
        var migration = CredentialMigration(from: .keychain(legacy), to: store)
        migration.storing = { _, add in
            _ = try store.write { try $0.deleteCredential(OathCredential.self, id: id) }
            try add()
        }
        _ = try migration.migrateNew()
        #expect(try store.read { try $0.oathCredential(id: id) } == nil)
    }

    /// An import stops if the store's records move to another store after the import has selected an item.
    @Test func anImportStopsWhenTheRecordsMoveToAnotherStore() throws {
        #expect(try start() == 14)
        let (store, later) = (store, MemoryCredentialStore())
        let id = try #require(try store.read { try $0.oathCredentials().first { $0.oathType == .hotp }?.id })
        try makeCode(of: id)
        var migration = CredentialMigration(from: .keychain(legacy), to: store)
        migration.storing = { _, add in
            try StoreMove(from: store, to: later).run()
            try add()
        }
        let error = #expect(throws: StoreError.self) { try migration.migrateNew() }
        #expect(error?.code == .locked)
        #expect(try store.read { try $0.count(of: .oath, where: .all) } == 0)
    }

    /// Increases the counter of a mechanism, as the legacy SDK does.
    private func makeCode(of id: String) throws {
        for name in try names(.mechanism) {
            let data = try #require(try legacy.data(name))
            guard case .mechanism(var mechanism) = try LegacyRecord(archive: data, service: .mechanism),
                mechanism.mechanismUUID == id, case .hotp(let parameters, let counter) = mechanism.factor
            else { continue }
            mechanism.factor = .hotp(parameters, counter: counter + 1)
            try legacy.update(name, data: LegacyRecord.mechanism(mechanism).archive)
        }
    }

    /// Seals the item of one mechanism, and returns the key that opens the item.
    private func sealMechanism() throws -> SoftwareItemKey {
        let key = SoftwareItemKey()
        let name = try #require(try names(.mechanism).first)
        let data = try #require(try legacy.data(name))
        try legacy.update(name, data: key.seal(data))
        return key
    }

    @Test func lockedItemsAreTriedAgain() throws {
        let key = try sealMechanism()
        #expect(try start(key: LockedKey()) == 14)
        #expect(try start(key: LockedKey()) == 1)
        #expect(try start(key: key) == 1)
        #expect(try start(key: key) == nil)
        _ = openedLegacyItems
        #expect(try start(key: key) == nil)
        #expect(openedLegacyItems == 0)
    }

    private struct LockedKey: LegacyItemKey {
        func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
            throw LegacyRecordError(.locked, reason: "The device is locked.")
        }
    }

    @Test func aSealedItemIsImportedWhenItsKeyBecomesAvailable() throws {
        let key = try sealMechanism()
        #expect(try start(key: nil) == 14)
        #expect(try start(key: nil) == nil)
        #expect(try start(key: key) == 1)
    }

    /// An item that its key failed to open is imported at a later start.
    ///
    /// The Secure Enclave may fail once, for example because the system is busy.
    @Test func anItemThatItsKeyFailedToOpenIsImportedLater() throws {
        let key = try sealMechanism()
        #expect(try start(key: FailingKey()) == 14)
        #expect(try start(key: FailingKey()) == nil)
        #expect(try start(key: key) == 1)
        #expect(try start(key: key) == nil)
        _ = openedLegacyItems
        #expect(try start(key: key) == nil)
        #expect(openedLegacyItems == 0)
    }

    private struct FailingKey: LegacyItemKey {
        func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
            throw LegacyRecordError(.undecryptable, reason: "The key does not open it.")
        }
    }

    @Test func theMarkOfADifferentImportIsIgnored() throws {
        #expect(try start() == 14)
        _ = openedLegacyItems
        #expect(try start(onConflict: .replace) == nil)
        #expect(openedLegacyItems == 14)
        let mark = try #require(try store.read { try $0.first(ImportMark.self, where: .all) })
        let foreign = RecordFingerprint(parts: ["foreign"], payload: Data(), occurrence: 0)
        try store.write {
            try $0.put(ImportMark(source: mark.source, digest: foreign, recordedAt: mark.recordedAt))
        }
        #expect(try start() == nil)
        #expect(openedLegacyItems == 14)
    }

    @Test func aDamagedImportMarkIsIgnored() throws {
        #expect(try start() == 14)
        let service = KeychainServices().imports
        let account = try #require(try phone.accounts(service: service, accessGroup: nil).first)
        try phone.update(KeychainItem.Name(service: service, account: account), data: Data([0]))
        _ = openedLegacyItems
        #expect(try start() == nil)
        #expect(openedLegacyItems == 14)
        #expect(try start() == nil)
        #expect(openedLegacyItems == 0)
    }

    @Test func aKeychainWithoutDatesIsReadAtEveryStart() throws {
        let dateless = CountingKeychain(reportsDates: false)
        try Self.fill(dateless)
        #expect(try start(dateless) == 14)
        _ = dateless.takeOpened()
        #expect(try start(dateless) == nil)
        #expect(dateless.takeOpened().values.reduce(0, +) == 14)
        #expect(try store.read { try $0.count(of: .importMark, where: .all) } == 0)
    }

    @Test func anEmptyKeychainLeavesNoMark() throws {
        #expect(try start(CountingKeychain()) == nil)
        #expect(try store.read { try $0.count(of: .importMark, where: .all) } == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func everyStoreKeepsTheMark(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let migration = CredentialMigration(from: .keychain(legacy), to: try kind.make(in: folder))
        #expect(try migration.migrateNew()?.isComplete == true)
        _ = openedLegacyItems
        #expect(try migration.migrateNew() == nil)
        #expect(openedLegacyItems == 0)
    }

    /// If the destination's keychain refuses to look up an account during an import, the next start imports the
    /// account's records.
    ///
    /// The status -26275 means that the item cannot be decoded, and -50 means that the keychain refuses a parameter.
    @Test(arguments: [
        (Int32(-50), MigrationReason.refused, MigrationOutcome.locked),
        (-26275, .unreadableDestination, .conflict),
    ])
    func recordsThatTheDestinationRefusesAreImportedAtTheNextStart(
        _ status: Int32,
        _ reason: MigrationReason,
        _ outcome: MigrationOutcome
    ) throws {
        let target = UnreliableKeychain(InMemoryKeychain())
        let refusing = KeychainCredentialStore(keychain: target)
        let migration = CredentialMigration(from: .keychain(legacy), to: refusing)
        let key = AccountKey(issuer: "Acme Bank", accountName: "alice@example.com")
        target.refuse(key.recordID, with: status)
        let receipt = try #require(try migration.migrateNew())
        let isOfAccount = { (record: MigrationRecord) in record.result.code == reason }
        #expect(receipt.records.contains(where: isOfAccount))
        #expect(receipt.records.filter(isOfAccount).allSatisfy { $0.result.outcome == outcome })
        let repeated = try #require(try migration.migrateNew())
        #expect(repeated.records.filter(isOfAccount) == receipt.records.filter(isOfAccount))
        target.refuse(key.recordID, with: nil)
        #expect(try migration.migrateNew()?.isComplete == true)
        #expect(try refusing.read { try $0.account(key) } != nil)
        #expect(try migration.migrateNew() == nil)
    }

    @Test func aRecreatedStoreReceivesEveryRecord() throws {
        #expect(try start() == 14)
        let migration = CredentialMigration(from: .keychain(legacy), to: MemoryCredentialStore())
        #expect(try migration.migrateNew()?.records.count == 14)
    }
}
