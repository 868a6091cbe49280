import CredentialMigration
import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyStore

// Moves during which the Secure Enclave fails for some time. The earlier copies of sealed items are then outdated.
extension MoveOrderTests {
    /// Changes the record in an item and seals the new record.
    private func seal(
        _ key: FailingItemKey,
        _ account: String,
        _ service: LegacyService,
        _ change: (inout LegacyRecord) -> Void = { _ in }
    ) throws {
        let name = KeychainItem.Name(service: service.rawValue, account: account)
        let data = try #require(try phone.data(name))
        let archive = SealedItem(data) == nil ? data : try key.open(data)
        var record = try LegacyRecord(archive: archive, service: service)
        change(&record)
        try phone.update(name, data: try key.seal(record.archive))
    }

    private func lockBob(_ key: FailingItemKey) throws {
        try seal(key, Self.bob, .account) { record in
            guard case .account(var account) = record else { return }
            (account.profile.isLocked, account.profile.lockingPolicy) = (true, "deviceTampering")
            record = .account(account)
        }
    }

    /// A counter that the previous release raised between two attempts to move is not lowered.
    @Test(arguments: [1, 2, 3, 4, 5, 6, .max])
    func aFailureOfTheKeyLowersNoCounter(_ failures: Int) throws {
        let key = FailingItemKey()
        let item = "\(Self.bob)-hotp"
        try seal(key, item, .mechanism)
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce, key: key).isLater)
        try seal(key, item, .mechanism) { record in
            guard case .mechanism(var mechanism) = record, case .hotp(let parameters, _) = mechanism.factor
            else {
                return
            }
            mechanism.factor = .hotp(parameters, counter: 46)
            record = .mechanism(mechanism)
        }
        keychain.refuse("\(Self.alice)-totp", with: nil)
        key.failNext(failures)
        let first = process(.atOnce, key: key)
        // Each call repeats an attempt that has not ended.
        for _ in 0..<3 { _ = first.client.getAllAccounts() }
        _ = process(.atOnce, key: key).client.getAllAccounts()
        key.failNext(0)
        #expect(try first.hotp().counter == 46)
        let app = process(.atOnce, key: key)
        #expect(try !app.isInPlace && app.hotp().counter == 46)
    }

    /// A lock that the previous release set between two attempts to move is kept.
    @Test(arguments: [1, 2, 3, 4, 5, 6, .max])
    func aFailureOfTheKeyOpensNoLock(_ failures: Int) throws {
        let key = FailingItemKey()
        try seal(key, Self.bob, .account)
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce, key: key).isLater)
        try lockBob(key)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        key.failNext(failures)
        let first = process(.atOnce, key: key)
        for _ in 0..<3 { _ = first.client.getAllAccounts() }
        #expect(try #require(first.client.getAccount(identifier: Self.bob)).lock)
        key.failNext(0)
        let app = process(.atOnce, key: key)
        #expect(!app.isInPlace && app.client.getAccount(identifier: Self.bob)?.lock == true)
    }

    /// A move waits for a key that always fails for at least a day and three starts, but not for ever.
    ///
    /// A restored backup can contain such a key.
    @Test func aMoveDoesNotWaitForEverForAKey() throws {
        let key = FailingItemKey()
        try seal(key, "\(Self.bob)-hotp", .mechanism)
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        let hour: TimeInterval = 60 * 60
        let beginning = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(process(.atOnce, key: key, at: beginning).isLater)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        key.failNext(.max)
        let failure = beginning + 72 * hour
        // A second failure long after the first does not end the wait.
        for hours in [0.0, 48, 49] {
            let app = process(.atOnce, key: key, at: failure + hours * hour)
            for _ in 0..<3 { _ = app.client.getAllAccounts() }
            #expect(app.isInPlace)
        }
        let app = process(.atOnce, key: key, at: failure + 50 * hour)
        #expect(!app.isInPlace && app.usable == Self.accounts)
    }

    /// A key that fails during a move back does not end the move back; a key that always fails ends it after a day.
    @Test func aMoveBackWithoutAWorkingKeyEndsAfterADay() throws {
        let key = FailingItemKey()
        try seal(key, Self.bob, .account)
        let hour: TimeInterval = 60 * 60
        let beginning = Date(timeIntervalSince1970: 1_800_000_000)
        let app = process(.atOnce, key: key, at: beginning)
        #expect(!app.isInPlace)
        key.failNext(.max)
        #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        for (hours, state) in [
            (1, LegacyMove.State.movingBack), (2, .movingBack), (24, .movingBack), (26, .moved),
        ] {
            let later = process(.atOnce, key: key, at: beginning + Double(hours) * hour)
            #expect(later.usable == Self.accounts)
            #expect(try store.read { try $0.move()?.state } == state, "after \(hours) hours")
        }
    }

    /// A lock is kept although only the account's own item, and none of its mechanisms, was copied.
    @Test func aFailureOfTheKeyOpensNoLockOfAnAccountWhoseMechanismsWereRefused() throws {
        let key = FailingItemKey()
        try seal(key, Self.bob, .account)
        let mechanisms = try phone.names(service: LegacyService.mechanism.rawValue, accessGroup: nil)
            .map(\.account).filter { $0.hasPrefix(Self.bob) }
        for item in mechanisms { keychain.refuse(item, with: -25308) }
        #expect(process(.atOnce, key: key).isLater)
        for item in mechanisms { keychain.refuse(item, with: nil) }
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce, key: key).isLater)
        try lockBob(key)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        key.failNext(.max)
        _ = process(.atOnce, key: key)
        key.failNext(0)
        #expect(process(.atOnce, key: key).client.getAccount(identifier: Self.bob)?.lock == true)
    }

    /// A key that opens items but cannot seal items.
    private struct OpeningKey: LegacyItemKey {
        let key = FailingItemKey()
        func open(_ sealed: Data) throws(LegacyRecordError) -> Data { try key.open(sealed) }
    }

    /// Items that were sealed on another phone do not delay the move, even if the device's key cannot seal items.
    @Test(arguments: [true, false])
    func aMoveEndsAlthoughItemsWereSealedOnAnotherPhone(_ seals: Bool) throws {
        let own: any LegacyItemKey = seals ? FailingItemKey() : OpeningKey()
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        #expect(process(.atOnce, key: own).isLater)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        try seal(FailingItemKey(), "\(Self.bob)-hotp", .mechanism)
        let app = process(.atOnce, key: own)
        #expect(!app.isInPlace)
        #expect(app.usable == Self.accounts)
    }

    /// An item of another group that was sealed on another phone does not delay the move either.
    @Test func aMoveEndsAlthoughAnotherGroupHasAnItemOfAnotherPhone() throws {
        let service = LegacyService.mechanism.rawValue
        let name = KeychainItem.Name(
            service: service,
            account: "\(Self.bob)-hotp",
            accessGroup: "TEAM.shared"
        )
        keychain.refuse("\(Self.alice)-totp", with: -25308)
        let key = FailingItemKey()
        #expect(process(.atOnce, key: key).isLater)
        keychain.refuse("\(Self.alice)-totp", with: nil)
        let sealed = try FailingItemKey().seal(try archive(like: name.account, id: "another"))
        try phone.add(KeychainItem(name, data: sealed))
        let app = process(.atOnce, key: key)
        #expect(!app.isInPlace && app.usable == Self.accounts)
    }
}
