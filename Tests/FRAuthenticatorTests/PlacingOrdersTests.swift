import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Rare orders of events around a move of the legacy items.
///
/// Each order was found by reading the code.
@Suite("Rare orders of events around a move")
struct PlacingOrdersTests {
    private let keychain = InMemoryKeychain()

    private struct Process {
        let migration = FRAMigration()
        let authenticator: Authenticator
        let client: FRAClient

        init(
            _ keychain: any Keychain,
            _ mode: FRAMigration.Mode = .inPlace,
            store: @escaping @Sendable () throws -> any CredentialStore
        ) {
            migration.source = .keychain(keychain)
            migration.mode = mode
            var configuration = Authenticator.Configuration()
            configuration.store = store
            configuration.transport = FakeTransport()
            configuration.deviceName = { "Phone" }
            configuration.migration = migration
            authenticator = Authenticator(configuration)
            client = FRAClient(authenticator)
        }

        func start() -> Process {
            migration.runIfDue(on: authenticator)
            return self
        }

        var accounts: [String] { client.getAllAccounts().map(\.identifier).sorted() }
    }

    private static let accounts = [
        "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "ForgeRock-demo",
    ]

    /// A release does not use legacy items again after they were moved into a store that it does not know.
    ///
    /// The first release is interrupted while it moves the legacy items into its store. The next release moves this
    /// store and the remaining items into a later store. Then the first release runs again.
    @Test func anEarlierReleaseDoesNotReturnToItemsThatHaveMoved() throws {
        try keychain.install()
        let (first, second) = (MemoryCredentialStore(), MemoryCredentialStore())
        for limit in 1...60 where try first.read({ try $0.move() }) == nil {
            _ = Process(keychain, .atOnce) { FaultyStore(first, failingAt: limit) }.start()
        }
        #expect(try first.read { try $0.move()?.state } == .moving)
        try StoreMove(from: first, to: second).run()
        #expect(Process(keychain) { first }.start().accounts == Self.accounts)

        let later = Process(keychain, .atOnce) { second }.start()
        #expect(later.accounts == Self.accounts)
        let demo = try #require(later.client.getAccount(identifier: "ForgeRock-demo"))
        #expect(later.client.removeAccount(account: demo))
        let earlier = Process(keychain) { first }.start()
        #expect(earlier.accounts == [])
        #expect(try earlier.authenticator.isInPlace == false)
        #expect(Process(keychain) { second }.start().accounts == Array(Self.accounts.dropLast()))

        _ = try later.migration.moveBack(on: later.authenticator)
        #expect(Process(keychain) { first }.start().accounts == Array(Self.accounts.dropLast()))
    }

    @Test func aMoveBackOfAProcessThatSeesNothingFails() throws {
        try keychain.install()
        let unreliable = UnreliableKeychain(keychain)
        let store: @Sendable () -> KeychainCredentialStore = { KeychainCredentialStore(keychain: unreliable) }
        #expect(Process(unreliable, .atOnce, store: store).start().accounts == Self.accounts)
        unreliable.hidesAllItems = true
        let blind = Process(unreliable, store: store)
        let error = #expect(throws: StoreError.self) {
            _ = try blind.migration.moveBack(on: blind.authenticator)
        }
        #expect(error?.code == .locked)
        unreliable.hidesAllItems = false
        #expect(Process(unreliable, store: store).start().accounts == Self.accounts)
    }

    /// A move back fails if the user unlocks the device for the first time after the move back has read the state and
    /// the items.
    @Test func aMoveBackThatSeesTheStoreTooLateFails() throws {
        try keychain.install()
        let unreliable = UnreliableKeychain(keychain)
        let store: @Sendable () -> KeychainCredentialStore = { KeychainCredentialStore(keychain: unreliable) }
        #expect(Process(unreliable, .atOnce, store: store).start().accounts == Self.accounts)
        let service = LegacyService.deviceToken.rawValue
        for token in try keychain.names(service: service, accessGroup: nil) { _ = try keychain.remove(token) }
        unreliable.hideAll(untilListing: service)
        let process = Process(unreliable, store: store)
        let error = #expect(throws: StoreError.self) {
            _ = try process.migration.moveBack(on: process.authenticator)
        }
        #expect(error?.code == .locked)
        #expect(try process.authenticator.isInPlace == false)
        _ = try process.migration.moveBack(on: process.authenticator)
        #expect(try process.authenticator.isInPlace)
        #expect(process.accounts == Self.accounts)
    }

    /// A process that saw no items before the first unlock uses the store after the unlock.
    ///
    /// The previous release migrated with `CredentialMigration` into a store in the keychain. This process is the first
    /// process of the new release.
    @Test func aProcessThatSawNothingUsesTheStoreAfterTheUnlock() throws {
        try keychain.install()
        let unreliable = UnreliableKeychain(keychain)
        let store = KeychainCredentialStore(keychain: unreliable)
        #expect(try CredentialMigration(from: .keychain(unreliable), to: store).migrate().isComplete)
        unreliable.hidesAllItems = true
        let process = Process(unreliable) { KeychainCredentialStore(keychain: unreliable) }
        #expect(process.accounts == [])
        unreliable.hidesAllItems = false
        let demo = try #require(process.client.getAccount(identifier: "ForgeRock-demo"))
        #expect(process.client.removeAccount(account: demo))
        let next = Process(unreliable) { KeychainCredentialStore(keychain: unreliable) }.start()
        #expect(next.accounts == Array(Self.accounts.dropLast()))
    }

    /// A move back is completed even if the next process does not see the last transaction of the move.
    ///
    /// A process is killed after it has stored this transaction in the journal, and before it performs the transaction.
    /// The next process looks for the transaction before the first unlock, but reads the state of the move only after
    /// the unlock.
    @Test func aMoveBackIsCompletedIfItsTransactionWasHidden() throws {
        let services = KeychainServices()
        let journal = KeychainItem.Name(service: services.journal, account: "transaction")
        let state = KeychainItem.Name(service: services.move, account: LegacyMove.id)
        for limit in 1...400 {
            let phone = try phoneWithMoveBack(killedAt: limit)
            guard let entry = try phone.data(journal),
                String(decoding: entry, as: UTF8.self).contains(services.move)
            else { continue }
            #expect(try phone.data(state) != nil)
            let unreliable = UnreliableKeychain(phone)
            unreliable.hideAll(untilListing: LegacyService.account.rawValue)
            let process = Process(unreliable) { KeychainCredentialStore(keychain: unreliable) }.start()
            #expect(try process.authenticator.isInPlace)
            #expect(process.accounts == Self.accounts)
            #expect(try phone.data(state) == nil)
            return
        }
        Issue.record("No process was killed after the transaction was stored.")
    }

    /// Returns the keychain of a phone on which a process was killed at an operation of a move back.
    private func phoneWithMoveBack(killedAt limit: Int) throws -> InMemoryKeychain {
        let phone = InMemoryKeychain()
        try phone.install()
        _ = Process(phone, .atOnce) { KeychainCredentialStore(keychain: phone) }.start()
        let budget = FaultyStore(MemoryCredentialStore(), failingAt: limit)
        let dying = DyingKeychain(phone, dyingWith: budget)
        let process = Process(dying) { KeychainCredentialStore(keychain: dying) }
        _ = Swift.Result { try process.migration.moveBack(on: process.authenticator) }
        return phone
    }

    @Test func aFullDiskDoesNotHideTheItems() throws {
        try keychain.install()
        let isFull = Lock(true)
        let store = MemoryCredentialStore()
        let process = Process(keychain) {
            if isFull.withValue({ $0 }) { throw StoreError(.full, reason: "The disk is full.") }
            return store
        }
        #expect(process.start().accounts == Self.accounts)
        let bob = try #require(process.client.getAccount(identifier: "Acme Bank-bob"))
        _ = try #require(bob.mechanisms.first as? HOTPMechanism).generateCode()
        isFull.withValue { $0 = false }
        #expect(process.accounts == Self.accounts)
        #expect(Process(keychain, .atOnce) { store }.start().accounts == Self.accounts)
    }

    /// A move back keeps the lock of an account that has no record of its own.
    ///
    /// The successor SDK stores accounts only in their credentials.
    @Test(arguments: [false, true])
    func aMoveBackRetainsTheLockOfAnAccountWithoutARecord(_ hasItem: Bool) throws {
        let store = KeychainCredentialStore(keychain: keychain)
        try keychain.install()
        #expect(Process(keychain, .atOnce) { store }.start().accounts == Self.accounts)
        try store.write { view in
            for var credential in try view.oathCredentials(
                account: AccountKey(issuer: "Acme Bank", accountName: "bob")
            ).values {
                credential.account.isLocked = true
                try view.put(credential)
            }
            _ = try view.remove(.account, where: .all)
        }
        if !hasItem {
            _ = try keychain.remove(
                KeychainItem.Name(service: LegacyService.account.rawValue, account: "Acme Bank-bob")
            )
        }
        let process = Process(keychain) { store }
        _ = try process.migration.moveBack(on: process.authenticator)
        let shown = try ClientFixture(storage: SDKKeychain(keychain)).client.getAllAccounts()
        #expect(shown.first { $0.accountName == "bob" }?.lock == true)
    }
}
