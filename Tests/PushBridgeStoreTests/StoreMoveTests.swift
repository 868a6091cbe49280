import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A move between two stores moves every record.
///
/// If the move is interrupted at any operation, no record is lost.
@Suite("Moving a store")
struct StoreMoveTests {
    /// The kinds of store between which the tests move records.
    ///
    /// Moves between two stores of the same kind are also tested.
    private static let kinds = StoreKind.general.filter { $0 != .staged }

    @Test(arguments: kinds, kinds)
    func aMoveTransfersTheRecordsAndRemovesThemFromTheSource(_ from: StoreKind, _ to: StoreKind) throws {
        let (source, target) = try stores(from, to)
        let before = try contents(of: source)
        let steps = Lock<[StoreMoveProgress]>([])

        let plan = try StoreMove(from: source, to: target).plan()
        #expect(try contents(of: source) == before)
        #expect(try contents(of: target).isEmpty)
        let receipt = try StoreMove(from: source, to: target).run { step in
            steps.withValue { $0.append(step) }
        }

        #expect(receipt == plan)
        #expect(receipt.isComplete)
        #expect(receipt.moved.values.reduce(0, +) == before.count)
        #expect(try contents(of: target) == before)
        // The state of the legacy items remains in the source.
        #expect(try Set(contents(of: source).keys) == ["move legacy items"])
        let total = before.count * 2
        #expect(steps.withValue { $0.map(\.completed) } == Array(1...total))
        #expect(steps.withValue { $0.allSatisfy { $0.total == total } })
    }

    /// If the records have moved back to the legacy items, a later move between stores does not restore the state
    /// `moved`.
    ///
    /// The test simulates the move back by deleting the records of the later store.
    @Test(arguments: [false, true])
    func aMoveAfterAMoveBackDoesNotRestoreTheMovedState(_ movesBack: Bool) throws {
        let (first, later) = (MemoryCredentialStore(), MemoryCredentialStore())
        try first.write(fill)
        #expect(try first.read { try $0.move()?.state } == .moved)
        try StoreMove(from: first, to: later).run()
        try later.write { view in
            for kind in RecordKind.allCases { try view.remove(kind, where: .all) }
        }
        let (source, target) = movesBack ? (later, first) : (first, later)
        try StoreMove(from: source, to: target).run()
        #expect(try target.read { try $0.move() } == nil)
    }

    /// A record that an old process writes to the source after the move is moved by the next move.
    ///
    /// If the next move fails to move the record, the receipt reports this. The app still has to use the target,
    /// because the source no longer contains the accounts.
    @Test func aLateRecordThatCannotBeMovedIsReportedAndMovedLater() throws {
        let (source, later) = (MemoryCredentialStore(), MemoryCredentialStore())
        try source.write(fill)
        try StoreMove(from: source, to: later).run()
        try source.write { try $0.save(OathCredential.sample("late")) }
        let receipt = try StoreMove(from: source, to: FaultyStore(later, failingAt: 1)).run()
        #expect(receipt.remaining.map(\.kind) == ["record"])
        #expect(try StoreMove(from: source, to: later).run().isComplete)
        #expect(try later.read { try $0.oathCredential(id: "late") } != nil)
    }

    @Test(arguments: zip([StoreKind.memory, .keychain, .sqlite], [StoreKind.keychain, .sqlite, .memory]))
    func anInterruptionAtAnyOperationLosesNothing(_ from: StoreKind, _ to: StoreKind) throws {
        var limit = 1
        while true {
            let (source, target) = try stores(from, to)
            let before = try contents(of: source)
            let move = dyingMove(from: source, to: target, at: limit)
            let isDone = (try? move.run()) != nil
            let left = try contents(of: source)
            #expect(left == before || left.keys.allSatisfy { $0.hasPrefix("move") }, "operation \(limit)")
            if left != before { #expect(try contents(of: target) == before, "operation \(limit)") }

            // Until the move is complete, the app uses the source.
            var expected = before
            if left == before {
                try source.write { view in
                    try view.save(OathCredential.sample("hotp", movingFactor: .counter(9)))
                    try view.remove(.push, where: RecordQuery(id: "push"))
                }
                expected = try contents(of: source)
            }
            #expect(try StoreMove(from: source, to: target).run().isComplete)
            #expect(try contents(of: target) == expected, "operation \(limit)")
            if isDone { break }
            limit += 1
            try #require(limit < 400, "The move is not complete after 398 operations.")
        }
        #expect(limit > 10)
    }

    /// Records that an extension stores in the target during an interrupted move stay there.
    ///
    /// The extension of the new release already uses the target when the app's move is interrupted.
    @Test(arguments: zip([StoreKind.memory, .keychain, .sqlite], [StoreKind.keychain, .sqlite, .memory]))
    func recordsOfAnExtensionDuringAnInterruptedMoveStay(_ from: StoreKind, _ to: StoreKind) throws {
        var (limit, interruptions) = (1, 0)
        while true {
            let (source, target) = try stores(from, to)
            let before = try contents(of: source)
            let first = dyingMove(from: source, to: target, at: limit)
            let isDone = (try? first.run()) != nil
            let received = PushNotification.sample("received by the extension")
            let isCopied = try target.read { try $0.oathCredential(id: "hotp") != nil }
            try target.write { view in
                try view.save(received)
                if isCopied { try view.save(OathCredential.sample("hotp", movingFactor: .counter(50))) }
            }
            #expect(try StoreMove(from: source, to: target).run().isComplete, "operation \(limit)")
            let moved = try contents(of: target)
            #expect(moved.keys.filter { $0.hasSuffix(received.id) }.count == 1, "operation \(limit)")
            #expect(Set(before.keys).isSubset(of: moved.keys), "operation \(limit)")
            if isCopied {
                interruptions += 1
                let counter = try target.read { try $0.oathCredential(id: "hotp")?.counter }
                #expect(counter == 50, "operation \(limit)")
            }
            if isDone { break }
            limit += 1
            try #require(limit < 400, "The move is not complete after 398 operations.")
        }
        #expect(interruptions > 2)
    }

    /// A credential that the user removes from the source between two attempts to move stays removed.
    ///
    /// After the first attempt, an extension of the new release stores a push in the target.
    @Test(arguments: zip([StoreKind.memory, .keychain, .sqlite], [StoreKind.keychain, .sqlite, .memory]))
    func aCredentialRemovedBetweenTwoAttemptsStaysRemoved(_ from: StoreKind, _ to: StoreKind) throws {
        var interruptions = 0
        for limit in 1...400 {
            let (source, target) = try stores(from, to, hasMovedItems: !limit.isMultiple(of: 2))
            let first = dyingMove(from: source, to: target, at: limit)
            if (try? first.run()) != nil { break }
            guard try target.read({ try $0.oathCredential(id: "hotp") }) != nil,
                try source.read({ try $0.oathCredential(id: "hotp") }) != nil
            else { continue }
            interruptions += 1
            try target.write { try $0.save(PushNotification.sample("received by the extension")) }
            try source.write { _ = try $0.deleteCredential(OathCredential.self, id: "hotp") }
            #expect(try StoreMove(from: source, to: target).run().isComplete, "operation \(limit)")
            #expect(try target.read { try $0.oathCredential(id: "hotp") } == nil, "operation \(limit)")
            let count = try target.read { try $0.count(of: .notification, where: .all) }
            #expect(count == 2, "operation \(limit)")
        }
        #expect(interruptions > 2)
    }

    @Test(arguments: kinds)
    func recordsOfAnOldProcessAreMovedLater(_ kind: StoreKind) throws {
        let (source, target) = try stores(kind, kind)
        try StoreMove(from: source, to: target).run()
        let removed = RecordQuery(id: "push")
        try target.write { _ = try $0.remove(.push, where: removed) }
        try source.write { try $0.save(OathCredential.sample("late", account: .other)) }
        let receipt = try StoreMove(from: source, to: target).run()
        #expect(receipt.isComplete)
        #expect(receipt.moved["one-time-password credential"] == 1)
        #expect(try target.read { try $0.oathCredential(id: "late") } != nil)
        #expect(try target.read { try $0.pushCredential(id: "push") } == nil)
    }

    /// A late record that the user removes from the target stays removed.
    ///
    /// After the move, an old process writes two credentials to the source; one of them has a new account. The next
    /// move copies both, but is interrupted before it removes them from the source. Then the user removes the
    /// credential of the new account from the target. This credential and its account do not return.
    @Test(arguments: zip([StoreKind.memory, .keychain, .sqlite], [StoreKind.keychain, .sqlite, .memory]))
    func aLateRecordThatIsRemovedFromTheTargetStaysRemoved(_ from: StoreKind, _ to: StoreKind) throws {
        var interruptions = 0
        for limit in 1...400 {
            let (source, target) = try stores(from, to, hasMovedItems: !limit.isMultiple(of: 2))
            try StoreMove(from: source, to: target).run()
            try source.write { view in
                try view.put(AccountProfile(.other))
                try view.save(OathCredential.sample("late", account: .other))
                try view.save(OathCredential.sample("second"))
            }
            let receipt = try? dyingMove(from: source, to: target, at: limit).run()
            if receipt?.isComplete == true { break }
            let isCopied = try target.read { try $0.oathCredential(id: "late") != nil }
            if isCopied, try source.read({ try $0.oathCredential(id: "late") != nil }) {
                interruptions += 1
                try target.write { _ = try $0.deleteCredential(OathCredential.self, id: "late") }
            }
            let isRemoved = try isCopied && target.read { try $0.oathCredential(id: "late") == nil }
            let plan = try StoreMove(from: source, to: target).plan()
            #expect(try StoreMove(from: source, to: target).run() == plan, "operation \(limit)")
            #expect(plan.isComplete)
            let found = try target.read { view in
                (
                    try view.oathCredential(id: "late"), try view.account(.other),
                    try view.oathCredential(id: "second")
                )
            }
            #expect((found.0 == nil) == isRemoved, "operation \(limit)")
            #expect((found.1 == nil) == isRemoved, "operation \(limit)")
            #expect(found.2 != nil, "operation \(limit)")
            #expect(try source.read { try $0.count(of: .oath, where: .all) } == 0, "operation \(limit)")
        }
        #expect(interruptions > 2)
    }

    @Test(arguments: kinds)
    func aMoveDoesNotOverwriteRecordsOfTheTarget(_ kind: StoreKind) throws {
        let (source, target) = try stores(kind, kind)
        let other = try PushCredential.sample("push", secret: "another secret")
        try target.write { view in
            try view.save(other)
            try view.save(OathCredential.sample("hotp", movingFactor: .counter(7)))
            try view.save(
                PushDeviceToken(tokenId: "ff00", createdAt: Date(timeIntervalSince1970: 2_000_000_000))
            )
        }
        let receipt = try StoreMove(from: source, to: target).run()
        #expect(!receipt.isComplete)
        #expect(receipt.remaining.map(\.record) == ["push"])
        #expect(try source.read { try $0.pushCredential(id: "push") } != nil)
        #expect(try target.read { try $0.pushCredential(id: "push")?.sharedSecret } == other.sharedSecret)
        #expect(try target.read { try $0.oathCredential(id: "hotp")?.counter } == 7)
        #expect(try target.read { try $0.deviceToken()?.tokenId } == "ff00")
    }

    @Test func aMoveRetainsTheHigherCounter() throws {
        let (source, target) = (MemoryCredentialStore(), MemoryCredentialStore())
        try source.write { try $0.save(OathCredential.sample("hotp", movingFactor: .counter(5))) }
        try target.write { try $0.save(OathCredential.sample("hotp", movingFactor: .counter(2))) }
        #expect(try StoreMove(from: source, to: target).run().isComplete)
        #expect(try target.read { try $0.oathCredential(id: "hotp")?.counter } == 5)
    }

    @Test func aDamagedRecordStaysAndTheOthersMove() throws {
        let keychain = InMemoryKeychain()
        let source = KeychainCredentialStore(keychain: keychain)
        try source.write(fill)
        let name = KeychainItem.Name(service: KeychainServices().credentials, account: "push")
        try keychain.update(name, data: Data("{".utf8))
        let target = MemoryCredentialStore()
        let receipt = try StoreMove(from: source, to: target).run()
        #expect(receipt.remaining.map(\.record) == ["push"])
        #expect(try keychain.data(name) == Data("{".utf8))
        #expect(try target.read { try $0.oathCredential(id: "hotp") } != nil)
    }

    /// The copy that an interrupted move made of a record stays if the record then becomes unreadable in the source.
    @Test func theCopyOfARecordThatIsDamagedLaterStays() throws {
        var interruptions = 0
        for limit in 1...400 {
            let keychain = InMemoryKeychain()
            let source = KeychainCredentialStore(keychain: keychain)
            try source.write(fill)
            let target = MemoryCredentialStore()
            let move = dyingMove(from: source, to: target, at: limit)
            if (try? move.run()) != nil { break }
            guard try target.read({ try $0.pushCredential(id: "push") }) != nil,
                try source.read({ try $0.pushCredential(id: "push") }) != nil
            else { continue }
            interruptions += 1
            let name = KeychainItem.Name(service: KeychainServices().credentials, account: "push")
            try keychain.update(name, data: Data("{".utf8))
            try StoreMove(from: source, to: target).run()
            #expect(try target.read { try $0.pushCredential(id: "push") } != nil, "operation \(limit)")
        }
        #expect(interruptions > 0)
    }

    /// A credential that the user removes during an interrupted move back to the first store stays removed.
    @Test(arguments: kinds)
    func aCredentialThatIsRemovedDuringAMoveBackRemainsRemoved(_ kind: StoreKind) throws {
        var interruptions = 0
        for limit in 1...400 {
            // If the app had moved the legacy items, their state would remain in the first store.
            let (first, second) = try stores(kind, .memory, hasMovedItems: false)
            try StoreMove(from: first, to: second).run()
            let move = dyingMove(from: second, to: first, at: limit)
            if (try? move.run()) != nil { break }
            let id = RecordQuery(id: "push")
            if try second.read({ try $0.pushCredential(id: "push") }) != nil {
                interruptions += 1
                try second.write { _ = try $0.remove(.push, where: id) }
                #expect(try StoreMove(from: second, to: first).run().isComplete)
                #expect(try first.read { try $0.pushCredential(id: "push") } == nil, "operation \(limit)")
            }
        }
        #expect(interruptions > 0)
    }

    /// A store that kept a damaged record in a move is in use again after the records have moved back to it.
    ///
    /// Because of the damaged record, this store is not empty after the first move.
    @Test func aStoreThatKeptARecordBecomesTheStoreInUseAgain() throws {
        let keychain = InMemoryKeychain()
        let (first, second) = (KeychainCredentialStore(keychain: keychain), MemoryCredentialStore())
        try first.write(fill)
        let name = KeychainItem.Name(service: KeychainServices().credentials, account: "push")
        try keychain.update(name, data: Data("{".utf8))
        #expect(try StoreMove(from: first, to: second).run().remaining.map(\.record) == ["push"])
        try second.write { view in
            var move = try #require(try view.move())
            move.state = .movingBack
            try view.put(move)
            try view.save(OathCredential.sample("hotp", movingFactor: .counter(20)))
        }
        #expect(try StoreMove(from: second, to: first).run().isComplete)
        #expect(try first.read { try $0.hasMovedAway } == false)
        #expect(try first.read { try $0.move()?.state } == .movingBack)
        #expect(try first.read { try $0.oathCredential(id: "hotp")?.counter } == 20)
        #expect(try keychain.data(name) == Data("{".utf8))
        // A later move that fails must not be reported as done.
        let full = FaultyStore(MemoryCredentialStore(), failingAt: 1)
        #expect(throws: (any Error).self) { try StoreMove(from: first, to: full).run() }
    }

    @Test func aMoveToALockedTargetChangesNothing() throws {
        let keychain = InMemoryKeychain()
        let source = MemoryCredentialStore()
        try source.write(fill)
        let before = try contents(of: source)
        keychain.isLocked = true
        let move = StoreMove(from: source, to: KeychainCredentialStore(keychain: keychain))
        #expect(throws: StoreError.self) { try move.run() }
        #expect(try contents(of: source) == before)
        keychain.isLocked = false
        #expect(try move.run().isComplete)
    }

    @Test func aStoreIsNotMovedIntoItself() throws {
        let keychain = InMemoryKeychain()
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path("store.sqlite"), InMemorySealingKey())
        let file = try SQLiteCredentialStore(path: path, key: key, mode: .create)
        let memory = MemoryCredentialStore()
        let pairs: [(any CredentialStore, any CredentialStore)] = [
            (memory, memory),
            (file, try SQLiteCredentialStore(path: path, key: key, mode: .open)),
            (KeychainCredentialStore(keychain: keychain), KeychainCredentialStore(keychain: keychain)),
            (
                KeychainCredentialStore(keychain: keychain, accessGroup: "shared"),
                KeychainCredentialStore(keychain: keychain, accessGroup: "shared")
            ),
        ]
        for (source, target) in pairs {
            try source.write(fill)
            let before = try contents(of: source)
            let error = #expect(throws: StoreError.self) { try StoreMove(from: source, to: target).run() }
            #expect(error?.reason == "The source and the target of the move are the same store.")
            #expect(try contents(of: source) == before)
        }
    }

    /// Names and locks of an account move with its credentials.
    ///
    /// Only in a keychain does each credential contain a copy of its account's data.
    @Test(arguments: kinds, kinds)
    func namesAndLocksOfAnAccountMoveWithItsCredentials(_ from: StoreKind, _ to: StoreKind) throws {
        let (source, target) = try stores(from, to)
        let key = try OathCredential.sample("hotp").account.key
        try source.write { view in
            var account = try #require(try view.account(key))
            account.customDisplayAccountName = "My name"
            try view.save(account)
            _ = try view.setLock(of: key, by: "aPolicy")
        }
        let before = try source.read { view in
            (try view.oathCredential(id: "hotp")?.account, try view.pushCredential(id: "push")?.account)
        }
        try StoreMove(from: source, to: target).run()
        try target.write { view in
            let credential = try #require(try view.oathCredential(id: "hotp"))
            #expect(credential.account == before.0)
            #expect(credential.isLocked && credential.account.customDisplayAccountName == "My name")
            #expect(try view.pushCredential(id: "push")?.account == before.1)
            try view.save(credential)
            #expect(try view.account(key)?.customDisplayAccountName == "My name")
            #expect(try view.account(key)?.isLocked == true)
        }
    }

    /// A name and a lock that the successor SDK stored in a credential move with the credential.
    ///
    /// The successor SDK stores names and locks only in its credentials.
    @Test(arguments: kinds)
    func changesThatTheSuccessorSDKMadeInACredentialMove(_ to: StoreKind) throws {
        let (source, target) = try stores(.keychain, to)
        try source.write { view in
            var credential = try #require(try view.oathCredential(id: "hotp"))
            credential.account.customDisplayAccountName = "My name"
            credential.lockCredential(policyName: "aPolicy")
            try view.put(credential)
        }
        try StoreMove(from: source, to: target).run()
        let credential = try #require(try target.read { try $0.oathCredential(id: "hotp") })
        #expect(credential.isLocked && credential.account.customDisplayAccountName == "My name")
        let account = try #require(try target.read { try $0.account(credential.account.key) })
        // Between two keychains, records do not change.
        #expect(account.customDisplayAccountName == (to == .keychain ? "text" : "My name"))
    }

    /// The credentials of an unreadable account move as locked, because the account may be locked.
    @Test func theCredentialsOfAnUnreadableAccountMoveLocked() throws {
        let (keychain, target) = (InMemoryKeychain(), MemoryCredentialStore())
        let source = KeychainCredentialStore(keychain: keychain)
        var unlocked = try PushCredential.sample("push", account: .other)
        unlocked.account.customDisplayAccountName = "My name"
        try source.write { [unlocked] in try $0.save(unlocked) }
        #expect(try source.read { try $0.pushCredential(id: "push")?.isLocked } == false)
        let service = KeychainServices().accounts
        for name in try keychain.names(service: service, accessGroup: nil) {
            try keychain.update(name, data: Data("damaged".utf8))
        }
        let receipt = try StoreMove(from: source, to: target).run()
        #expect(!receipt.isComplete)
        let credential = try target.read { try $0.pushCredential(id: "push") }
        #expect(credential?.lockingPolicy == AccountProfile.unreadableRecord)
    }

    /// A move between two groups of one keychain does not remove the copies.
    ///
    /// In the keychain, a query without a group matches the items of all groups. A removal without a group would
    /// therefore also remove the copies.
    @Test func aMoveBetweenGroupsOfOneKeychainDoesNotRemoveTheCopies() throws {
        let keychain = InMemoryKeychain()
        let app = KeychainCredentialStore(keychain: keychain)
        let shared = KeychainCredentialStore(keychain: keychain, accessGroup: "shared")
        try app.write(fill)
        let before = try contents(of: app)
        #expect(try StoreMove(from: app, to: shared).run().isComplete)
        #expect(try contents(of: shared) == before)
        let names = try keychain.names(service: KeychainServices().credentials, accessGroup: nil)
        #expect(names.map(\.accessGroup) == ["shared"])
        // A process that uses the old store reads the moved records and changes them in their new group.
        #expect(try app.read { try $0.pushCredential(id: "push") } != nil)
        try app.write { try $0.save(OathCredential.sample("hotp", movingFactor: .counter(11))) }
        #expect(try StoreMove(from: app, to: shared).run().isComplete)
        #expect(try shared.read { try $0.oathCredential(id: "hotp")?.counter } == 11)

        // The records move back to the app's own group.
        #expect(try StoreMove(from: shared, to: app).run().isComplete)
        #expect(try keychain.names(service: KeychainServices().credentials, accessGroup: "shared").isEmpty)
        #expect(try app.read { try $0.oathCredential(id: "hotp")?.counter } == 11)
    }

    /// A locked item of one keychain group prevents the move of all groups.
    ///
    /// An app that uses the source after the error still shows the accounts of all groups.
    @Test(arguments: ["push", "second"])
    func aLockedItemOfOneGroupMovesNoGroup(_ locked: String) throws {
        let keychain = UnreliableKeychain(InMemoryKeychain())
        let app = KeychainCredentialStore(keychain: keychain)
        try app.write(fill)
        try KeychainCredentialStore(keychain: keychain, accessGroup: "other").write { view in
            try view.save(PushCredential.sample("second", account: .other))
        }
        let (before, target) = (try contents(of: app), MemoryCredentialStore())
        keychain.refuse(locked, with: -25308)
        let error = #expect(throws: StoreError.self) { try StoreMove(from: app, to: target).run() }
        #expect(error?.code == .locked)
        keychain.refuse(locked, with: nil)
        #expect(try contents(of: app) == before)
        #expect(try StoreMove(from: app, to: target).run().isComplete)
        #expect(try contents(of: target) == before)
    }

    @Test func aMoveRetainsTheAccessibilityClassOfEachItem() throws {
        let (one, two) = (InMemoryKeychain(), InMemoryKeychain())
        let (source, target) = (
            KeychainCredentialStore(keychain: one), KeychainCredentialStore(keychain: two)
        )
        try source.write { view in
            view.useAccessibility(.whenUnlockedThisDeviceOnly)
            try view.save(PushCredential.sample("push"))
            view.useAccessibility(nil)
            try view.save(PushCredential.sample("other", account: .other))
        }
        try StoreMove(from: source, to: target).run()
        func accessibility(_ id: String) throws -> KeychainAccessibility? {
            try two.accessibility(of: KeychainItem.Name(service: KeychainServices().credentials, account: id))
        }
        #expect(try accessibility("push") == .whenUnlockedThisDeviceOnly)
        #expect(try accessibility("other") == .afterFirstUnlock)
    }

    // MARK: - Support

    /// Returns a source with records, and an empty target.
    ///
    /// If `hasMovedItems` is false, the source does not contain the state of the legacy items.
    private func stores(
        _ from: StoreKind,
        _ to: StoreKind,
        hasMovedItems: Bool = true
    ) throws -> (source: StoreUnderTest, target: StoreUnderTest) {
        let (source, target) = (try from.makeStore(), try to.makeStore())
        try source.write(fill)
        if !hasMovedItems { try source.write { _ = try $0.remove(.move, where: .all) } }
        return (source, target)
    }

    /// Returns a move by a process that dies at the given operation on either store.
    private func dyingMove(
        from source: any CredentialStore,
        to target: any CredentialStore,
        at operation: Int
    ) -> StoreMove {
        let process = FaultyStore(MemoryCredentialStore(), failingAt: operation)
        return StoreMove(from: Dying(source, process), to: Dying(target, process))
    }

    private func fill(_ view: any CredentialWriting) throws {
        try view.save(PushCredential.sample("push").filled())
        try view.save(OathCredential.sample("hotp", movingFactor: .counter(3)))
        try view.save(PushNotification.sample().filled())
        try view.save(PushDeviceToken(tokenId: "00ff", createdAt: Date(timeIntervalSince1970: 1_700_000_000)))
        try view.record(.sample("kept", .kept, verbatim: .sample()))
        try view.put(LegacyMove(.moved, beganAt: Date(timeIntervalSince1970: 1_700_000_000)))
        try view.put(Tombstone(.push, id: "gone", since: Date(timeIntervalSince1970: 1_700_000_000)))
    }

    /// Returns all records except import marks as text, by kind and id.
    ///
    /// The text of each credential contains the data of its account, because only some stores copy this data into the
    /// credential's record.
    private func contents(of store: any CredentialStore) throws -> [String: String] {
        try store.read { view in
            var contents: [String: String] = [:]
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            for kind in RecordKind.allCases where kind != .importMark {
                let unreadable = try view.forEach(kind, where: .all) { record in
                    let text = String(decoding: try encoder.encode(record), as: UTF8.self)
                    contents["\(kind) \(record.recordIndex.id)"] = text
                }
                #expect(unreadable.isEmpty)
            }
            let credentials: [any CredentialRecord] =
                try view.pushCredentials().values + view.credentials(OathCredential.self, where: .all).values
            for credential in credentials {
                let text = String(decoding: try encoder.encode(credential), as: UTF8.self)
                contents["\(credential.recordKind) \(credential.recordIndex.id)"] = text
            }
            return contents
        }
    }
}

/// A store of a process that dies at a given operation.
///
/// All stores of the process count their operations together.
private final class Dying: WrappingStore {
    let store: any CredentialStore
    private let process: FaultyStore

    init(_ store: any CredentialStore, _ process: FaultyStore) {
        (self.store, self.process) = (store, process)
    }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try process.spend()
        return try store.read { try body($0) }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try process.spend()
        let process = process
        let value = try store.write { view in
            try view.collecting(
                admitting: { _ in
                    try process.spend()
                    return true
                },
                body
            )
        }
        // The process may also die after the commit.
        try process.spend()
        return value
    }
}
