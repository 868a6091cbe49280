import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Keychain credential store")
struct KeychainCredentialStoreTests {
    private let keychain = InMemoryKeychain()
    private let services = KeychainServices()
    private var store: KeychainCredentialStore { KeychainCredentialStore(keychain: keychain) }

    @Test func aLockedKeychainIsReportedAndLosesNothing() throws {
        try store.write { try $0.save(PushCredential.sample()) }
        keychain.isLocked = true
        #expect(try storeErrorCode { _ = try store.read { try $0.pushCredential(id: "push") } } == .locked)
        #expect(
            try storeErrorCode { try store.write { try $0.save(PushCredential.sample("new")) } } == .locked
        )
        keychain.isLocked = false
        #expect(try store.read { try $0.ids(of: .push, where: .all) } == ["push"])
    }

    /// The store finds items without look-up keys, which the successor SDK and earlier versions of PushBridge write.
    @Test(arguments: [false, true])
    func itemsWithoutALookUpKeyAreFound(_ isUpdated: Bool) throws {
        let key = AccountKey(issuer: "Cafe\u{301}", accountName: "zoe")
        try store.write { view in
            for id in ["a", "b"] { try view.save(PushCredential.sample(id, account: key)) }
            for number in 0..<20 {
                let other = AccountKey(issuer: "Bank", accountName: "\(number)")
                try view.save(PushCredential.sample("other\(number)", account: other))
            }
        }
        let data = try #require(try keychain.data(name("b")))
        if isUpdated {
            try keychain.update(KeychainItem(name("b"), data: data))
        } else {
            #expect(try keychain.remove(name("b")))
            try keychain.add(KeychainItem(name("b"), data: data))
        }
        // The two spellings are canonically equivalent.
        for issuer in ["Cafe\u{301}", "Caf\u{E9}"] {
            let account = AccountKey(issuer: issuer, accountName: "zoe")
            #expect(try store.read { try $0.pushCredentials(account: account).map(\.id) } == ["a", "b"])
        }
        #expect(try store.write { try $0.remove(.push, where: RecordQuery(id: "a")) } == 1)
        #expect(try store.read { try $0.hasCredentials(key) })
    }

    @Test func anItemOfANotificationIsFoundByTheMessageId() throws {
        try store.write { view in
            for number in 0..<20 {
                try view.save(PushNotification.sample("\(number)", of: "push", messageId: "m\(number)"))
            }
        }
        #expect(try store.read { try $0.notification(messageId: "m7")?.id } == "7")
        #expect(try store.read { try $0.notification(messageId: "m20") } == nil)
        let all = RecordQuery(owner: "push")
        #expect(try store.read { try $0.count(of: .notification, where: all) } == 20)
        #expect(try store.write { try $0.removeNotifications(all) } == 20)
    }

    @Test func anItemThatCannotBeOpenedLeavesTheOthersReadable() throws {
        try fill()
        keychain.makeUndecryptable(name("b"))
        try expectOneIsDamaged()
    }

    @Test(arguments: ["", "null", "{}", #"{"id":"b"}"#, "\u{0}\u{1}"])
    func anInvalidItemLeavesTheOthersReadable(_ text: String) throws {
        try fill()
        try keychain.update(name("b"), data: Data(text.utf8))
        try expectOneIsDamaged()
    }

    @Test func anItemUnderAnotherNameIsDamaged() throws {
        try fill()
        let copy = try #require(try keychain.data(name("a")))
        try keychain.update(name("b"), data: copy)
        try expectOneIsDamaged()
    }

    @Test(arguments: [true, false])
    func aDamagedItemCanBeRemovedAndReplaced(_ isRemoved: Bool) throws {
        try fill()
        keychain.makeUndecryptable(name("b"))
        if isRemoved { #expect(try store.write { try $0.remove(.push, where: RecordQuery(id: "b")) } == 1) }
        try store.write { try $0.save(PushCredential.sample("b")) }
        #expect(
            try store.read { try $0.pushCredentials().values } == ["a", "b", "c"].map { try .sample($0) }
        )
    }

    @Test func aDamagedNotificationDoesNotPreventTheRemovalOfOthers() throws {
        try store.write { view in
            for (id, owner) in [("1", "a"), ("2", "a"), ("3", "b"), ("4", "b")] {
                try view.save(PushNotification.sample(id, of: owner))
            }
        }
        keychain.makeUndecryptable(.init(service: services.notifications, account: "2"))
        #expect(try store.read { try $0.notifications().unreadable.map(\.record) } == ["2"])
        let removed = try store.write { view in
            try view.save(PushNotification.sample("5", of: "a"))
            return [
                try view.removeNotifications(RecordQuery(owner: "a")),
                try view.removeNotifications(RecordQuery(limit: 1)),
            ]
        }
        #expect(removed == [2, 1])
        #expect(try keychain.accounts(service: services.notifications, accessGroup: nil) == ["2", "4"])
        #expect(try store.write { try $0.removeNotifications(.all) } == 2)
        #expect(try store.read { try $0.notifications().values } == [])
    }

    @Test func aDamagedItemOfEachKindIsReported() throws {
        for (service, account) in [
            (services.notifications, "n"), (services.tokens, "t"), (services.oathCredentials, "o"),
            (services.ledger, "000000000001-AAAAAAAAAAAAAAAAAAAAAA=="), (services.ledger, "x"),
            (services.oathSecrets, "s"), (services.credentials, "p"), (services.accounts, "a"),
            (services.imports, "keychain"),
        ] {
            let keychain = InMemoryKeychain()
            try keychain.add(KeychainItem(.init(service: service, account: account), data: Data("{}".utf8)))
            let unreadable = try KeychainCredentialStore(keychain: keychain).read { view in
                try view.notifications().unreadable + view.fetch(PushDeviceToken.self).unreadable
                    + view.oathCredentials().unreadable + view.fetch(LedgerEntry.self).unreadable
                    + view.pushCredentials().unreadable + view.accounts().unreadable
                    + view.fetch(ImportMark.self).unreadable
            }
            #expect(unreadable.map(\.code) == [.damaged], "\(service) \(account)")
            #expect(unreadable.map(\.record) == [account])
        }
    }

    /// A transaction does not replace an item that the keychain hid while the transaction was reading.
    @Test(arguments: [["push"], ["push", "second"]])
    func anItemThatTheTransactionDidNotFindIsNotReplaced(_ ids: [String]) throws {
        let theirs = try PushCredential.sample(secret: "their push secret")
        try store.write { try $0.save(theirs) }
        let unreliable = UnreliableKeychain(keychain)
        unreliable.hidesAllItems = true
        let code = try storeErrorCode {
            try KeychainCredentialStore(keychain: unreliable).write { view in
                for id in ids {
                    #expect(try view.pushCredential(id: id) == nil)
                    try view.save(PushCredential.sample(id))
                }
                unreliable.hidesAllItems = false
            }
        }
        #expect(code == .locked)
        #expect(try store.read { try $0.pushCredentials().values } == [theirs])
        #expect(try keychain.accounts(service: services.journal, accessGroup: nil) == [])
    }

    @Test func theJournalOfAnotherProcessIsNotOverwritten() throws {
        let journal = services.journal
        let theirs = Data(#"{"version":1,"steps":[]}"#.utf8)
        let raced = RacedKeychain(keychain) { $0.name.service == journal ? theirs : nil }
        let code = try storeErrorCode {
            try KeychainCredentialStore(keychain: raced).write { view in
                try view.save(PushCredential.sample("a"))
                try view.save(PushCredential.sample("b"))
            }
        }
        #expect(code == .locked)
        #expect(try keychain.data(.init(service: journal, account: "transaction")) == theirs)
        #expect(try store.read { try $0.ids(of: .push, where: .all) } == [])
    }

    @Test func concurrentStoresOfOneProcessLoseNoWrites() throws {
        let keychain = keychain
        try store.write { try $0.save(OathCredential.sample(movingFactor: .counter(0))) }
        let failures = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            do {
                try KeychainCredentialStore(keychain: keychain).write { view in
                    let counter = try view.oathCredential(id: "oath")?.counter ?? -1
                    try view.save(OathCredential.sample(movingFactor: .counter(counter + 1)))
                    try view.save(PushCredential.sample("\(counter)"))
                }
            } catch {
                failures.withValue { $0 += 1 }
            }
        }
        #expect(failures.withValue { $0 } == 0)
        #expect(try store.read { try $0.oathCredential(id: "oath")?.counter } == 40)
        #expect(try store.read { try $0.ids(of: .push, where: .all).count } == 40)
    }

    @Test func storesOverDifferentKeychainsDoNotWaitForEachOther() throws {
        let other = KeychainCredentialStore(keychain: InMemoryKeychain())
        try fill()
        try store.read { view in
            try other.write { target in try view.pushCredentials().forEach { try target.save($0) } }
        }
        #expect(try other.read { try $0.ids(of: .push, where: .all) } == ["a", "b", "c"])
    }

    @Test func groupsAndServicesAreKeptApart() throws {
        let stores = [
            KeychainCredentialStore(keychain: keychain, accessGroup: "group.one"),
            KeychainCredentialStore(keychain: keychain, accessGroup: "group.two"),
            KeychainCredentialStore(
                keychain: keychain,
                services: KeychainServices(credentials: "c", notifications: "n", tokens: "t"),
                accessGroup: "group.one"
            ),
        ]
        for (index, store) in stores.enumerated() {
            try store.write { view in
                try view.save(PushCredential.sample("\(index)"))
                try view.record(.sample("\(index)"))
            }
        }
        for (index, store) in stores.enumerated() {
            #expect(try store.read { try $0.ids(of: .push, where: .all) } == ["\(index)"])
            #expect(try store.read { try $0.fetch(LedgerEntry.self).map(\.key) } == ["\(index)"])
        }
        #expect(try keychain.accounts(service: "c", accessGroup: "group.one") == ["2"])
    }

    private func fill() throws {
        try store.write { view in
            for id in ["a", "b", "c"] { try view.save(PushCredential.sample(id)) }
        }
    }

    /// Expects that `b` is damaged and that the other two records are not damaged.
    private func expectOneIsDamaged() throws {
        try store.read { view in
            let found = try view.pushCredentials()
            #expect(found.map(\.id) == ["a", "c"])
            #expect(found.unreadable.map(\.record) == ["b"])
        }
        #expect(try storeErrorCode { _ = try store.read { try $0.pushCredential(id: "b") } } == .damaged)
    }

    private func name(_ account: String) -> KeychainItem.Name {
        KeychainItem.Name(service: services.credentials, account: account)
    }
}
