import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

extension MoveOrderTests {
    /// An account remains if a move back cannot read its mechanism.
    ///
    /// The user removed the account after the move, and enrolled it again in the previous release.
    @Test func anAccountRemainsIfAMoveBackCannotReadItsMechanism() async throws {
        let app = process(.atOnce)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(app.client.removeAccount(account: bob))
        _ = try await previousRelease().create(
            "otpauth://totp/Acme%20Bank:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme%20Bank"
        )
        keychain.refuse("\(Self.bob)-totp", with: -50)
        _ = try app.migration.moveBack(on: app.authenticator)
        keychain.refuse("\(Self.bob)-totp", with: nil)
        let after = try #require(try previousRelease().client.getAccount(identifier: Self.bob))
        #expect(after.mechanisms.map(\.type) == ["totp"])
        #expect(process().usable == Self.accounts)
    }

    @Test func aMoveBackBeforeTheStartMergesChangesOfThePreviousRelease() throws {
        #expect(!process(.atOnce).isInPlace)
        let earlier = try previousRelease().client
        let bob = try #require(earlier.getAccount(identifier: Self.bob))
        let hotp = try #require(bob.mechanisms.first as? HOTPMechanism)
        for _ in 0..<2 { _ = try hotp.generateCode() }
        bob.displayAccountName = "Robert"
        #expect(try earlier.updateAccount(account: bob))
        let app = process(starts: false)
        _ = try app.migration.moveBack(on: app.authenticator)
        let after = try #require(try previousRelease().client.getAccount(identifier: Self.bob))
        #expect((after.mechanisms.first as? HOTPMechanism)?.counter == hotp.counter)
        #expect(after.displayAccountName == "Robert")
    }

    @Test func goingBackRemovesOnlyWhatTheUserRemoved() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -50)
        var app = process(.atOnce)
        let demo = try #require(app.client.getAccount(identifier: "ForgeRock-demo"))
        #expect(app.client.removeAccount(account: demo))
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        app = process(starts: false)
        _ = try app.migration.moveBack(on: app.authenticator)
        let left = try previousRelease().client.getAllAccounts()
        #expect(left.map(\.identifier).sorted() == Array(Self.accounts.dropLast()))
        #expect(left.allSatisfy { !$0.mechanisms.isEmpty })
    }

    /// After `retire` has removed the legacy items, a move back writes them again, from the store.
    @Test func aReleaseMovesBackAfterTheItemsWereRetired() throws {
        let app = process(.atOnce)
        guard case .done(let receipt) = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of done.")
            return
        }
        let folder = try TemporaryFolder()
        let migration = CredentialMigration(from: .keychain(phone), to: store)
        try migration.retire(receipt, backup: folder.url("backup"))
        #expect(try phone.names(service: LegacyService.mechanism.rawValue, accessGroup: nil) == [])
        let later = process(.atOnce)
        #expect(later.usable == Self.accounts)
        _ = try later.hotp().generateCode()
        let counter = try later.hotp().counter
        _ = try later.migration.moveBack(on: later.authenticator)
        let previous = try previousRelease().client
        let accounts = previous.getAllAccounts().filter { !$0.mechanisms.isEmpty }
        #expect(accounts.map(\.identifier).sorted() == Self.accounts)
        let hotp = accounts.flatMap(\.mechanisms).compactMap { $0 as? HOTPMechanism }
        #expect(hotp.map(\.counter).contains(counter))
    }

    /// A move back does not overwrite the item of a removed credential if the keychain cannot decrypt the item.
    ///
    /// The user removed the credential after the move. The previous release may have stored another credential
    /// in the item.
    @Test(arguments: [true, false])
    func aMoveBackDoesNotOverwriteAnItemThatItCannotDecrypt(_ isAnother: Bool) async throws {
        let key = "\(Self.bob)-hotp"
        let app = process(.atOnce)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(app.client.removeAccount(account: bob))
        if isAnother {
            let name = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: key)
            try phone.update(name, data: try archive(like: key, id: "another"))
        }
        keychain.refuse(key, with: -26275)
        _ = try app.migration.moveBack(on: app.authenticator)
        #expect(!process().accounts.contains(Self.bob))
        keychain.refuse(key, with: nil)
        let back = process()
        #expect(back.isInPlace)
        let expected = isAnother ? Self.accounts : Self.accounts.filter { $0 != Self.bob }
        #expect(back.usable == expected && back.accounts == expected)
        #expect(try previousRelease().client.getAllAccounts().map(\.identifier).sorted() == expected)
        guard !isAnother else { return }
        // The user scans a new code for the account, and the app moves again.
        let uri = "otpauth://hotp/Acme%20Bank:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme%20Bank"
        let url = try #require(URL(string: uri))
        let report = await outcome { success, failure in
            back.client.createMechanismFromUri(uri: url, onSuccess: { _ in success() }, onError: failure)
        }
        #expect(report.error == nil)
        #expect(back.usable == Self.accounts)
        let next = process(.atOnce)
        #expect(!next.isInPlace && next.usable == Self.accounts)
        #expect(next.client.getAccount(identifier: Self.bob)?.mechanisms.count == 1)
    }

    /// A move back does not overwrite a credential that it could not import.
    ///
    /// After the move, the previous release stored this credential in an item. The Secure Enclave fails once or several
    /// times, first when the move back imports the item.
    @Test(arguments: [1, 2, 3, .max])
    func aMoveBackDoesNotOverwriteACredentialThatItCouldNotImport(_ failures: Int) throws {
        let key = FailingItemKey()
        #expect(!process(.atOnce, key: key).isInPlace)
        let service = LegacyService.mechanism.rawValue
        let name = KeychainItem.Name(service: service, account: "\(Self.bob)-hotp")
        let data = try key.seal(try archive(like: name.account, id: "another"))
        try phone.update(name, data: data)
        let app = process(starts: false, key: key)
        key.failNext(failures)
        #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        #expect(try phone.data(name) == data)
        key.failNext(0)
        let next = process(.atOnce, key: key)
        #expect(next.client.getAccount(identifier: Self.bob)?.mechanisms.count == 2)
    }

    /// After a move back, the previous release shows a mechanism although its account had no item.
    ///
    /// During the move, the keychain refused to return the account's item. Then the phone was restored without its
    /// keychain.
    @Test func thePreviousReleaseShowsAMechanismWhoseAccountHadNoItem() throws {
        keychain.refuse(Self.bob, with: -25291)
        #expect(!process(.atOnce).isInPlace)
        keychain.refuse(Self.bob, with: nil)
        for service in LegacyService.allCases.map(\.rawValue) + [LegacyKeychain.besideService] {
            for name in try phone.names(service: service, accessGroup: nil) { try phone.remove(name) }
        }
        let app = process(starts: false)
        _ = try app.migration.moveBack(on: app.authenticator)
        let left = try previousRelease().client.getAllAccounts().filter { !$0.mechanisms.isEmpty }
        #expect(left.map(\.identifier).sorted() == Self.accounts)
    }

    /// An account that the user removed stays removed after a move back.
    ///
    /// After the move, the previous release stored the account's items in a group that had no items before, and the app
    /// or its extension imported them. A process without access to this group cannot move back.
    @Test(arguments: [false, true])
    func aMoveBackDoesNotMissItemsOfAGroupThatWasFirstUsedAfterTheMove(_ isExtension: Bool) async throws {
        #expect(!process(.atOnce).isInPlace)
        let dave = "otpauth://totp/New:dave?secret=JBSWY3DPEHPK3PXP&issuer=New"
        _ = try await previousRelease().create(dave)
        let group = "TEAM.shared"
        for service in LegacyService.allCases {
            for name in try phone.names(service: service.rawValue, accessGroup: nil)
            where name.account.hasPrefix("New-dave") {
                try move(name, to: group)
            }
        }
        #expect(process(.atOnce, isExtension: isExtension).usable.contains("New-dave"))
        keychain.hide(group)
        let app = process(.atOnce)
        let account = try #require(app.client.getAccount(identifier: "New-dave"))
        #expect(app.client.removeAccount(account: account))
        #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        keychain.hide(nil)
        _ = try app.migration.moveBack(on: app.authenticator)
        #expect(try previousRelease().client.getAllAccounts().map(\.identifier).sorted() == Self.accounts)
    }
}
