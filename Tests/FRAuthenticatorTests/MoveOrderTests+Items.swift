import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import FRAuthenticator

// While the app works in place, the keychain rejects items, or the previous release has left items behind.
extension MoveOrderTests {
    /// If the keychain refuses to return an account's item, unlocking the account does not replace the item.
    ///
    /// A new item would lack the account's name, lock and policies.
    @Test(arguments: [-25293, -50, -26275] as [Int32])
    func unlockingAnAccountReplacesNoItemThatTheKeychainRefuses(_ status: Int32) throws {
        let app = process(.inPlace)
        let account = try #require(app.client.getAccount(identifier: Self.alice))
        account.displayAccountName = "Alicia"
        #expect(try app.client.updateAccount(account: account))
        keychain.refuse(Self.alice, with: status)
        let locked = try #require(app.client.getAllAccounts().first { $0.identifier == Self.alice })
        #expect(try !app.client.unlockAccount(account: locked))
        keychain.refuse(Self.alice, with: nil)
        let next = process(.inPlace)
        #expect(next.client.getAccount(identifier: Self.alice)?.displayAccountName == "Alicia")
    }

    /// An enrolment restores the missing account of a mechanism.
    ///
    /// The previous release removed the account, but the keychain did not let it remove a mechanism of the account.
    @Test func anEnrolmentRestoresTheMissingAccountOfAMechanism() async throws {
        let name = try #require(
            try phone.names(service: LegacyService.account.rawValue, accessGroup: nil)
                .first { $0.account == Self.bob }
        )
        try phone.remove(name)
        let app = process(.inPlace)
        let url = try #require(
            URL(string: "otpauth://totp/Acme%20Bank:bob?secret=GEZDGNBVGY3TQOJQ&issuer=Acme%20Bank")
        )
        let report = await outcome { success, failure in
            app.client.createMechanismFromUri(uri: url, onSuccess: { _ in success() }, onError: failure)
        }
        #expect(report.error == nil)
        let previous = try previousRelease()
        let account = try #require(previous.client.getAccount(identifier: Self.bob))
        #expect(account.mechanisms.count == 2)
    }

    /// The lock of an account applies to a mechanism whose item has another spelling of the account's name.
    ///
    /// The name is decomposed in the account's item and composed in the mechanism's item. The keychain compares bytes,
    /// so to the keychain these are two names.
    @Test func theLockOfAnAccountWithAnotherSpellingApplies() throws {
        let phone = InMemoryKeychain()
        var profile = AccountProfile(AccountKey(issuer: "Cafe\u{301}", accountName: "zoe"))
        profile.policies = #"{"deviceTampering": {"score": 0.8}}"#
        profile.isLocked = true
        profile.lockingPolicy = "deviceTampering"
        let day = Date(timeIntervalSince1970: 1_700_000_000)
        let account = LegacyRecord.account(LegacyAccount(profile: profile, timeAdded: day))
        let mechanism = LegacyRecord.mechanism(
            LegacyMechanism(
                mechanismUUID: "zoe",
                account: AccountKey(issuer: "Caf\u{E9}", accountName: "zoe"),
                secret: try #require(SharedSecret(utf8: "GEZDGNBVGY3TQOJQ")),
                timeAdded: day,
                factor: .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
            )
        )
        let place = KeychainItem.Name(service: LegacyService.account.rawValue, account: "Cafe\u{301}-zoe")
        try phone.add(KeychainItem(place, data: account.archive))
        let other = KeychainItem.Name(
            service: LegacyService.mechanism.rawValue,
            account: "Caf\u{E9}-zoe-totp"
        )
        try phone.add(KeychainItem(other, data: mechanism.archive))
        let app = process(.inPlace, in: UnreliableKeychain(phone))
        let totp = try #require(app.client.getAllAccounts().first?.mechanisms.first as? TOTPMechanism)
        #expect(throws: AccountError.self) { try totp.generateCode() }
        let found = try #require(app.client.getAccount(identifier: "Caf\u{E9}-zoe"))
        #expect(found.lock && found.lockingPolicy == "deviceTampering")
        #expect(app.client.removeAccount(account: found))
        #expect(try phone.names(service: place.service, accessGroup: nil).isEmpty)
    }

    /// A removed account stays removed after the move, even if one of its items was undecryptable.
    ///
    /// An earlier attempt to move has copied the account's credential.
    @Test func anAccountWithAnUndecryptableItemStaysRemovedAfterTheMove() throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: "\(Self.bob)-hotp")
        phone.makeUndecryptable(name)
        let app = process()
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(app.client.removeAccount(account: bob))
        #expect(try phone.names(of: name).isEmpty)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let expected = Self.accounts.filter { $0 != Self.bob }
        for _ in 0..<2 {
            let next = process(.atOnce)
            #expect(!next.isInPlace && next.accounts == expected)
        }
    }

    /// A process imports nothing into a store whose records another process has moved to a second store.
    ///
    /// The moved records include the tombstone of a removed account.
    @Test func aProcessImportsNothingIntoAStoreThatWasMoved() throws {
        let app = process(.atOnce)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(app.client.removeAccount(account: bob))
        let other = MemoryCredentialStore()
        try StoreMove(from: store, to: other).run()
        _ = app.migration.run(on: app.authenticator)
        #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        try StoreMove(from: store, to: other).run()
        let names = try other.read { try $0.oathCredentials().values.map(\.account.key.accountName) }
        #expect(!names.isEmpty && !names.contains("bob"))
    }

    /// An account is imported again if its items changed their group during the move, and the process could not see the
    /// new group when the move ended.
    @Test func anAccountWhoseItemsChangedTheirGroupDuringAMoveIsImportedAgain() throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        let group = "TEAM.shared"
        for (service, key) in [(LegacyService.account, Self.bob), (.mechanism, "\(Self.bob)-hotp")] {
            try move(KeychainItem.Name(service: service.rawValue, account: key), to: group)
        }
        keychain.refuse("\(Self.alice)-totp", with: nil)
        keychain.hide(group)
        let app = process(.atOnce)
        #expect(!app.isInPlace && app.usable == Self.accounts.filter { $0 != Self.bob })
        keychain.hide(nil)
        #expect(process(.atOnce).usable == Self.accounts)
    }
}
