import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Names, locks and policies of an account, which the successor SDK stores only in the account's credentials.
///
/// Each test changes the account's copy in a credential, as the successor SDK does. The successor SDK never marks a
/// lock as the credential's own.
@Suite("Changes by the successor SDK in a keychain store")
struct SuccessorChangesTests {
    /// The values of an account's record, or of a credential's copy of the account.
    struct Values: Sendable, Equatable, CustomTestStringConvertible {
        var name: String?
        var policies: String?
        var isLocked = false
        /// Whether PushBridge stored the lock as the credential's own.
        var isOwnLock = false

        var testDescription: String { "\(name ?? "-") \(policies ?? "-") \(isLocked) \(isOwnLock)" }

        init(
            _ name: String? = nil,
            _ policies: String? = nil,
            locked isLocked: Bool = false,
            own: Bool = false
        ) {
            (self.name, self.policies, self.isLocked, isOwnLock) = (name, policies, isLocked, own)
        }

        init(_ account: AccountProfile) {
            self.init(account.customDisplayAccountName, account.policies, locked: account.isLocked)
        }

        func account(_ date: Date? = nil) -> AccountProfile {
            var account = AccountProfile(AccountKey.sample)
            account.customDisplayAccountName = name
            account.policies = policies
            account.isLocked = isLocked
            account.lockingPolicy = isLocked ? "aPolicy" : nil
            account.addedAt = date
            return account
        }
    }

    /// An account's record, the copies in its push and its one-time-password credential, and the expected account.
    struct Order: Sendable, CustomTestStringConvertible {
        let record: Values
        let push: Values
        let oath: Values?
        let expected: Values

        var testDescription: String {
            "\(record.testDescription), \(push.testDescription), \(oath?.testDescription ?? "-")"
        }

        init(_ record: Values, _ push: Values, _ oath: Values? = nil, _ expected: Values) {
            (self.record, self.push, self.oath, self.expected) = (record, push, oath, expected)
        }
    }

    static let orders = [
        // Nothing changed.
        Order(
            Values("mine", "P", locked: true),
            Values("mine", "P", locked: true),
            Values("mine", "P", locked: true),
            Values("mine", "P", locked: true)
        ),
        // One of two credentials was locked. The policies in its copy may differ from the account's policies.
        Order(Values(), Values(locked: true), Values(), Values(locked: true)),
        Order(
            Values(nil, "P"),
            Values(nil, "Q", locked: true),
            Values(nil, "P"),
            Values(nil, "P", locked: true)
        ),
        Order(Values(nil, "P"), Values(nil, "P"), Values(locked: true), Values(nil, "P", locked: true)),
        Order(Values(), Values(nil, "P"), Values(locked: true), Values(nil, "P", locked: true)),
        // One or both of two credentials were unlocked. The account stays locked, because the app may have unlocked
        // only the credentials.
        Order(Values(locked: true), Values(), Values(locked: true), Values(locked: true)),
        Order(Values(nil, "P", locked: true), Values(), Values(nil, "P"), Values(nil, "P", locked: true)),
        // The app unlocked a credential, and the user then removed the account's other credential.
        Order(Values(nil, "P", locked: true), Values(own: true), nil, Values(nil, "P", locked: true)),
        // The app enrolled two credentials with different policies; the account has the policies of the second
        // credential.
        Order(Values(nil, "Q"), Values(nil, "P"), Values(nil, "Q"), Values(nil, "Q")),
        // A new name in one copy becomes the account's name; a copy without a name removes no name.
        Order(Values("mine"), Values("new"), Values("mine"), Values("new")),
        Order(Values("mine"), Values("mine"), Values(), Values("mine")),
        Order(Values("mine"), Values(), Values(), Values("mine")),
    ]

    private func store(_ order: Order) throws -> KeychainCredentialStore {
        let store = KeychainCredentialStore(keychain: InMemoryKeychain())
        try store.write { view in
            try view.put(order.record.account(Date(timeIntervalSince1970: 1_700_000_000)))
            var push = try PushCredential.sample()
            push.account = order.push.account()
            if order.push.isOwnLock { push.ownLock = push.account.lock }
            try view.put(push)
            guard let values = order.oath else { return }
            var oath = try OathCredential.sample()
            oath.account = values.account()
            try view.put(oath)
        }
        return store
    }

    @Test(arguments: orders)
    func anExportUsesTheChangesForTheAccount(_ order: Order) throws {
        let account = try store(order).read { try $0.accountsWithChangesInCopies()[.sample] }
        #expect(account.map(Values.init) == order.expected)
    }

    /// Reading an account does not change its record, with which `FRAClient` works.
    @Test(arguments: orders)
    func theAccountItselfStaysUnchanged(_ order: Order) throws {
        let account = try store(order).read { try $0.knownAccount(.sample) }
        #expect(account.map(Values.init) == order.record)
    }

    @Test(arguments: orders)
    func aMoveToAnotherStoreKeepsTheChanges(_ order: Order) throws {
        let (source, target) = (try store(order), MemoryCredentialStore())
        let before = try source.read { view in
            (try view.pushCredential(id: "push")?.isLocked, try view.oathCredential(id: "oath")?.isLocked)
        }
        #expect(try StoreMove(from: source, to: target).run().isComplete)
        let account = try #require(try target.read { try $0.account(.sample) })
        #expect(Values(account) == order.expected)
        let after = try target.read { view in
            (try view.pushCredential(id: "push")?.isLocked, try view.oathCredential(id: "oath")?.isLocked)
        }
        #expect(after == before)
    }

    /// If an account is renamed, the lock of its credential stays, because a save replaces only the values that it
    /// changes.
    @Test func aNewNameOfTheAccountKeepsTheLockOfACredential() throws {
        let store = try store(Order(Values(), Values(), Values(locked: true), Values()))
        try store.write { view in
            var account = try #require(try view.account(.sample))
            account.customDisplayIssuer = "My bank"
            try view.save(account)
        }
        let oath = try #require(try store.read { try $0.oathCredential(id: "oath") })
        #expect(oath.isLocked && oath.account.customDisplayIssuer == "My bank")
    }

    /// If the app saves a credential that the successor SDK renamed, the account's other credential stays locked.
    @Test func savingARenamedCredentialKeepsTheLockOfAnother() throws {
        let store = try store(Order(Values(), Values(locked: true), Values("new"), Values()))
        try store.write { view in
            let oath = try #require(try view.oathCredential(id: "oath"))
            try view.save(oath)
        }
        let push = try #require(try store.read { try $0.pushCredential(id: "push") })
        #expect(push.isLocked && push.account.customDisplayAccountName == "new")
    }

    @Test func anAccountWithoutARecordHasTheLockOfAnyCredential() throws {
        let store = try store(Order(Values(), Values(), Values("mine", "P", locked: true), Values()))
        try store.write { _ = try $0.remove(.account, where: .all) }
        let account = try #require(try store.read { try $0.knownAccount(.sample) })
        #expect(Values(account) == Values("mine", "P", locked: true))
    }

    /// A credential that is locked in the source is also locked in the target.
    ///
    /// The successor SDK enrolled and locked the credential. The target already contains the account, which is
    /// unlocked.
    @Test func aLockedCredentialMovesLockedToAnUnlockedAccount() throws {
        let (source, target) = (
            KeychainCredentialStore(keychain: InMemoryKeychain()), MemoryCredentialStore()
        )
        try target.write { try $0.save(OathCredential.sample()) }
        try source.write { view in
            var push = try PushCredential.sample()
            push.lockCredential(policyName: "aPolicy")
            try view.put(push)
        }
        #expect(try StoreMove(from: source, to: target).run().isComplete)
        let push = try #require(try target.read { try $0.pushCredential(id: "push") })
        #expect(push.isLocked)
        // The app can unlock the credential.
        try target.write { view in
            var push = push
            push.unlockCredential()
            try view.save(push)
        }
        #expect(try target.read { try $0.pushCredential(id: "push")?.isLocked } == false)
    }

    /// A push with the user's name does not unlock the account.
    ///
    /// Before the push arrives, the successor SDK has unlocked one of the account's two credentials.
    @Test func aLearnedUserNameDoesNotUnlockTheAccount() throws {
        let store = try store(Order(Values(locked: true), Values(), Values(locked: true), Values()))
        try store.write { try $0.learnUserId("babs", ofCredential: "push") }
        let account = try #require(try store.read { try $0.account(.sample) })
        let oath = try #require(try store.read { try $0.oathCredential(id: "oath") })
        #expect(account.isLocked && oath.isLocked)
    }

    /// The successor SDK locked the push credential, and the records then moved.
    @Test func aLockAfterAMoveAppliesToBothCredentials() throws {
        let (source, target) = (
            try store(Order(Values(), Values(locked: true), Values(), Values())), MemoryCredentialStore()
        )
        try StoreMove(from: source, to: target).run()
        try setLockThroughPush(false, in: target)
        try setLockThroughPush(true, in: target)
        #expect(try target.read { try $0.oathCredential(id: "oath")?.isLocked } == true)
    }

    /// The successor SDK unlocked the one-time-password credential, which then made a one-time password.
    @Test func aLockAfterACodeAppliesToBothCredentials() throws {
        let store = try store(Order(Values(locked: true), Values(locked: true), Values(), Values()))
        try store.write { view in
            let oath = try #require(try view.oathCredential(id: "oath"))
            try view.save(oath, keepsOtherLocks: true)
        }
        #expect(try store.read { try $0.account(.sample)?.isLocked } == true)
        try setLockThroughPush(false, in: store)
        try setLockThroughPush(true, in: store)
        #expect(try store.read { try $0.oathCredential(id: "oath")?.isLocked } == true)
    }

    private func setLockThroughPush(_ isLocked: Bool, in store: any CredentialStore) throws {
        try store.write { view in
            var push = try #require(try view.pushCredential(id: "push"))
            if isLocked { push.lockCredential(policyName: "aPolicy") } else { push.unlockCredential() }
            try view.save(push, keepsOtherLocks: true)
        }
    }

    /// The record is already locked, but the successor SDK has unlocked the push credential.
    @Test func anAccountThatIsLockedAgainLocksAllCredentials() throws {
        let store = try store(Order(Values(locked: true), Values(), nil, Values()))
        try store.write { _ = try $0.setLock(of: .sample, by: "aPolicy") }
        #expect(try store.read { try $0.pushCredential(id: "push")?.isLocked } == true)
    }
}
