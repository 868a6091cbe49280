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
        try seal(key, Self.bob, .account) { record in
            guard case .account(var account) = record else { return }
            (account.profile.isLocked, account.profile.lockingPolicy) = (true, "deviceTampering")
            record = .account(account)
        }
        keychain.refuse("\(Self.alice)-totp", with: nil)
        key.failNext(failures)
        let first = process(.atOnce, key: key)
        #expect(try #require(first.client.getAccount(identifier: Self.bob)).lock)
        key.failNext(0)
        let app = process(.atOnce, key: key)
        #expect(!app.isInPlace && app.client.getAccount(identifier: Self.bob)?.lock == true)
    }

    /// Items that were sealed on another phone do not delay the move.
    @Test func aMoveEndsAlthoughItemsWereSealedOnAnotherPhone() throws {
        try seal(FailingItemKey(), "\(Self.bob)-hotp", .mechanism)
        let app = process(.atOnce, key: FailingItemKey())
        #expect(!app.isInPlace)
        #expect(app.usable == Self.accounts.filter { $0 != Self.bob })
    }
}
