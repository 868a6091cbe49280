import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// After a transaction on a keychain that fails at any call, the store contains all changes of the transaction or none.
@Suite("Interrupted transactions")
struct InterruptionTests {
    private let calls = 0..<60

    @Test(arguments: FailingKeychain.Failure.allCases)
    func anInterruptedTransactionIsAllOrNothing(_ failure: FailingKeychain.Failure) throws {
        var outcomes: Set<Contents> = []
        for call in calls {
            let keychain = InMemoryKeychain()
            try KeychainCredentialStore(keychain: keychain).write(Contents.begin)
            let failing = FailingKeychain(keychain, after: call, failure)
            let isDone = succeeds { try KeychainCredentialStore(keychain: failing).write(Contents.change) }
            let left = try KeychainCredentialStore(keychain: keychain).read(Contents.init)
            #expect(left == .before || left == .after, "call \(call)")
            // If the process was killed, the caller has no result. So either the old or the new contents are
            // valid.
            if failure == .refusal || failing.isUnharmed {
                #expect(left == (isDone ? .after : .before), "call \(call)")
            }
            outcomes.insert(left)
            if failing.isUnharmed { break }
            #expect(call + 1 < calls.upperBound, "The transaction makes more calls than the test interrupts.")
        }
        #expect(outcomes == [.before, .after])
    }

    @Test func theSameStoreWorksAfterARefusal() throws {
        for call in calls {
            let keychain = InMemoryKeychain()
            try KeychainCredentialStore(keychain: keychain).write(Contents.begin)
            let failing = FailingKeychain(keychain, after: call, .refusal)
            let store = KeychainCredentialStore(keychain: failing)
            let isDone = succeeds { try store.write(Contents.change) }
            // This read may contain the failing call.
            _ = succeeds { _ = try store.read { _ in } }
            guard !failing.isUnharmed else { break }
            #expect(try store.read(Contents.init) == (isDone ? .after : .before), "call \(call)")
            #expect(try keychain.accounts(service: KeychainServices().journal, accessGroup: nil) == [])
        }
    }

    @Test(arguments: FailingKeychain.Failure.allCases)
    func anInterruptedCompletionIsCompletedByTheNextTransaction(_ failure: FailingKeychain.Failure) throws {
        for call in calls {
            let keychain = try interrupted()
            let failing = FailingKeychain(keychain, after: call, failure)
            _ = succeeds { _ = try KeychainCredentialStore(keychain: failing).read(Contents.init) }
            let left = try KeychainCredentialStore(keychain: keychain).read(Contents.init)
            #expect(left == .after, "call \(call)")
        }
    }

    /// The completion of a transaction does not replace an item that was changed after the interruption.
    ///
    /// An earlier release of the app, which does not know the journal, advances the counter.
    @Test func aCompletionDoesNotReplaceAnItemThatWasChangedAfterTheInterruption() throws {
        let services = KeychainServices()
        let form = KeychainItem.Name(service: services.oathCredentials, account: "hotp")
        let other = InMemoryKeychain()
        try KeychainCredentialStore(keychain: other).write { view in
            try view.save(OathCredential.sample("hotp", movingFactor: .counter(50)))
        }
        let advanced = try #require(try other.data(form))
        var completions = 0
        for call in calls {
            let keychain = InMemoryKeychain()
            try KeychainCredentialStore(keychain: keychain).write { view in
                try view.save(PushCredential.sample("push"))
                try view.save(OathCredential.sample("hotp", movingFactor: .counter(45)))
            }
            let failing = FailingKeychain(keychain, after: call, .end)
            _ = succeeds {
                try KeychainCredentialStore(keychain: failing).write { view in
                    var account = try #require(try view.knownAccount(.sample))
                    account.customDisplayIssuer = "Renamed"
                    try view.save(account)
                }
            }
            if failing.isUnharmed { break }
            let journal = try keychain.accounts(service: services.journal, accessGroup: nil)
            if journal.isEmpty { continue }
            completions += 1
            try keychain.update(form, data: advanced)
            try KeychainCredentialStore(keychain: keychain).read { view throws -> Void in
                #expect(try view.oathCredential(id: "hotp")?.counter == 50, "call \(call)")
                #expect(try view.pushCredential(id: "push")?.displayIssuer == "Renamed", "call \(call)")
                #expect(try view.account(.sample)?.customDisplayIssuer == "Renamed", "call \(call)")
            }
        }
        #expect(completions > 2)
    }

    /// An enrolled push credential is stored with its account, or not at all.
    ///
    /// If the account's own item is missing, the store reads the account from the credential's item.
    @Test(arguments: FailingKeychain.Failure.allCases)
    func anEnrolledCredentialIsStoredWithItsAccountOrNotAtAll(_ failure: FailingKeychain.Failure) throws {
        let credential = try PushCredential.sample("new")
        let token = PushDeviceToken(tokenId: "00", createdAt: .distantPast)
        try enrolling(credential.account, credential.createdAt, failure) {
            try $0.enrol(credential, registeredWith: token)
        } check: {
            try $0.pushCredentials().map(\.id)
        }
    }

    @Test(arguments: FailingKeychain.Failure.allCases)
    func anEnrolledOneTimePasswordCredentialHasBothItemsOrNone(_ failure: FailingKeychain.Failure) throws {
        let credential = try OathCredential.sample("new")
        try enrolling(credential.account, credential.createdAt, failure) {
            try $0.enrol(credential)
        } check: {
            let found = try $0.oathCredentials()
            #expect(found.unreadable.isEmpty)
            return found.map(\.id)
        }
    }

    /// A later step of a transaction does not replace an item that the transaction did not find.
    ///
    /// The keychain hides all items until the transaction writes. Then the first step adds an item, and a later step
    /// would replace an item that was hidden.
    @Test(arguments: FailingKeychain.Failure.allCases)
    func aLaterStepReplacesNoItemThatTheTransactionDidNotFind(_ failure: FailingKeychain.Failure) throws {
        let theirs = try PushCredential.sample("b", secret: "their push secret")
        var outcomes: Set<[String]> = []
        for call in calls {
            let keychain = InMemoryKeychain()
            try KeychainCredentialStore(keychain: keychain).write { try $0.save(theirs) }
            let failing = FailingKeychain(keychain, after: call, failure)
            let unreliable = UnreliableKeychain(failing)
            unreliable.hidesAllItems = true
            let isDone = succeeds {
                try KeychainCredentialStore(keychain: unreliable).write { view in
                    for id in ["a", "b"] {
                        #expect(try view.pushCredential(id: id) == nil)
                        try view.save(PushCredential.sample(id))
                    }
                    unreliable.hidesAllItems = false
                }
            }
            let left = try KeychainCredentialStore(keychain: keychain).read { try $0.pushCredentials() }
            #expect(left.unreadable.isEmpty)
            #expect(left.values.first { $0.id == "b" } == theirs, "call \(call)")
            if isDone { #expect(left.values.map(\.id) == ["a", "b"], "call \(call)") }
            outcomes.insert(left.values.map(\.id))
            if failing.isUnharmed {
                #expect(outcomes == [["b"], ["a", "b"]])
                return
            }
        }
        Issue.record("The transaction makes more calls than the test interrupts.")
    }

    private func enrolling<Result>(
        _ account: AccountProfile,
        _ date: Date,
        _ failure: FailingKeychain.Failure,
        _ enrol: (any CredentialWriting) throws -> Result,
        check ids: (any CredentialReading) throws -> [String]
    ) throws {
        var account = account
        account.addedAt = date
        var outcomes: Set<Bool> = []
        for call in calls {
            let keychain = InMemoryKeychain()
            let failing = FailingKeychain(keychain, after: call, failure)
            let isDone = succeeds {
                try KeychainCredentialStore(keychain: failing).write { _ = try enrol($0) }
            }
            let left = try KeychainCredentialStore(keychain: keychain).read { view in
                (account: try view.contents(of: account.key)?.account, ids: try ids(view))
            }
            let isThere = left.account != nil
            #expect(left.account == (isThere ? account : nil), "call \(call)")
            #expect(left.ids == (isThere ? ["new"] : []), "call \(call)")
            if failure == .refusal || failing.isUnharmed { #expect(isThere == isDone, "call \(call)") }
            outcomes.insert(isThere)
            if failing.isUnharmed {
                #expect(outcomes == [true, false])
                return
            }
        }
        Issue.record("The transaction makes more calls than the test interrupts.")
    }

    @Test(
        arguments: [
            (#"{"version":2,"steps":[]}"#, StoreError.Code.newerVersion), ("{}", .damaged), ("", .damaged),
        ]
    )
    func everyCallThrowsIfTheJournalCannotBeRead(_ example: (text: String, code: StoreError.Code)) throws {
        let keychain = InMemoryKeychain()
        let name = KeychainItem.Name(service: KeychainServices().journal, account: "transaction")
        try keychain.add(KeychainItem(name, data: Data(example.text.utf8)))
        let store = KeychainCredentialStore(keychain: keychain)
        #expect(try storeErrorCode { try store.read { _ in } } == example.code)
        #expect(try storeErrorCode { try store.write { _ in } } == example.code)
        #expect(try keychain.data(name) == Data(example.text.utf8))
    }

    /// Returns a keychain that contains the journal of an interrupted transaction.
    private func interrupted() throws -> InMemoryKeychain {
        for call in calls {
            let keychain = InMemoryKeychain()
            try KeychainCredentialStore(keychain: keychain).write(Contents.begin)
            let failing = FailingKeychain(keychain, after: call, .end)
            _ = succeeds { try KeychainCredentialStore(keychain: failing).write(Contents.change) }
            let journal = try keychain.accounts(service: KeychainServices().journal, accessGroup: nil)
            if !journal.isEmpty { return keychain }
        }
        throw Unfinished()
    }

    private struct Unfinished: Error {}

    private func succeeds(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            return false
        }
    }
}

/// The contents of a store before and after a transaction, and the transaction itself.
private struct Contents: Hashable {
    var pushes: [String] = []
    var oaths: [String] = []
    var notifications: [String] = []
    var token: String?
    var ledger: [String] = []
    var accounts: [String] = []

    static let before = Contents(
        pushes: ["a ForgeRock", "b ForgeRock"],
        notifications: ["1 true", "2 true"],
        token: "00",
        ledger: ["a migrated"],
        accounts: ["Another issuer", "Third"]
    )
    static let after = Contents(
        pushes: ["a Renamed", "c Renamed"],
        oaths: ["d"],
        notifications: ["1 false", "3 true"],
        token: "11",
        ledger: ["a conflict", "b migrated"],
        accounts: ["Another issuer", "ForgeRock"]
    )

    static func begin(_ view: any CredentialWriting) throws {
        try view.save(PushCredential.sample("a"))
        try view.save(PushCredential.sample("b"))
        try view.save(PushNotification.sample("1"))
        try view.save(PushNotification.sample("2"))
        try view.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast))
        try view.record(.sample("a"))
        try view.save(AccountProfile(.other))
        try view.save(AccountProfile(issuer: "Third", accountName: "demo"))
    }

    static func change(_ view: any CredentialWriting) throws {
        var renamed = try PushCredential.sample("a")
        renamed.displayIssuer = "Renamed"
        try view.save(renamed)
        try view.remove(.push, where: RecordQuery(id: "b"))
        var added = try PushCredential.sample("c")
        added.account = renamed.account
        try view.save(added)
        try view.save(OathCredential.sample("d", account: .other))
        try view.save(PushNotification.sample("1", pending: false))
        try view.removeNotification(id: "2")
        try view.save(PushNotification.sample("3"))
        try view.save(PushDeviceToken(tokenId: "11", createdAt: .distantPast))
        try view.record(.sample("a", .conflict))
        try view.record(.sample("b"))
        _ = try view.removeAccount(AccountKey(issuer: "Third", accountName: "demo"))
    }
}

extension Contents {
    init(_ view: any CredentialReading) throws {
        pushes = try view.pushCredentials().map { "\($0.id) \($0.displayIssuer)" }
        oaths = try view.oathCredentials().map(\.id)
        notifications = try view.notifications().map { "\($0.id) \($0.pending)" }
        token = try view.deviceToken()?.tokenId
        ledger = try view.fetch(LedgerEntry.self).map { "\($0.key) \($0.result.outcome)" }
        accounts = try view.accounts().map(\.issuer).sorted()
    }
}
