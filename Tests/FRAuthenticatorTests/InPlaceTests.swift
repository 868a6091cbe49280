import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@_spi(PushBridgeTools) @testable import LegacyStore

/// The legacy API on the legacy SDK's own keychain items.
@Suite("In place on the legacy SDK's items")
struct InPlaceTests {
    private let keychain = InMemoryKeychain()

    private func inPlace(key: (any LegacyItemKey)? = nil) throws -> ClientFixture {
        try ClientFixture(LegacyItemStore(LegacyKeychain(keychain, key: key)))
    }

    /// Returns the previous release of the app, which has the legacy SDK.
    private func previousRelease() throws -> ClientFixture {
        try ClientFixture(storage: SDKKeychain(keychain))
    }

    private func items(_ service: LegacyService) throws -> [KeychainItem] {
        try keychain.items(service: service.rawValue, accessGroup: nil)
    }

    private var allItems: [KeychainItem] { get throws { try LegacyService.allCases.flatMap(items) } }

    @Test(arguments: 1...Sweep.lives)
    func releasesInAnyOrderShowTheSameRecords(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let beside = try ClientFixture(.memory)
        beside.setToken()
        try previousRelease().setToken()
        var step = 0
        for turn in 0..<6 {
            let fixture = random.below(2) == 0 ? try inPlace() : try previousRelease()
            // A locked account would reject the operations of this turn. So the test first removes the locks that
            // the previous turn set.
            for fixture in [fixture, beside] { try fixture.unlockAll() }
            let token: [UInt8] = [UInt8(turn), UInt8(random.below(2))]
            for fixture in [fixture, beside] { try await fixture.setTokenAndUpdateServers(token) }
            for _ in 0..<(1 + random.below(6)) {
                let operation = (random.below(9), random.below(3), random.below(5))
                try await fixture.perform(operation, step)
                try await beside.perform(operation, step)
                step += 1
            }
            let (denied, locked) = (random.below(4), random.below(4))
            for fixture in [fixture, beside] {
                await fixture.denyPending(denied)
                try fixture.lock("Example-user\(locked)")
            }
            #expect(try previousRelease().shown == beside.shown, "after \(step) steps")
            #expect(try inPlace().shown == beside.shown, "after \(step) steps")
        }
    }

    @Test(arguments: ["everyday.jsonl", "edges.jsonl"])
    func readingAccountsChangesNoItem(_ file: String) throws {
        try keychain.install(file)
        let before = try allItems
        let fixture = try inPlace()
        let accounts = fixture.client.getAllAccounts()
        #expect(!accounts.isEmpty)
        for case let mechanism as PushMechanism in accounts.flatMap(\.mechanisms) {
            _ = fixture.client.getAllNotifications(mechanism: mechanism)
        }
        #expect(try allItems == before)
        #expect(try keychain.accounts(service: LegacyKeychain.besideService, accessGroup: nil) == [])
    }

    @Test func anUpdatePreservesWhetherAnItemIsSealed() async throws {
        let key = SoftwareItemKey()
        try keychain.install("everyday.jsonl", accessibility: .whenUnlockedThisDeviceOnly)
        let sealedName = KeychainItem.Name(
            service: LegacyService.account.rawValue,
            account: "Acme Bank-alice@example.com"
        )
        let plain = try #require(try keychain.data(sealedName))
        try keychain.update(sealedName, data: try key.seal(plain))
        let fixture = try inPlace(key: key)
        for account in fixture.client.getAllAccounts() where !account.lock {
            account.displayAccountName = "Renamed"
            #expect(try fixture.client.updateAccount(account: account))
        }
        let names = try Set(items(.account).filter { SealedItem($0.data) != nil }.map(\.name.account))
        #expect(names == ["Acme Bank-alice@example.com"])
        #expect(try items(.account).allSatisfy { $0.accessibility == .whenUnlockedThisDeviceOnly })
        let unlocked = fixture.client.getAllAccounts().filter { !$0.lock }
        #expect(unlocked.allSatisfy { $0.displayAccountName == "Renamed" })
        // A new item is sealed if the device has the legacy SDK's key.
        try await fixture.enrol("new")
        let new = try #require(try items(.account).first { $0.name.account == "Example-new" })
        #expect(SealedItem(new.data) != nil)
        #expect(new.accessibility == .afterFirstUnlock)
    }

    /// If the Secure Enclave fails to open an account's item, unlocking the account does not replace the item.
    ///
    /// A new item would lack the account's name, lock and policies. The Secure Enclave can open the item later.
    @Test func unlockingAnAccountReplacesNoItemThatItsKeyFailsToOpen() throws {
        let key = FailingItemKey()
        try keychain.install("everyday.jsonl")
        let identifier = "Acme Bank-alice@example.com"
        let name = KeychainItem.Name(service: LegacyService.account.rawValue, account: identifier)
        let plain = try #require(try keychain.data(name))
        let sealed = try key.seal(plain)
        try keychain.update(name, data: sealed)
        let fixture = try inPlace(key: key)
        key.failNext(.max)
        let account = try #require(fixture.client.getAccount(identifier: identifier))
        #expect(account.lockingPolicy == AccountProfile.unreadableRecord)
        #expect(try !fixture.client.unlockAccount(account: account))
        #expect(try keychain.data(name) == sealed)
        key.failNext(0)
        #expect(try inPlace(key: key).client.getAccount(identifier: identifier)?.lock == false)
    }

    /// If the Secure Enclave fails to open a credential's item, storing the credential does not replace the item.
    ///
    /// The test stores an earlier version of the credential, so a new item would have the earlier counter.
    @Test(arguments: [1, 2, 3, .max])
    func storingACredentialReplacesNoItemThatItsKeyFailsToOpen(_ failures: Int) async throws {
        let key = FailingItemKey()
        _ = try await inPlace().create("otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example")
        let service = LegacyService.mechanism.rawValue
        let name = KeychainItem.Name(service: service, account: "Example-babs-hotp")
        let plain = try #require(try keychain.data(name))
        try keychain.update(name, data: try key.seal(plain))
        let fixture = try inPlace(key: key)
        let mechanisms = fixture.client.getAllAccounts().flatMap(\.mechanisms)
        let mechanism = try #require(mechanisms.first as? HOTPMechanism)
        let id = mechanism.mechanismUUID
        let earlier = try #require(try fixture.store.read { try $0.oathCredential(id: id) })
        for _ in 0..<3 { _ = try mechanism.generateCode() }
        let store = LegacyItemStore(LegacyKeychain(keychain, key: key))
        key.failNext(failures)
        #expect(throws: StoreError.self) { try store.write { try $0.save(earlier) } }
        key.failNext(0)
        let stored = try store.read { try $0.oathCredential(id: id) }
        #expect(stored?.counter == mechanism.counter)
    }

    /// If the async API saves an unlocked credential while the legacy API works in place, the account is unlocked, too.
    ///
    /// The legacy SDK's items have one lock for all credentials of an account.
    @Test func aCredentialThatIsSavedUnlockedUnlocksItsAccount() async throws {
        let fixture = try inPlace()
        let mechanism = try await fixture.enrol()
        _ = try await fixture.create("otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP")
        try fixture.store.write { view in
            var account = try #require(try view.accounts().values.first)
            (account.policies, account.lockingPolicy, account.isLocked) = (#"{"own":{}}"#, "own", true)
            try view.save(account)
        }
        let client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(fixture.store)
            configuration.logger = LogManager.none
            configuration.policyEvaluator = nil
        }
        var credential = try #require(try await client.getCredential(mechanism.mechanismUUID))
        #expect(credential.isLocked && credential.lockingPolicy == "own")
        credential.unlockCredential()
        #expect(try await client.saveCredential(credential).isLocked == false)
        let store = LegacyItemStore(LegacyKeychain(keychain))
        let (account, others) = try store.read { view in
            let codes = try view.credentials(OathCredential.self, where: .all)
            return (try view.accounts().values.first, codes)
        }
        #expect(account?.isLocked == false && account?.policies == #"{"own":{}}"#)
        #expect(others.map(\.account.isLocked) == [false])
    }

    @Test func anAccountWithTheKeyOfAnotherAccountIsRefused() async throws {
        let fixture = try inPlace()
        _ = try await fixture.create("otpauth://totp/A-B:C?secret=JBSWY3DPEHPK3PXP&issuer=A-B")
        await #expect(throws: (any Error).self) {
            try await fixture.create("otpauth://totp/A:B-C?secret=JBSWY3DPEHPK3PXQ&issuer=A")
        }
        #expect(fixture.client.getAllAccounts().map(\.issuer) == ["A-B"])
        #expect(fixture.client.getAllAccounts().first?.mechanisms.count == 1)
    }

    @Test func aRegistrationUnderAnOccupiedKeySendsNoRequest() async throws {
        let fixture = try inPlace()
        fixture.setToken()
        _ = try await fixture.create(ClientFixture.uri("C", issuer: "A-B"))
        let asked = fixture.server.requests.count
        let error = await #expect(throws: FRAError.self) {
            try await fixture.create(ClientFixture.uri("B-C", issuer: "A"))
        }
        #expect(error?.errorCode == FRAError.failToSaveIntoStorageClient("").errorCode)
        #expect(fixture.server.requests.count == asked)
        #expect(fixture.client.getAllAccounts().map(\.issuer) == ["A-B"])
        // Another mechanism of the existing account can be stored.
        _ = try await fixture.create("otpauth://totp/A-B:C?secret=JBSWY3DPEHPK3PXP&issuer=A-B")
    }

    @Test func aReadOfALockedKeychainFailsAndSucceedsAfterTheUnlock() async throws {
        let fixture = try inPlace()
        let mechanism = try await fixture.enrol()
        let store = fixture.store
        keychain.isLocked = true
        // The transaction throws because it finds no record. The caller receives the cause: the keychain is locked.
        #expect {
            try store.read { view -> Void in
                guard try view.pushCredential(id: mechanism.mechanismUUID) != nil else {
                    throw CocoaError(.fileNoSuchFile)
                }
            }
        } throws: { error in
            (error as? StoreError)?.code == .locked
        }
        keychain.isLocked = false
        #expect(try store.read { try $0.pushCredential(id: mechanism.mechanismUUID) } != nil)
    }

    @Test func anUnreadableItemStaysUnchangedAndHidesNoOtherItem() throws {
        try keychain.install("damaged.sqlite")
        let before = try allItems
        let fixture = try inPlace()
        #expect(fixture.client.getAllAccounts().contains { $0.mechanisms.count > 0 })
        #expect(try allItems == before)
    }

    @Test(arguments: [
        (KeychainAccessibility.afterFirstUnlock, [PushDoctor.Check]()),
        (.afterFirstUnlockThisDeviceOnly, [.accountsTravel]), (.whenUnlocked, [.extensionCanRead]),
        (.whenUnlockedThisDeviceOnly, [.accountsTravel, .extensionCanRead]),
    ])
    func theDoctorReportsTheAccessibilityOfLegacyItems(
        _ accessibility: KeychainAccessibility,
        _ checks: [PushDoctor.Check]
    ) throws {
        try keychain.install("everyday.jsonl", accessibility: accessibility)
        var setting = PushDoctor.Setting()
        setting.hasExtension = true
        let doctor = PushDoctor(of: LegacyItemStore(LegacyKeychain(keychain)), setting: setting)
        let found = doctor.findings.filter { [.accountsTravel, .extensionCanRead].contains($0.check) }
        #expect(found.map(\.check) == checks)
        // everyday.jsonl has four accounts, and each account has at least one mechanism. Two of the five
        // mechanisms are push mechanisms.
        #expect(found.map(\.count) == checks.map { $0 == .accountsTravel ? 4 : 2 })
    }

    @Test func anExportWritesEachRecordOnce() throws {
        try keychain.install("everyday.jsonl")
        let store = LegacyItemStore(LegacyKeychain(keychain))
        let writer = CountingWriter()
        let summary = try CredentialExport(of: store).write(to: writer)
        // everyday.jsonl has 14 records.
        #expect(summary.written.values.reduce(0, +) == 14)
        #expect(writer.keys.withValue { $0.count } == 14)
        #expect(writer.keys.withValue { Set($0).count } == 14)
        #expect(try SigningCheck(of: store).credentials == 2)
        let doctor = PushDoctor(of: store)
        #expect((doctor.pushCredentials, doctor.oathCredentials, doctor.notifications) == (2, 3, 4))
    }

    private final class CountingWriter: LegacyStoreWriting {
        let keys = Lock<[String]>([])
        func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError) {
            keys.withValue { $0.append("\(service.rawValue) \(key)") }
        }
        func finish() {}
    }

    @Test func aLockedKeychainThrowsAndDoesNotAppearEmpty() throws {
        try keychain.install("everyday.jsonl")
        let store = LegacyItemStore(LegacyKeychain(keychain))
        keychain.isLocked = true
        #expect {
            try store.read { try $0.count(of: .push, where: .all) }
        } throws: { error in
            (error as? StoreError)?.code == .locked
        }
        keychain.isLocked = false
        #expect(try store.read { try $0.count(of: .push, where: .all) } == 2)
    }

    @Test func aTokenThatNoServerConfirmedIsStoredAsUnconfirmed() async throws {
        var fixture = try inPlace()
        try await fixture.enrol()
        fixture.server.willAnswer { _ in throw URLError(.notConnectedToInternet) }
        fixture.setToken([0x12, 0x34])
        try await waitFor("the token to be kept") { fixture.handler.deviceToken == "1234" }
        fixture = try inPlace()
        #expect(fixture.handler.deviceToken == "1234")
        let token = try #require(try fixture.store.read { try $0.deviceToken() })
        #expect(!token.unconfirmedCredentialIds.isEmpty)
        // If the previous release stored a later token, the later token is used.
        try previousRelease().setToken([0x56])
        try await waitFor("the previous release to store its token") {
            SDKKeychain(keychain).getPushDeviceToken()?.tokenId == "56"
        }
        #expect(try inPlace().handler.deviceToken == "56")
    }

    /// A token is stored even if the legacy SDK's token has a later date.
    ///
    /// The phone's clock was set back after the legacy SDK had stored its token.
    @Test func aTokenIsStoredAlthoughTheEarlierOneHasALaterDate() async throws {
        var fixture = try inPlace()
        try await fixture.enrol()
        let json = Data(#"{"tokenId":"99","timeAdded":4102444800}"#.utf8)
        let earlier = try JSONDecoder().decode(FRAuthenticator.PushDeviceToken.self, from: json)
        #expect(SDKKeychain(keychain).setPushDeviceToken(pushDeviceToken: earlier))
        fixture = try inPlace()
        fixture.server.willAnswer { _ in throw URLError(.notConnectedToInternet) }
        fixture.setToken([0x12, 0x34])
        try await waitFor("the token to be kept") { fixture.handler.deviceToken == "1234" }
        fixture = try inPlace()
        #expect(fixture.handler.deviceToken == "1234")
        try await fixture.setTokenAndUpdateServers([0x12, 0x34])
        #expect(try inPlace().handler.deviceToken == "1234")
    }
}

extension Sweep {
    /// The number of lives; a life is a random sequence of operations by several releases of the app.
    static var lives: UInt64 { UInt64(asked ?? 100) }
}

extension ClientFixture {
    /// Sets a token, and waits until the client has finished sending the token to all servers.
    func setTokenAndUpdateServers(_ bytes: [UInt8]) async throws {
        try await waitForCall("all servers to receive the token") { done in
            handler.didRegister(Data(bytes)) { done(()) }
        }
    }

    /// Denies the pending push at a position in the order of message ids; does nothing if there is no such push.
    func denyPending(_ number: Int) async {
        let pending = client.getAllNotifications().filter(\.isPending).sorted { $0.messageId < $1.messageId }
        guard pending.indices.contains(number) else { return }
        let push = pending[number]
        _ = await outcome { push.deny(onSuccess: $0, onError: $1) }
    }

    /// Locks an account that has policies.
    ///
    /// No release knows the locking policy, so a read does not unlock the account.
    func lock(_ identifier: String) throws {
        guard let account = client.getAccount(identifier: identifier), account.policies != nil else { return }
        try client.lockAccount(account: account, policy: UnknownPolicy())
    }

    func unlockAll() throws {
        for account in client.getAllAccounts() where account.lock {
            try client.unlockAccount(account: account)
        }
    }
}

private final class UnknownPolicy: FRAPolicy {
    let name = "elsewhere"
    var data: Any?
    func evaluate() -> Bool { true }
}
