import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeTestSupport
import Testing

// Locks and names that change between two attempts to move.
extension MoveOrderTests {
    /// Changes an account's item as the previous release does.
    private func change(_ identifier: String, _ body: (inout AccountProfile) -> Void) throws {
        let service = LegacyService.account
        let name = KeychainItem.Name(service: service.rawValue, account: identifier)
        let data = try #require(try phone.data(name))
        guard case .account(var account) = try LegacyRecord(archive: data, service: service) else {
            throw StoreError(.failed, reason: "\(identifier) is not an account.")
        }
        body(&account.profile)
        try phone.update(name, data: LegacyRecord.account(account).archive)
    }

    private func setLock(_ isLocked: Bool) throws {
        try change(Self.bob) { profile in
            profile.isLocked = isLocked
            profile.lockingPolicy = isLocked ? "deviceTampering" : nil
        }
    }

    private func isLocked(_ process: Process) throws -> Bool {
        try #require(process.client.getAccount(identifier: Self.bob)).lock
    }

    /// An account that is locked again between two attempts is migrated as locked.
    ///
    /// At the last attempt, the account's item has the same bytes as at the first attempt, and the ledger already has
    /// an outcome for these bytes.
    @Test func anAccountThatIsLockedAgainBetweenAttemptsIsMigratedAsLocked() throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        for isLocked in [true, false] {
            try setLock(isLocked)
            #expect(process(.atOnce).isLater)
        }
        try setLock(true)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let app = process(.atOnce)
        #expect(try !app.isInPlace && isLocked(app))
    }

    @Test func anAccountRenamedBackBetweenAttemptsIsMigratedWithThatName() throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        for name in ["Robert", "Bobby"] {
            try change(Self.bob) { $0.customDisplayAccountName = name }
            #expect(process(.atOnce).isLater)
        }
        try change(Self.bob) { $0.customDisplayAccountName = "Robert" }
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let app = process(.atOnce)
        #expect(!app.isInPlace)
        #expect(app.client.getAccount(identifier: Self.bob)?.displayAccountName == "Robert")
    }

    /// If the keychain refuses to return an account's item when the move ends, the account is locked until the item is
    /// read.
    ///
    /// The previous release may have locked and renamed the account after the account had been copied.
    @Test(arguments: [true, false])
    func aMovedAccountIsLockedUntilItsUnreadableItemIsRead(_ isChanged: Bool) throws {
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        if isChanged {
            try setLock(true)
            try change(Self.bob) { $0.customDisplayAccountName = "Robert" }
        }
        keychain.refuse(Self.bob, with: -25293)
        let app = process(.atOnce)
        #expect(try !app.isInPlace && isLocked(app))
        #expect(throws: AccountError.self) { try app.hotp().generateCode() }
        keychain.refuse(Self.bob, with: nil)
        let next = process(.atOnce)
        #expect(try isLocked(next) == isChanged)
        if isChanged {
            #expect(next.client.getAccount(identifier: Self.bob)?.displayAccountName == "Robert")
        } else {
            _ = try next.hotp().generateCode()
        }
    }

    /// A name that the user set in the store stays when the account's item can be read again.
    ///
    /// After the rename, a new credential of the account is imported while the keychain refuses to return the
    /// account's item.
    @Test func aNameOfTheStoreStaysWhenTheItemOfTheAccountCanBeReadAgain() async throws {
        let app = process(.atOnce)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        bob.displayAccountName = "Robert"
        #expect(try app.client.updateAccount(account: bob))
        let uri = "otpauth://totp/Acme%20Bank:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme%20Bank"
        _ = try await previousRelease().create(uri)
        keychain.refuse(Self.bob, with: -25291)
        #expect(try isLocked(process()))
        keychain.refuse(Self.bob, with: nil)
        let next = process()
        let after = try #require(next.client.getAccount(identifier: Self.bob))
        #expect(after.displayAccountName == "Robert" && !after.lock && after.mechanisms.count == 2)
        _ = try next.migration.moveBack(on: next.authenticator)
        #expect(
            process(starts: false).client.getAccount(identifier: Self.bob)?.displayAccountName == "Robert"
        )
    }

    /// A lock that the previous release sets during an interrupted move back is kept.
    ///
    /// The move back was interrupted after it had written the items.
    @Test func aLockOfThePreviousReleaseDuringAMoveBackIsKept() throws {
        let app = process(.atOnce)
        keychain.refuseWriting("state", with: -50)
        #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        try setLock(true)
        keychain.refuseWriting("state", with: nil)
        let next = process(.atOnce)
        #expect(try isLocked(next))
        _ = try next.migration.moveBack(on: next.authenticator)
        #expect(try isLocked(process()))
    }

    /// A process that sees no items does not end a move back that was interrupted after it had written the items.
    ///
    /// The process is the app, or an extension without access to the items.
    @Test(arguments: [true, false])
    func aProcessThatSeesNoItemsDoesNotEndAnInterruptedMoveBack(_ isExtension: Bool) throws {
        try setLock(true)
        var app = process(.atOnce)
        keychain.refuseWriting("state", with: -50)
        #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        keychain.refuseWriting("state", with: nil)
        keychain.hidesAllItems = !isExtension
        let other = isExtension ? UnreliableKeychain(InMemoryKeychain()) : keychain
        app = process(.atOnce, in: other, isExtension: isExtension)
        keychain.hidesAllItems = false
        #expect(try store.read { try $0.move()?.state } == .movingBack)
        #expect(app.client.getAccount(identifier: Self.bob)?.lock == true)
    }

    /// A locked item delays the move, even if the item was undecryptable at the previous attempt.
    @Test func aLockedItemDelaysTheMoveEvenIfItWasUndecryptableBefore() throws {
        keychain.refuse("\(Self.bob)-hotp", with: -26275)
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce).isLater)
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let app = process(.atOnce)
        #expect(app.isLater && app.isInPlace)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let next = process(.atOnce)
        #expect(!next.isInPlace && next.usable == Self.accounts)
    }
}
