import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A keychain that hides all items until the first write, as if the user unlocked the device at that moment.
private final class KeychainBeforeUnlock: Keychain {
    private let keychain: InMemoryKeychain
    private let isUnlocked = Lock(false)

    init(_ keychain: InMemoryKeychain) {
        self.keychain = keychain
    }

    func add(_ item: KeychainItem) throws(KeychainError) {
        isUnlocked.withValue { $0 = true }
        try keychain.add(item)
    }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        isUnlocked.withValue { $0 = true }
        try keychain.update(name, data: data)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        guard showsItems else { return nil }
        return try keychain.data(name)
    }

    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        guard showsItems else { return [] }
        return try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    func names(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.Name] {
        guard showsItems else { return [] }
        return try keychain.names(service: service, accessGroup: accessGroup)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        guard showsItems else { return false }
        return try keychain.remove(name)
    }

    private var showsItems: Bool { isUnlocked.withValue { $0 } }
}

/// The contract tests for records that can be stored in the legacy SDK's items.
@Suite("Legacy items as a store")
struct LegacyItemContract {
    private let keychain = InMemoryKeychain()

    private var store: LegacyItemStore { LegacyItemStore(LegacyKeychain(keychain)) }

    private static func account(_ name: String) -> AccountKey {
        AccountKey(issuer: "Example", accountName: name)
    }

    /// Stores an account with both kinds of credential and a push.
    private func enrol(_ name: String, in view: any CredentialWriting) throws {
        let account = Self.account(name)
        var profile = AccountProfile(account)
        profile.addedAt = Date(timeIntervalSince1970: 1_700_000_000)
        try view.save(profile)
        try view.save(PushCredential.sample("push of \(name)", account: account))
        try view.save(OathCredential.sample("code of \(name)", account: account, movingFactor: .counter(1)))
        var push = PushNotification.sample(of: "push of \(name)", messageId: "message of \(name)")
        push.id = push.legacyIdentifier
        try view.save(push)
    }

    private func succeeds(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            return false
        }
    }

    /// Kills a process at each operation of an enrolment.
    ///
    /// Calls `body` each time the process has stored the new credential's item but has not completed the transaction.
    private func afterInterruptedEnrolments(_ body: (InMemoryKeychain, KeychainItem.Name, Int) throws -> Void)
        throws
    {
        var interruptions = 0
        for limit in 1...200 {
            let phone = InMemoryKeychain()
            let budget = FaultyStore(MemoryCredentialStore(), failingAt: limit)
            let dying = LegacyItemStore(LegacyKeychain(DyingKeychain(phone, dyingWith: budget)))
            _ = succeeds {
                try dying.write { view in
                    let account = Self.account("new")
                    try view.save(AccountProfile(account))
                    try view.save(
                        OathCredential.sample("new code", account: account, movingFactor: .counter(1))
                    )
                    try view.save(PushCredential.sample("new push", account: account))
                }
            }
            if budget.operations < limit { break }
            let names = try phone.names(service: LegacyService.mechanism.rawValue, accessGroup: nil)
            guard let name = names.first else { continue }
            interruptions += 1
            try body(phone, name, limit)
        }
        #expect(interruptions > 0)
    }

    @Test func anAccountThatWasRemovedAfterAnInterruptedEnrolmentStaysRemoved() throws {
        try afterInterruptedEnrolments { phone, _, limit in
            // The previous release removes the account.
            for service in [LegacyService.mechanism, .account] {
                for name in try phone.names(service: service.rawValue, accessGroup: nil) {
                    try phone.remove(name)
                }
            }
            let next = LegacyItemStore(LegacyKeychain(phone))
            #expect(try next.read { try $0.oathCredentials().values.isEmpty }, "operation \(limit)")
        }
    }

    /// The previous release removes one of the account's two credentials.
    @Test func aCredentialThatWasRemovedAfterAnInterruptedEnrolmentStaysRemoved() throws {
        var removals = 0
        try afterInterruptedEnrolments { phone, _, limit in
            let names = try phone.names(service: LegacyService.mechanism.rawValue, accessGroup: nil)
            // The credentials are stored one after the other.
            guard names.count == 2, let name = names.first(where: { $0.account.hasSuffix("hotp") }) else {
                return
            }
            try phone.remove(name)
            removals += 1
            let next = LegacyItemStore(LegacyKeychain(phone))
            let (codes, pushes) = try next.read { view in
                (try view.oathCredentials().values.count, try view.pushCredentials().values.count)
            }
            #expect((codes, pushes) == (0, 1), "operation \(limit)")
        }
        #expect(removals > 0)
    }

    @Test func anInterruptedEnrolmentOverwritesNoItemThatIsRefused() throws {
        try afterInterruptedEnrolments { phone, name, limit in
            // The previous release changes the item's counter. After that, the keychain temporarily refuses to
            // return the item.
            let later = Data("of the previous release".utf8)
            try phone.update(name, data: later)
            let keychain = UnreliableKeychain(phone)
            for status: Int32? in [-25293, nil] {
                keychain.refuse(name.account, with: status)
                _ = try LegacyItemStore(LegacyKeychain(keychain)).read { try $0.accounts() }
            }
            #expect(try phone.data(name) == later, "operation \(limit)")
        }
    }

    private func contents(_ store: LegacyItemStore) throws -> [String] {
        try store.read { view in
            try view.accounts().values.map(\.accountName).sorted() + view.pushCredentials().map(\.id)
                + view.oathCredentials().map { "\($0.id) \($0.counter)" }
                + view.notifications().map(\.messageId)
        }
    }

    @Test func theNextProcessReadsStoredRecords() throws {
        let first = store
        try first.write { try enrol("ann", in: $0) }
        #expect(try contents(store) == contents(first))
        #expect(try contents(store) == ["ann", "push of ann", "code of ann 1", "message of ann"])
    }

    @Test func aWriteThatThrowsStoresNoChange() throws {
        try store.write { try enrol("ann", in: $0) }
        let before = try contents(store)
        #expect(throws: CancellationError.self) {
            try store.write { view in
                try enrol("bob", in: view)
                try view.remove(.push, where: RecordQuery(id: "push of ann"))
                throw CancellationError()
            }
        }
        #expect(try contents(store) == before)
    }

    @Test func aListenerReceivesEveryChange() async throws {
        let store = store
        var changes = store.changes.makeAsyncIterator()
        for name in ["ann", "bob"] {
            try store.write { try enrol(name, in: $0) }
            #expect(await changes.next() != nil)
        }
    }

    @Test func readersSeeWholeTransactionsWhileManyThreadsWrite() throws {
        let store = store
        let halves = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                try store.write { try enrol("user \(number)", in: $0) }
                let (pushes, codes) = try store.read {
                    (try $0.pushCredentials().count, try $0.oathCredentials().count)
                }
                if pushes != codes { halves.withValue { $0 += 1 } }
            } catch {
                halves.withValue { $0 += 1 }
            }
        }
        #expect(halves.withValue { $0 } == 0)
        #expect(try store.read { try $0.accounts().count } == 8)
    }

    /// A transaction of several items is atomic: the next process reads either all of its changes or none.
    ///
    /// The transaction removes the four items of one account and adds the four items of another account. One of its
    /// calls fails, or the process dies at this call.
    @Test(arguments: FailingKeychain.Failure.allCases)
    func aTransactionOfSeveralItemsIsAtomic(_ failure: FailingKeychain.Failure) throws {
        var calls = 0
        while true {
            let phone = InMemoryKeychain()
            let whole = LegacyItemStore(LegacyKeychain(phone))
            try whole.write { try enrol("ann", in: $0) }
            let before = try contents(whole)
            let failing = FailingKeychain(phone, after: calls, failure)
            let isDone = succeeds {
                try LegacyItemStore(LegacyKeychain(failing)).write { view in
                    _ = try view.removeAccount(Self.account("ann"))
                    try enrol("bob", in: view)
                }
            }
            let after = try contents(LegacyItemStore(LegacyKeychain(phone)))
            let wanted = ["bob", "push of bob", "code of bob 1", "message of bob"]
            if isDone {
                #expect(after == wanted, "\(calls) calls")
            } else {
                #expect(after == before || after == wanted, "\(calls) calls")
            }
            if failing.isUnharmed { break }
            calls += 1
        }
        #expect(calls > 10)
    }

    private func items(on phone: InMemoryKeychain) throws -> [KeychainItem] {
        try LegacyService.allCases.flatMap { try phone.items(service: $0.rawValue, accessGroup: nil) }
    }

    /// Whether an account's item exists, and in which keychain group.
    ///
    /// New items are added to the first group.
    enum AccountItem: CaseIterable, Sendable {
        case inFirstGroup, inOtherGroup, missing
    }

    /// A transaction does not replace an item that it could not see before the first unlock.
    ///
    /// The user unlocks the device after the transaction has searched for the items. Then the addition of the account's
    /// item fails if the first group contains this item. Otherwise, the addition of the credential's item fails.
    @Test(arguments: AccountItem.allCases)
    func aTransactionReplacesNoItemThatItDidNotFind(_ accountItem: AccountItem) throws {
        let account = Self.account("ann")
        try store.write { try enrol("ann", in: $0) }
        if accountItem != .inFirstGroup {
            let service = LegacyService.account.rawValue
            let name = KeychainItem.Name(service: service, account: "Example-ann")
            let data = try #require(try keychain.data(name))
            try keychain.remove(name)
            if accountItem == .inOtherGroup {
                let other = KeychainItem.Name(
                    service: service,
                    account: name.account,
                    accessGroup: "TEAM.shared"
                )
                try keychain.add(KeychainItem(other, data: data))
            }
        }
        let before = try items(on: keychain)
        let early = LegacyItemStore(LegacyKeychain(KeychainBeforeUnlock(keychain)))
        let error = #expect(throws: StoreError.self) {
            try early.write { view in
                #expect(try view.oathCredentials().values.isEmpty)
                try view.save(AccountProfile(account))
                try view.save(
                    OathCredential.sample("another code", account: account, movingFactor: .counter(9))
                )
            }
        }
        #expect(error?.code == .locked)
        #expect(try items(on: keychain) == before)
        #expect(try keychain.accounts(service: LegacyKeychain.besideService, accessGroup: nil) == [])
    }

    /// A transaction does not replace an undecryptable item that it could not see before the first unlock.
    ///
    /// If the credential's item exists, too, its addition fails, and a replaced account item could not be restored.
    @Test(arguments: [true, false])
    func aTransactionReplacesNoUndecryptableItemThatItDidNotFind(_ hasCredential: Bool) throws {
        try store.write { try enrol("ann", in: $0) }
        let service = LegacyService.mechanism.rawValue
        if !hasCredential {
            for name in try keychain.names(service: service, accessGroup: nil) { try keychain.remove(name) }
        }
        let name = KeychainItem.Name(service: LegacyService.account.rawValue, account: "Example-ann")
        keychain.makeUndecryptable(name)
        let before = try keychain.names(service: service, accessGroup: nil)
        let early = LegacyItemStore(LegacyKeychain(KeychainBeforeUnlock(keychain)))
        let error = #expect(throws: StoreError.self) {
            try early.write { view in
                let account = Self.account("ann")
                try view.save(AccountProfile(account))
                try view.save(
                    OathCredential.sample("another code", account: account, movingFactor: .counter(9))
                )
            }
        }
        #expect(error?.code == .locked)
        #expect(throws: KeychainError(status: -26275)) { try keychain.data(name) }
        #expect(try keychain.names(service: service, accessGroup: nil) == before)
        #expect(try keychain.accounts(service: LegacyKeychain.besideService, accessGroup: nil) == [])
    }

    /// A transaction does not replace PushBridge's own notes that it could not see before the first unlock.
    ///
    /// The user unlocks the device after the transaction has searched for the notes.
    @Test func aTransactionReplacesNoNotesThatItDidNotFind() throws {
        try bury((.oath, "code of ann"))
        let notes = try LegacyKeychain(keychain).beside(.notes)
        let early = LegacyItemStore(LegacyKeychain(KeychainBeforeUnlock(keychain)))
        let error = #expect(throws: StoreError.self) {
            try early.write { try enrol("bob", in: $0) }
        }
        #expect(error?.code == .locked)
        #expect(try LegacyKeychain(keychain).beside(.notes) == notes)
        #expect(try items(on: keychain).isEmpty)
    }

    /// An interrupted removal of an account is completed, or has no effect, when the keychain returns all of the
    /// account's items again.
    ///
    /// The process dies during the removal. After that, the keychain temporarily refuses to return one item.
    @Test(arguments: [-50, -25293, -26275] as [Int32])
    func anInterruptedRemovalIsCompletedWhenARefusedItemCanBeRead(_ status: Int32) throws {
        var (calls, completions) = (0, 0)
        while true {
            let phone = InMemoryKeychain()
            try LegacyItemStore(LegacyKeychain(phone)).write { view in
                for name in ["ann", "bob"] { try enrol(name, in: view) }
            }
            let (failing, isDone) = removeAnn(on: phone, failingAfter: calls)
            let keychain = UnreliableKeychain(phone)
            keychain.refuse("Example-ann-hotp", with: status)
            let next = LegacyItemStore(LegacyKeychain(keychain))
            // The refused item does not prevent changes to another account.
            for counter in 1...2 {
                #expect(try contents(next).contains("code of bob \(counter)"), "call \(calls)")
                try next.write { view in
                    var code = try #require(try view.oathCredential(id: "code of bob"))
                    code.movingFactor = .counter(code.counter + 1)
                    try view.put(code)
                    var push = try #require(
                        try view.notifications().values.first { $0.messageId == "message of bob" }
                    )
                    push.approved.toggle()
                    try view.put(push)
                }
            }
            keychain.refuse("Example-ann-hotp", with: nil)
            let after = try contents(LegacyItemStore(LegacyKeychain(keychain)))
            let left = after.filter { $0.contains("ann") }
            #expect(isDone ? left.isEmpty : [0, 4].contains(left.count), "call \(calls): \(left)")
            if !isDone, left.isEmpty {
                completions += 1
                let notes = try phone.accounts(service: LegacyKeychain.besideService, accessGroup: nil)
                #expect(notes.isEmpty, "call \(calls)")
            }
            if failing.isUnharmed { break }
            calls += 1
        }
        #expect(completions > 5)
    }

    /// An interrupted removal does not remove an item that was changed later.
    ///
    /// After the process has died, the previous release changes the counter in the item. The keychain temporarily
    /// refuses to return the item.
    @Test func anInterruptedRemovalRemovesNoItemThatWasChangedLater() throws {
        var (calls, replacements) = (0, 0)
        while true {
            let phone = InMemoryKeychain()
            try LegacyItemStore(LegacyKeychain(phone)).write { try enrol("ann", in: $0) }
            let (failing, _) = removeAnn(on: phone, failingAfter: calls)
            let keychain = UnreliableKeychain(phone)
            keychain.refuse("Example-ann-hotp", with: -50)
            _ = try contents(LegacyItemStore(LegacyKeychain(keychain)))
            let name = KeychainItem.Name(
                service: LegacyService.mechanism.rawValue,
                account: "Example-ann-hotp"
            )
            if let archive = try phone.data(name),
                case .mechanism(var later) = try LegacyRecord(archive: archive, service: .mechanism),
                case .hotp(let parameters, _) = later.factor
            {
                replacements += 1
                later.factor = .hotp(parameters, counter: 77)
                try phone.update(name, data: LegacyRecord.mechanism(later).archive)
                keychain.refuse("Example-ann-hotp", with: nil)
                let after = try contents(LegacyItemStore(LegacyKeychain(keychain)))
                #expect(after.contains("code of ann 77"), "call \(calls)")
            }
            if failing.isUnharmed { break }
            calls += 1
        }
        #expect(replacements > 5)
    }

    /// Removes an account in a process whose keychain fails after a number of calls, as if the process had been killed.
    /// - Returns: The keychain of the process, and whether the removal succeeded.
    private func removeAnn(
        on phone: InMemoryKeychain,
        failingAfter calls: Int
    ) -> (keychain: FailingKeychain, isDone: Bool) {
        let keychain = FailingKeychain(phone, after: calls, .end)
        let isDone = succeeds {
            try LegacyItemStore(LegacyKeychain(keychain)).write {
                _ = try $0.removeAccount(Self.account("ann"))
            }
        }
        return (keychain, isDone)
    }

    /// An interrupted removal keeps an account to which the previous release has since added a mechanism.
    ///
    /// The account stays even if the keychain cannot decrypt its item, or refuses to return the mechanism.
    @Test(arguments: [true, false], [true, false])
    func anInterruptedRemovalKeepsTheAccountOfALaterMechanism(
        _ isAccountReadable: Bool,
        _ isMechanismReadable: Bool
    ) throws {
        let account = KeychainItem.Name(service: LegacyService.account.rawValue, account: "Example-ann")
        let place = KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: "Example-ann-totp")
        let later = LegacyMechanism(
            mechanismUUID: "later",
            account: Self.account("ann"),
            secret: try #require(SharedSecret(utf8: "GEZDGNBVGY3TQOJQ")),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000),
            factor: .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
        )
        var (calls, additions) = (0, 0)
        while true {
            let phone = InMemoryKeychain()
            try LegacyItemStore(LegacyKeychain(phone)).write { try enrol("ann", in: $0) }
            if !isAccountReadable { phone.makeUndecryptable(account) }
            let (failing, _) = removeAnn(on: phone, failingAfter: calls)
            let accounts = { try phone.accounts(service: account.service, accessGroup: nil) }
            if try accounts() == [account.account] {
                additions += 1
                try phone.add(KeychainItem(place, data: LegacyRecord.mechanism(later).archive))
                let keychain = UnreliableKeychain(phone)
                if !isMechanismReadable { keychain.refuse(place.account, with: -50) }
                let next = LegacyItemStore(LegacyKeychain(keychain))
                #expect(try next.read { try $0.count(of: .account, where: .all) } > 0, "call \(calls)")
                keychain.refuse(place.account, with: nil)
                #expect(try next.read { try $0.oathCredential(id: "later") } != nil, "call \(calls)")
                #expect(try accounts() == [account.account], "call \(calls)")
            }
            if failing.isUnharmed { break }
            calls += 1
        }
        #expect(additions > 5)
    }

    /// An interrupted removal of an account is completed although the item of a mechanism cannot be read.
    ///
    /// The item belongs to an account with a longer name, or is damaged.
    @Test(arguments: [true, false])
    func anInterruptedRemovalIsCompletedBesideAnUnreadableMechanism(_ isDamaged: Bool) throws {
        let service = LegacyService.mechanism.rawValue
        let place = KeychainItem.Name(service: service, account: "Example-ann\(isDamaged ? "" : "-2")-totp")
        var (calls, completions) = (0, 0)
        while true {
            let phone = InMemoryKeychain()
            try LegacyItemStore(LegacyKeychain(phone)).write { try enrol("ann", in: $0) }
            let (failing, _) = removeAnn(on: phone, failingAfter: calls)
            let isRemoved = try phone.names(service: service, accessGroup: nil).isEmpty
            if isRemoved {
                completions += 1
                try phone.add(KeychainItem(place, data: Data("damaged".utf8)))
                if !isDamaged { phone.makeUndecryptable(place) }
                let next = LegacyItemStore(LegacyKeychain(phone))
                #expect(try next.read { try $0.account(Self.account("ann")) } == nil, "call \(calls)")
            }
            if failing.isUnharmed { break }
            calls += 1
        }
        #expect(completions > 2)
    }

    /// An interrupted removal of an account is completed even if another account with the same legacy key has a
    /// mechanism.
    @Test func anInterruptedRemovalIsCompletedBesideAnAccountWithTheSameKey() throws {
        let (one, other) = (
            AccountKey(issuer: "A-B", accountName: "C"), AccountKey(issuer: "A", accountName: "B-C")
        )
        let donor = InMemoryKeychain()
        try LegacyItemStore(LegacyKeychain(donor)).write {
            try $0.save(OathCredential.sample("other code", account: other))
        }
        var (calls, completions) = (0, 0)
        while true {
            let phone = InMemoryKeychain()
            try LegacyItemStore(LegacyKeychain(phone)).write { view in
                var profile = AccountProfile(one)
                profile.addedAt = Date(timeIntervalSince1970: 1_700_000_000)
                try view.save(profile)
                try view.save(OathCredential.sample("code", account: one, movingFactor: .counter(1)))
            }
            // The previous release stores the mechanism of the other account.
            for item in try items(on: donor) where item.name.account == "A-B-C-totp" { try phone.add(item) }
            let failing = FailingKeychain(phone, after: calls, .end)
            _ = succeeds {
                try LegacyItemStore(LegacyKeychain(failing)).write { _ = try $0.removeAccount(one) }
            }
            _ = try LegacyItemStore(LegacyKeychain(phone)).read { try $0.accounts() }
            let accounts = try phone.accounts(service: LegacyService.account.rawValue, accessGroup: nil)
            let mechanisms = try phone.accounts(service: LegacyService.mechanism.rawValue, accessGroup: nil)
            #expect(mechanisms.contains("A-B-C-totp"), "call \(calls)")
            #expect(mechanisms.contains("A-B-C-hotp") == !accounts.isEmpty, "call \(calls)")
            if failing.isUnharmed { break }
            if accounts.isEmpty { completions += 1 }
            calls += 1
        }
        #expect(completions > 2)
    }

    /// The removal of an account also removes an item that is damaged or that the keychain cannot decrypt.
    @Test(arguments: ["Example-ann", "Example-ann-push", "Example-ann-hotp"], [true, false])
    func aRemovalOfAnAccountCoversItemsThatCannotBeOpened(_ key: String, _ isDamaged: Bool) throws {
        try store.write { view in
            for name in ["ann", "bob"] { try enrol(name, in: view) }
        }
        let services = [LegacyService.account, .mechanism].map(\.rawValue)
        for service in services {
            for name in try keychain.names(service: service, accessGroup: nil) where name.account == key {
                if isDamaged {
                    try keychain.update(name, data: Data("no archive".utf8))
                } else {
                    keychain.makeUndecryptable(name)
                }
            }
        }
        #expect(try store.write { try $0.removeAccount(Self.account("ann")) })
        let names = try services.flatMap { try keychain.accounts(service: $0, accessGroup: nil) }
        #expect(names == ["Example-bob", "Example-bob-hotp", "Example-bob-push"])
        #expect(try keychain.accounts(service: LegacyKeychain.besideService, accessGroup: nil) == [])
        // The user can add the account again.
        try store.write { try enrol("ann", in: $0) }
        #expect(try contents(store).contains("code of ann 1"))
    }

    /// An account stays if one of its items cannot be decrypted, because the Secure Enclave may fail temporarily.
    ///
    /// The user removes the account's other credential through the async API. The undecryptable item also stays.
    @Test func theAccountOfAnItemThatCannotBeOpenedStays() throws {
        try store.write { try enrol("ann", in: $0) }
        let name = KeychainItem.Name(
            service: LegacyService.mechanism.rawValue,
            account: "Example-ann-hotp"
        )
        keychain.makeUndecryptable(name)
        #expect(try store.write { try $0.deletePushCredential(id: "push of ann") })
        let accounts = try keychain.accounts(service: LegacyService.account.rawValue, accessGroup: nil)
        #expect(accounts == ["Example-ann"])
        #expect(try keychain.accounts(service: name.service, accessGroup: nil) == [name.account])
    }

    /// The removal of an account keeps an undecryptable item that may belong to an account with the same legacy key.
    ///
    /// The account `C` of the issuer `A-B` and the account `B-C` of the issuer `A` have the same legacy key.
    @Test func aRemovalDoesNotCoverAnItemThatMayBelongToAnotherAccount() throws {
        let (one, other) = (
            AccountKey(issuer: "A-B", accountName: "C"), AccountKey(issuer: "A", accountName: "B-C")
        )
        try store.write { view in
            try view.save(PushCredential.sample("push", account: one))
            try view.save(OathCredential.sample("code", account: one, movingFactor: .counter(1)))
        }
        // The previous release has stored a credential of the other account.
        let phone = InMemoryKeychain()
        try LegacyItemStore(LegacyKeychain(phone)).write {
            try $0.save(OathCredential.sample("other code", account: other))
        }
        for item in try items(on: phone) where item.name.account == "A-B-C-totp" { try keychain.add(item) }
        keychain.makeUndecryptable(
            KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: "A-B-C-push")
        )
        #expect(try store.write { try $0.removeAccount(one) })
        let left = try keychain.accounts(service: LegacyService.mechanism.rawValue, accessGroup: nil)
        #expect(left == ["A-B-C-push", "A-B-C-totp"])
    }

    /// Stores tombstones, as a move back does if it cannot read the items of removed credentials.
    private func bury(_ removed: (kind: RecordKind, id: String)...) throws {
        var notes = LegacyItemNotes()
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        notes.tombstones = removed.map { Tombstone($0.kind, id: $0.id, since: date) }
        try LegacyKeychain(keychain).keep(try JSONEncoder().encode(notes), beside: .notes)
    }

    /// If the item of a removed credential could not be read, it is deleted later, because the previous release reads
    /// no tombstones.
    @Test func theItemOfARemovedCredentialIsDeletedWhenItCanBeRead() throws {
        try store.write { try enrol("ann", in: $0) }
        try bury((.oath, "code of ann"))
        #expect(try store.read { try $0.oathCredentials().values.isEmpty })
        let names = try keychain.names(service: LegacyService.mechanism.rawValue, accessGroup: nil)
        #expect(names.map(\.account) == ["Example-ann-push"])
        #expect(try keychain.accounts(service: LegacyKeychain.besideService, accessGroup: nil) == [])
    }

    /// The item of a removed account is deleted with its last mechanism.
    ///
    /// A move back keeps the account's item if the item of one of its mechanisms cannot be read.
    @Test func theItemOfARemovedAccountIsDeletedWithItsLastMechanism() throws {
        let account = Self.account("ann")
        try store.write { view in
            try view.save(AccountProfile(account))
            try view.save(OathCredential.sample("code of ann", account: account, movingFactor: .counter(7)))
        }
        try bury((.account, account.recordID))
        // The previous release has added the account again.
        #expect(try store.read { try $0.accounts().values.map(\.key) } == [account])
        #expect(try keychain.accounts(service: LegacyService.account.rawValue, accessGroup: nil).count == 1)

        try keychain.remove(
            KeychainItem.Name(service: LegacyService.mechanism.rawValue, account: "Example-ann-hotp")
        )
        #expect(try store.read { try $0.accounts().values.isEmpty })
        #expect(try store.read { try $0.account(account) } == nil)
        #expect(try keychain.accounts(service: LegacyService.account.rawValue, accessGroup: nil) == [])
        #expect(try keychain.accounts(service: LegacyKeychain.besideService, accessGroup: nil) == [])
    }

    @Test func aCredentialThatIsAddedAgainIsKept() throws {
        try bury((.oath, "code of ann"))
        let store = store
        try store.write { try enrol("ann", in: $0) }
        for store in [store, self.store] {
            #expect(try store.read { try $0.oathCredentials().values.map(\.id) } == ["code of ann"])
        }
    }

    /// If the item of a removed credential is deleted, an item with the same key in another keychain group stays.
    ///
    /// The kept item contains another credential of the same account.
    @Test func theItemOfAnotherGroupIsNotDeleted() throws {
        let account = Self.account("ann")
        let service = LegacyService.mechanism.rawValue
        let key = "Example-ann-hotp"
        func enrol(_ id: String, on phone: InMemoryKeychain) throws {
            try LegacyItemStore(LegacyKeychain(phone)).write { view in
                try view.save(AccountProfile(account))
                try view.save(OathCredential.sample(id, account: account, movingFactor: .counter(7)))
            }
        }
        try enrol("code of ann", on: keychain)
        let other = InMemoryKeychain()
        try enrol("another code", on: other)
        let data = try #require(try other.data(KeychainItem.Name(service: service, account: key)))
        let shared = KeychainItem.Name(service: service, account: key, accessGroup: "TEAM.shared")
        try keychain.add(KeychainItem(shared, data: data))
        try bury((.oath, "code of ann"), (.account, account.recordID))
        #expect(try store.read { try $0.oathCredentials().values.map(\.id) } == ["another code"])
        #expect(try keychain.data(shared) == data)
        #expect(try keychain.accounts(service: LegacyService.account.rawValue, accessGroup: nil).count == 1)
        #expect(try store.read { try $0.accounts().values.map(\.key) } == [account])
    }

    /// A refused removal restores each item in its keychain group, with its accessibility class.
    ///
    /// An extension reads only the items of a shared group.
    @Test func aRefusedRemovalRestoresEachItemInItsGroup() throws {
        var (calls, refusals) = (0, 0)
        while true {
            let phone = InMemoryKeychain()
            try LegacyItemStore(LegacyKeychain(phone)).write { try enrol("ann", in: $0) }
            for service in LegacyService.allCases {
                for item in try phone.items(service: service.rawValue, accessGroup: nil) {
                    let name = KeychainItem.Name(
                        service: service.rawValue,
                        account: item.name.account,
                        accessGroup: "TEAM.shared"
                    )
                    var shared = KeychainItem(
                        name,
                        data: item.data,
                        accessibility: .whenUnlockedThisDeviceOnly
                    )
                    shared.lookUpKey = item.lookUpKey
                    try phone.remove(item.name)
                    try phone.add(shared)
                }
            }
            let all = { () throws -> [KeychainItem] in
                try LegacyService.allCases.flatMap { try phone.items(service: $0.rawValue, accessGroup: nil) }
            }
            let before = try all()
            let failing = FailingKeychain(phone, after: calls, .refusal)
            let isDone = succeeds {
                try LegacyItemStore(LegacyKeychain(failing)).write {
                    _ = try $0.removeAccount(Self.account("ann"))
                }
            }
            if isDone {
                #expect(try all().isEmpty, "call \(calls)")
            } else {
                refusals += 1
                #expect(try all() == before, "call \(calls)")
            }
            if failing.isUnharmed { break }
            calls += 1
        }
        #expect(refusals > 10)
    }

    @Test func completingATransactionKeepsLaterChangesOfAnotherRelease() throws {
        try store.write { try enrol("ann", in: $0) }
        var calls = 0
        while true {
            let failing = FailingKeychain(keychain, after: calls, .end)
            _ = succeeds {
                try LegacyItemStore(LegacyKeychain(failing)).write { view in
                    var code = try #require(try view.oathCredential(id: "code of ann"))
                    code.movingFactor = .counter(code.counter + 1)
                    try view.put(code)
                    var push = try #require(try view.notifications().values.first)
                    push.approved.toggle()
                    try view.put(push)
                }
            }
            // Before the next process completes the transaction, the previous release generates one-time passwords and
            // thereby increases the counter.
            let name = KeychainItem.Name(
                service: LegacyService.mechanism.rawValue,
                account: "Example-ann-hotp"
            )
            let archive = try #require(try keychain.data(name))
            guard case .mechanism(var held) = try LegacyRecord(archive: archive, service: .mechanism),
                case .hotp(let parameters, let counter) = held.factor
            else {
                Issue.record("The item contains no HOTP mechanism.")
                return
            }
            held.factor = .hotp(parameters, counter: counter + 10)
            try keychain.update(name, data: LegacyRecord.mechanism(held).archive)
            #expect(try store.read { try $0.oathCredential(id: "code of ann")?.counter } == counter + 10)
            if failing.isUnharmed { break }
            calls += 1
        }
    }
}
