import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import FRAuthenticator

/// Orders of events in which an account was once lost, and similar orders.
@Suite("Orders of events around the move", .serialized)
struct MoveOrderTests {
    let phone = InMemoryKeychain()
    let keychain: UnreliableKeychain
    let store = MemoryCredentialStore()

    static let accounts = [
        "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "ForgeRock-demo",
    ]
    static let alice = "Acme Bank-alice@example.com"
    static let bob = "Acme Bank-bob"

    init() throws {
        keychain = UnreliableKeychain(phone)
        try phone.install()
    }

    struct Process {
        let migration: FRAMigration
        let authenticator: Authenticator
        let client: FRAClient

        var accounts: [String] { client.getAllAccounts().map(\.identifier).sorted() }

        /// The identifiers of the accounts that have a mechanism.
        var usable: [String] {
            client.getAllAccounts().filter { !$0.mechanisms.isEmpty }.map(\.identifier).sorted()
        }

        func hotp(_ identifier: String = "Acme Bank-bob") throws -> HOTPMechanism {
            let account = try #require(client.getAccount(identifier: identifier))
            return try #require(account.mechanisms.lazy.compactMap { $0 as? HOTPMechanism }.first)
        }

        var isInPlace: Bool { (try? authenticator.isInPlace) == true }

        var isLater: Bool { if case .later = migration.outcome { true } else { false } }
    }

    func process(
        _ mode: FRAMigration.Mode? = nil,
        in other: UnreliableKeychain? = nil,
        isExtension: Bool = false,
        starts: Bool = true,
        failingOnceWith code: StoreError.Code? = nil,
        rollout: MigrationRollout? = nil,
        key: (any LegacyItemKey)? = nil,
        at now: Date? = nil
    ) -> Process {
        let migration = FRAMigration()
        migration.rollout = rollout
        migration.source = .keychain(other ?? keychain, key: key)
        if let mode { migration.mode = mode }
        var configuration = Authenticator.Configuration()
        if let now { configuration.now = { now } }
        let opened = Guarded(0)
        configuration.store = { [store] in
            let count = opened.withValue { count in
                count += 1
                return count
            }
            if let code, count == 1 { throw StoreError(code, reason: "The store cannot be opened.") }
            return store
        }
        configuration.transport = FakeTransport()
        configuration.deviceName = { "Phone" }
        configuration.migration = migration
        configuration.isExtension = isExtension
        let authenticator = Authenticator(configuration)
        if starts { migration.runIfDue(on: authenticator) }
        return Process(migration: migration, authenticator: authenticator, client: FRAClient(authenticator))
    }

    /// Returns the previous release of the app, which has the legacy SDK.
    func previousRelease() throws -> ClientFixture { try ClientFixture(storage: SDKKeychain(phone)) }

    /// Returns an archive of a mechanism.
    ///
    /// The mechanism has the key and the account of an existing item, but a different secret.
    func archive(like key: String, id: String) throws -> Data {
        let service = LegacyService.mechanism
        let name = try #require(
            try phone.names(service: service.rawValue, accessGroup: nil).first { $0.account == key }
        )
        let data = try #require(try phone.data(name))
        guard case .mechanism(let mechanism) = try LegacyRecord(archive: data, service: service) else {
            throw StoreError(.failed, reason: "\(key) is not a mechanism.")
        }
        let other = LegacyMechanism(
            mechanismUUID: id,
            account: mechanism.account,
            secret: try #require(SharedSecret(utf8: "GEZDGNBVGY3TQOJQ")),
            timeAdded: mechanism.timeAdded,
            factor: mechanism.factor
        )
        return LegacyRecord.mechanism(other).archive
    }

    /// Moves an item into another keychain group.
    func move(_ name: KeychainItem.Name, to group: String) throws {
        let data = try #require(try phone.data(name))
        try phone.remove(name)
        let moved = KeychainItem.Name(service: name.service, account: name.account, accessGroup: group)
        try phone.add(KeychainItem(moved, data: data))
    }

    func stored() throws -> Int {
        try store.read { try $0.count(of: .push, where: .all) + $0.count(of: .oath, where: .all) }
    }

    @Test func aStartWithoutVisibleItemsDuringAMoveRemovesNoRecord() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        let arrived = try stored()
        #expect(arrived > 0)
        keychain.hidesAllItems = true
        #expect(process(.atOnce).isLater)
        #expect(try stored() == arrived)
        keychain.hidesAllItems = false
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let app = process(.atOnce)
        #expect(!app.isInPlace)
        #expect(app.usable == Self.accounts)
        _ = try app.migration.moveBack(on: app.authenticator)
        #expect(try previousRelease().client.getAllAccounts().count == 4)
    }

    /// If the user unlocks the device while a process lists the items, no record is removed.
    ///
    /// The services that were listed before the unlock appear empty. The other services have their items.
    @Test(arguments: LegacyService.allCases)
    func aStartThatSeesOnlySomeItemsRemovesNoRecord(_ service: LegacyService) throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        keychain.hideAll(untilListing: service.rawValue)
        // The roll-out's state is a file, so the roll-out has not written to the keychain before the process
        // lists the items.
        let folder = try TemporaryFolder()
        let storage = FileRolloutStorage(folder.url.appendingPathComponent("state"))
        _ = process(
            .atOnce,
            rollout: MigrationRollout(storage, versions: MigrationVersions(app: "1", system: "iOS 18"))
        )
        keychain.hidesAllItems = false
        let app = process(.atOnce)
        #expect(app.usable == Self.accounts)
        _ = try app.migration.moveBack(on: app.authenticator)
        #expect(try previousRelease().client.getAllAccounts().map(\.identifier).sorted() == Self.accounts)
    }

    /// In place, an account is locked as long as its own item is unreadable, because the item may contain a lock.
    @Test(arguments: [true, false])
    func anAccountWhoseItemCannotBeReadIsLocked(_ isDamaged: Bool) throws {
        let name = KeychainItem.Name(service: LegacyService.account.rawValue, account: Self.bob)
        if isDamaged {
            try phone.update(name, data: Data("no archive".utf8))
        } else {
            phone.makeUndecryptable(name)
        }
        let app = process()
        #expect(app.accounts == Self.accounts)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(bob.lockingPolicy == AccountProfile.unreadableRecord)
        #expect(
            app.client.getAllAccounts().filter { $0.lockingPolicy != nil }.map(\.identifier).contains(
                Self.bob
            )
        )
        #expect(throws: (any Error).self) { _ = try app.hotp().generateCode() }
    }

    /// The marker of a keychain group is lost if the first item of the group is lost.
    ///
    /// An item can be lost on a phone without a passcode, or after a move to another phone. If the marker remained, it
    /// would wrongly prove that the user removed the item.
    @Test(arguments: KeychainAccessibility.allCases)
    func theMarkerIsLostIfTheFirstItemIsLost(_ accessibility: KeychainAccessibility) throws {
        let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: "\(Self.alice)-totp")
        let data = try #require(try phone.data(name))
        #expect(try phone.remove(name))
        try phone.add(KeychainItem(name, data: data, accessibility: accessibility))
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        let marker = KeychainItem.Name(service: LegacyKeychain.besideService, account: "here")
        let expected: KeychainAccessibility =
            switch accessibility {
            case .whenUnlocked, .afterFirstUnlock: .afterFirstUnlock
            case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
            case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly:
                .afterFirstUnlockThisDeviceOnly
            }
        #expect(try phone.accessibility(of: marker) == expected)
    }

    @Test func migratedRecordsRemainWhenTheirItemsBecomeUndecryptable() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        for service in LegacyService.allCases {
            for name in try phone.names(service: service.rawValue, accessGroup: nil)
            where name.account.hasPrefix("Combined") { phone.makeUndecryptable(name) }
        }
        let app = process(.atOnce)
        #expect(!app.isInPlace)
        #expect(app.usable == Self.accounts)
    }

    @Test func aPhoneWithoutItsKeychainShowsTheMigratedAccounts() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        let restored = UnreliableKeychain(InMemoryKeychain())
        for _ in 1...3 { #expect(process(.atOnce, in: restored).isLater) }
        let app = process(.atOnce, in: restored)
        #expect(!app.isInPlace)
        #expect(app.usable == Self.accounts.filter { $0 != Self.bob })
        // If the items reappear, they are moved.
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        #expect(process(.atOnce).usable == Self.accounts)
    }

    @Test func anAccountRemovedThroughOurAPIDuringAMoveStaysRemoved() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        let app = process()
        let demo = try #require(app.client.getAccount(identifier: "ForgeRock-demo"))
        #expect(app.client.removeAccount(account: demo))
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        #expect(process(.atOnce).accounts == Array(Self.accounts.dropLast()))
        #expect(process(.atOnce).accounts == Array(Self.accounts.dropLast()))
    }

    /// A mechanism that is removed during a move stays removed, even if the item with the move's state is lost.
    ///
    /// The mechanism is one of two mechanisms of an account.
    @Test func aMechanismRemovedDuringAMoveStaysRemovedWithoutTheStateBesideTheItems() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        try phone.remove(KeychainItem.Name(service: LegacyKeychain.besideService, account: "state"))
        let app = process()
        let carol = try #require(app.client.getAccount(identifier: "Combined-carol"))
        #expect(carol.mechanisms.count == 2)
        #expect(app.client.removeMechanism(mechanism: carol.mechanisms[0]))
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let next = process(.atOnce)
        let left = try #require(next.client.getAccount(identifier: "Combined-carol")).mechanisms
        #expect(!next.isInPlace && left.map(\.mechanismUUID) == [carol.mechanisms[1].mechanismUUID])
    }

    /// A credential that an app removes during a move, and then stores again under its old id, is moved.
    ///
    /// An app can do so with `OathClient.saveCredential(_:)`. The new item has the same bytes as the removed item or
    /// different bytes.
    @Test(arguments: [true, false])
    func aCredentialWhoseRemovalIsUndoneDuringAMoveIsMoved(_ isEqual: Bool) throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        if isEqual { _ = try process().hotp().generateCode() }
        let app = process(.atOnce)
        #expect(app.isLater)
        let items = try app.authenticator.store()
        let id = try app.hotp().mechanismUUID
        let removed = try #require(try items.read { try $0.oathCredential(id: id) })
        #expect(app.client.removeAccount(account: try #require(app.client.getAccount(identifier: Self.bob))))
        try items.write { try $0.save(removed) }
        #expect(app.usable.contains(Self.bob))
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let next = process(.atOnce)
        #expect(!next.isInPlace && next.usable == Self.accounts)
    }

    /// The counter of a credential whose removal the app undid is imported.
    ///
    /// The app undoes the removal after the move. Then the previous release makes one-time passwords with this
    /// credential.
    @Test func theCounterOfACredentialWhoseRemovalWasUndoneIsImported() throws {
        let app = process(.atOnce)
        let records = try app.authenticator.store()
        let id = try app.hotp().mechanismUUID
        let removed = try #require(try records.read { try $0.oathCredential(id: id) })
        #expect(app.client.removeAccount(account: try #require(app.client.getAccount(identifier: Self.bob))))
        try records.write { try $0.save(removed) }
        #expect(app.usable == Self.accounts)
        let earlier = try #require(try previousRelease().client.getAccount(identifier: Self.bob))
        let hotp = try #require(earlier.mechanisms.first as? HOTPMechanism)
        for _ in 0..<3 { _ = try hotp.generateCode() }
        let next = process(.atOnce)
        #expect(try next.hotp().counter == hotp.counter)
    }

    @Test func anAccountRemovedByThePreviousReleaseDuringAMoveStaysRemoved() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let earlier = try previousRelease().client
        let demo = try #require(earlier.getAccount(identifier: "ForgeRock-demo"))
        #expect(earlier.removeAccount(account: demo))
        #expect(process(.atOnce).accounts == Array(Self.accounts.dropLast()))
    }

    /// A removed account is not restored by an account whose longer name begins with the removed account's name.
    @Test func anAccountWithALongerNameDoesNotRestoreARemovedAccount() async throws {
        let uri = "otpauth://totp/Acme%20Bank:bob-2?secret=JBSWY3DPEHPK3PXP&issuer=Acme%20Bank"
        _ = try await previousRelease().create(uri)
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let earlier = try previousRelease().client
        #expect(earlier.removeAccount(account: try #require(earlier.getAccount(identifier: Self.bob))))
        let app = process(.atOnce)
        let expected = Self.accounts.filter { $0 != Self.bob } + ["Acme Bank-bob-2"]
        #expect(!app.isInPlace && app.accounts == expected.sorted())
    }

    /// Records stay in place if their items become visible while a process looks for the legacy items.
    ///
    /// The user unlocks the device for the first time during the search. The store contains only a record that a
    /// migration of a file added.
    @Test func recordsStayInPlaceIfTheirItemsBecomeVisibleWhileAProcessLooksForThem() throws {
        let service = LegacyService.deviceToken.rawValue
        for token in try phone.names(service: service, accessGroup: nil) { _ = try phone.remove(token) }
        let file = InMemoryKeychain()
        let key = "\(Self.bob)-hotp"
        let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: key)
        try file.add(KeychainItem(name, data: archive(like: key, id: "of the file")))
        _ = try CredentialMigration(from: .keychain(file), to: store).migrate()
        keychain.hideAll(untilListing: service)
        let app = process(.inPlace)
        #expect(app.isInPlace)
        #expect(app.accounts == Self.accounts)
    }

    /// If the previous release removes an account, a credential with the same key from a migrated file stays in the
    /// store.
    @Test func aRemovalByThePreviousReleaseDeletesNoCredentialOfAnotherFile() throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        let key = "\(Self.bob)-hotp"
        let file = InMemoryKeychain()
        let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: key)
        try file.add(KeychainItem(name, data: archive(like: key, id: "of the file")))
        _ = try CredentialMigration(from: .keychain(file), to: store).migrate()
        let earlier = try previousRelease().client
        #expect(earlier.removeAccount(account: try #require(earlier.getAccount(identifier: Self.bob))))
        keychain.refuse("\(Self.alice)-totp", with: nil)
        #expect(!process(.atOnce).isInPlace)
        #expect(try store.read { try $0.oathCredential(id: "of the file") } != nil)
    }

    /// If the previous release removes an account, a credential from a migrated file stays in the store.
    ///
    /// The credential has the same legacy key as a mechanism item of the account. That item was locked, so the move has
    /// not imported it.
    @Test func aRemovalByThePreviousReleaseDeletesNoCredentialThatOnlyAFileAdded() throws {
        let key = "\(Self.bob)-hotp"
        keychain.refuse(key, with: -25308)
        #expect(process(.atOnce).isLater)
        let file = InMemoryKeychain()
        let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: key)
        try file.add(KeychainItem(name, data: archive(like: key, id: "of the file")))
        _ = try CredentialMigration(from: .keychain(file), to: store).migrate()
        let earlier = try previousRelease().client
        #expect(earlier.removeAccount(account: try #require(earlier.getAccount(identifier: Self.bob))))
        keychain.refuse(key, with: nil)
        #expect(!process(.atOnce).isInPlace)
        #expect(try store.read { try $0.oathCredential(id: "of the file") } != nil)
    }

    /// The previous release can remove an account that the user enrolled again between two attempts to move.
    ///
    /// The user removed the account and enrolled it again with PushBridge's API.
    @Test func anAccountThatWasEnrolledAgainDuringAMoveCanBeRemovedByThePreviousRelease() async throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        let app = process(.atOnce)
        #expect(app.isLater)
        #expect(app.client.removeAccount(account: try #require(app.client.getAccount(identifier: Self.bob))))
        let uri = "otpauth://hotp/Acme%20Bank:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme%20Bank"
        let url = try #require(URL(string: uri))
        let report = await outcome { success, failure in
            app.client.createMechanismFromUri(uri: url, onSuccess: { _ in success() }, onError: failure)
        }
        #expect(report.error == nil)
        #expect(process(.atOnce).isLater)
        let earlier = try previousRelease().client
        #expect(earlier.removeAccount(account: try #require(earlier.getAccount(identifier: Self.bob))))
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let next = process(.atOnce)
        #expect(!next.isInPlace && next.accounts == Self.accounts.filter { $0 != Self.bob })
    }

    /// A copied credential whose item is replaced between two attempts to move is kept and reported.
    ///
    /// The previous release removes the account and enrols it again under the same key.
    @Test func aCredentialWhoseItemWasReplacedDuringAMoveIsKeptAndReported() async throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        let app = process(.atOnce)
        #expect(app.isLater)
        let id = try app.hotp().mechanismUUID
        let earlier = try previousRelease()
        let bob = try #require(earlier.client.getAccount(identifier: Self.bob))
        #expect(earlier.client.removeAccount(account: bob))
        let uri = "otpauth://hotp/Acme%20Bank:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme%20Bank"
        _ = try await earlier.create(uri)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let next = process(.atOnce)
        #expect(next.accounts == Self.accounts)
        guard case .done(let receipt) = next.migration.outcome else {
            Issue.record("\(next.migration.outcome)")
            return
        }
        #expect(try store.read { try $0.oathCredential(id: id) } != nil)
        let kept = receipt.records.filter { $0.result.credentialId == id }
        #expect(kept.map(\.key) == ["\(Self.bob)-hotp"])
        #expect(kept.first?.result.outcome == .alreadyPresent)
    }

    /// A move waits for an unreadable item whose counter it has already copied.
    ///
    /// The previous release makes one-time passwords between two attempts to move. At the second attempt, the keychain
    /// refuses to return the item that contains the counter.
    @Test func aMoveWaitsForTheUnreadableItemOfACopiedCounter() throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let earlier = try previousRelease().client
        let account = try #require(earlier.getAccount(identifier: Self.bob))
        let hotp = try #require(account.mechanisms.lazy.compactMap { $0 as? HOTPMechanism }.first)
        for _ in 0..<3 { _ = try hotp.generateCode() }
        keychain.refuse("\(Self.bob)-hotp", with: -25293)
        let app = process(.atOnce)
        #expect(app.isLater && app.isInPlace)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let next = process(.atOnce)
        #expect(!next.isInPlace)
        #expect(try next.hotp().counter == hotp.counter)
    }

    /// A removal of an account during a move deletes the account's items in all keychain groups.
    ///
    /// Two groups contain items with the same key but with different secrets.
    @Test func aRemovalDuringAMoveCoversTheItemsOfAllGroups() throws {
        let key = "\(Self.alice)-totp"
        let service = LegacyService.mechanism.rawValue
        let other = KeychainItem.Name(service: service, account: key, accessGroup: "TEAM.shared")
        try phone.add(KeychainItem(other, data: archive(like: key, id: "another group's")))
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        #expect(try store.read { try $0.oathCredential(id: "another group's") } != nil)
        let app = process()
        let alice = try #require(app.client.getAccount(identifier: Self.alice))
        #expect(app.client.removeAccount(account: alice))
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        #expect(process(.atOnce).accounts == Array(Self.accounts.dropFirst()))
    }

    /// A process that cannot see a keychain group does not treat the group's items as removed.
    ///
    /// The result is the same whether or not earlier attempts saw any items.
    @Test(arguments: [0, 6])
    func itemsOfAnInvisibleGroupAreNotTreatedAsRemoved(_ blindAttempts: Int) throws {
        let group = "TEAM.shared"
        let names = try LegacyService.allCases.flatMap {
            try phone.names(service: $0.rawValue, accessGroup: nil)
        }
        for name in names where name.account.hasPrefix("ForgeRock") {
            try move(name, to: group)
        }
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.hidesAllItems = true
        for _ in 0..<blindAttempts { #expect(process(.atOnce).isLater) }
        keychain.hidesAllItems = false
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        keychain.hide(group)
        #expect(process(.atOnce).isLater)
        keychain.hide(nil)
        #expect(process(.atOnce).usable == Self.accounts)
    }

    /// An extension that cannot access the keychain group of the items does not end the app's move.
    ///
    /// The extension shares the store.
    @Test func anExtensionEndsNoMoveOfTheApp() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        let itsOwn = UnreliableKeychain(InMemoryKeychain())
        for _ in 0..<6 { _ = process(.atOnce, in: itsOwn, isExtension: true).accounts }
        #expect(try store.read { try $0.move()?.state } == .moving)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        #expect(process(.atOnce).usable == Self.accounts)
    }

    /// A process that sees no items does not switch to a store that contains a credential from another migration.
    @Test(arguments: [true, false])
    func aProcessWithoutVisibleItemsDoesNotSwitchToTheStore(_ isExtension: Bool) throws {
        _ = try CredentialMigration(from: .file(LegacyFixtures.url("edges.sqlite")), to: store).migrate()
        try store.write { view in
            try view.remove(.ledger, where: .all)
            try view.remove(.importMark, where: .all)
        }
        let blind = isExtension ? UnreliableKeychain(InMemoryKeychain()) : keychain
        blind.hidesAllItems = !isExtension
        _ = process(in: blind, isExtension: isExtension).accounts
        blind.hidesAllItems = false
        #expect(try store.read { try $0.move() } == nil)
        let app = process()
        #expect(app.isInPlace && app.usable == Self.accounts)
    }

    /// An item that the keychain refuses to return, with one of these statuses, does not stop the move.
    @Test(arguments: [-25293, -50, -34018, -25291] as [Int32])
    func anItemThatTheKeychainRejectsDoesNotStopTheMove(_ status: Int32) throws {
        keychain.refuse("\(Self.bob)-hotp", with: status)
        let inPlace = process()
        #expect(inPlace.usable == Self.accounts.filter { $0 != Self.bob })
        #expect(inPlace.accounts == Self.accounts)
        let app = process(.atOnce)
        guard case .done(let receipt) = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of done.")
            return
        }
        #expect(receipt.records.filter { $0.result.code == .refused }.map(\.key) == ["\(Self.bob)-hotp"])
        #expect(app.usable == Self.accounts.filter { $0 != Self.bob })
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        #expect(process(.atOnce).usable == Self.accounts)
    }

    /// A rejected item is imported without a restart when it becomes readable, even if its group was hidden for a time.
    @Test func aRejectedItemThatWasHiddenIsImportedWithoutAStart() throws {
        let group = "TEAM.shared"
        let service = LegacyService.mechanism.rawValue
        let name = KeychainItem.Name(service: service, account: "\(Self.bob)-hotp")
        try move(name, to: group)
        keychain.refuse(name.account, with: -50)
        let app = process(.atOnce)
        #expect(!app.isInPlace)
        keychain.hide(group)
        #expect(app.usable == Self.accounts.filter { $0 != Self.bob })
        keychain.hide(nil)
        #expect(app.usable == Self.accounts.filter { $0 != Self.bob })
        keychain.refuse(name.account, with: nil)
        #expect(app.usable == Self.accounts)
    }

    @Test func aMoveRemovesNoRecordsOfAnotherMigration() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        _ = try CredentialMigration(from: .file(LegacyFixtures.url("edges.sqlite")), to: store).migrate()
        let all = try stored()
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        #expect(!process(.atOnce).isInPlace)
        #expect(try stored() == all + 1)
    }

    @Test func aRemovedAccountStaysRemovedDespiteALaterCounter() throws {
        var app = process(.atOnce)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(app.client.removeAccount(account: bob))
        let earlier = try previousRelease().client
        let old = try #require(earlier.getAccount(identifier: Self.bob)?.mechanisms.first as? HOTPMechanism)
        _ = try old.generateCode()
        app = process(.atOnce)
        #expect(app.accounts == Self.accounts.filter { $0 != Self.bob })
    }

    @Test func aProcessUsesTheStoreIntoWhichAnotherProcessMovedTheRecords() throws {
        let first = process()
        #expect(first.isInPlace)
        let second = process(.atOnce)
        #expect(!second.isInPlace)
        _ = try first.hotp().generateCode()
        #expect(try second.hotp().counter == first.hotp().counter)
        _ = try second.migration.moveBack(on: second.authenticator)
        #expect(first.accounts == Self.accounts)
        _ = try first.hotp().generateCode()
        let earlier = try #require(try previousRelease().client.getAccount(identifier: Self.bob))
        #expect((earlier.mechanisms.first as? HOTPMechanism)?.counter == (try second.hotp().counter))
    }

    /// If a process saw no items at its first start, it looks again when the app reads its accounts, whether
    /// or not the app has a gate.
    @Test(arguments: [true, false])
    func readingAccountsRepeatsAFirstStartThatFoundNoItems(_ isGated: Bool) throws {
        keychain.hidesAllItems = true
        let app = process(isGated ? .gated(MigrationGate { _ in .go }) : .atOnce)
        #expect(app.accounts == [])
        keychain.hidesAllItems = false
        #expect(app.accounts == Self.accounts)
    }

    @Test func oneKeyInTwoGroupsIsReadProvenAndShownWithinItsGroup() throws {
        let mechanism = LegacyService.mechanism.rawValue
        let name = KeychainItem.Name(service: mechanism, account: "\(Self.bob)-hotp")
        let shared = KeychainItem.Name(service: mechanism, account: name.account, accessGroup: "TEAM.shared")
        let archive = try #require(try phone.data(name))
        guard case .mechanism(var other) = try LegacyRecord(archive: archive, service: .mechanism) else {
            Issue.record("The item contains no mechanism.")
            return
        }
        other.secret = try #require(SharedSecret(utf8: "JBSWY3DPEHPK3PXP"))
        try phone.add(KeychainItem(shared, data: LegacyRecord.mechanism(other).archive))
        let inPlace = process()
        #expect(inPlace.client.getAccount(identifier: Self.bob)?.mechanisms.count == 1)
        _ = try inPlace.hotp().generateCode()
        #expect(try phone.data(shared) == LegacyRecord.mechanism(other).archive)
        let app = process(.atOnce)
        guard case .done(let receipt) = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of done.")
            return
        }
        #expect(receipt.totals.records == 15)
        #expect(receipt.totals[.conflict] == 1)
        let folder = try TemporaryFolder()
        let migration = CredentialMigration(from: .keychain(phone), to: store)
        try migration.retire(receipt, backup: folder.url("backup"))
        #expect(try phone.names(service: mechanism, accessGroup: nil) == [shared])
    }

    @Test func aNewCredentialUnderAKnownKeyInAnotherGroupIsImported() throws {
        #expect(!process(.atOnce).isInPlace)
        let mechanism = LegacyService.mechanism.rawValue
        let name = KeychainItem.Name(service: mechanism, account: "\(Self.bob)-hotp")
        let archive = try #require(try phone.data(name))
        guard case .mechanism(let held) = try LegacyRecord(archive: archive, service: .mechanism) else {
            Issue.record("The item contains no mechanism.")
            return
        }
        let new = LegacyMechanism(
            mechanismUUID: "another",
            account: held.account,
            secret: try #require(SharedSecret(utf8: "JBSWY3DPEHPK3PXP")),
            timeAdded: held.timeAdded,
            factor: held.factor
        )
        let shared = KeychainItem.Name(service: mechanism, account: name.account, accessGroup: "TEAM.shared")
        try phone.add(KeychainItem(shared, data: LegacyRecord.mechanism(new).archive))
        let app = process(.atOnce)
        #expect(app.client.getAccount(identifier: Self.bob)?.mechanisms.count == 2)
    }

    /// A push that is answered in place between two attempts to move stays answered.
    ///
    /// The first attempt copied the push into the store. The push stays answered even if the keychain refuses to return
    /// the push's item when the move ends.
    @Test(arguments: [true, false])
    func aPushThatIsAnsweredBetweenTwoAttemptsStaysAnswered(_ isRefused: Bool) async throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        let app = process(.atOnce)
        #expect(app.isLater)
        let open = app.client.getAllNotifications().filter { $0.isPending && !$0.isExpired }
        let push = try #require(open.first)
        #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.error == nil)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        if isRefused { keychain.refuse(push.identifier, with: -50) }
        let next = process(.atOnce)
        #expect(!next.isInPlace)
        let shown = try #require(
            next.client.getAllNotifications().first { $0.messageId == push.messageId }
        )
        #expect((shown.isPending, shown.isApproved) == (false, false))
    }

    /// An account that is renamed in place between two attempts to move keeps its new name.
    ///
    /// When the move ends, the keychain refuses to return the account's item.
    @Test func anAccountThatIsRenamedBetweenTwoAttemptsKeepsItsName() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        let app = process(.atOnce)
        #expect(app.isLater)
        let alice = try #require(app.client.getAccount(identifier: Self.alice))
        alice.displayAccountName = "Alicia"
        #expect(try app.client.updateAccount(account: alice))
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        keychain.refuse(Self.alice, with: -50)
        let next = process(.atOnce)
        #expect(!next.isInPlace)
        #expect(next.client.getAccount(identifier: Self.alice)?.displayAccountName == "Alicia")
    }

    /// If a process fails to read the state of the move at its start, the process starts no move.
    @Test(arguments: [true, false])
    func aFailureToReadTheStateStartsNoMove(_ isGated: Bool) async throws {
        let mode: FRAMigration.Mode = isGated ? .gated(MigrationGate { _ in .wait }) : .inPlace
        for code in [StoreError.Code.locked, .failed] {
            let app = process(mode, starts: false, failingOnceWith: code)
            await app.migration.runIfDue(on: app.authenticator)?.value
            #expect(app.accounts == Self.accounts)
            #expect(app.isInPlace)
            #expect(try store.read { try $0.move() } == nil)
        }
    }
}
