import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A store whose disk is full after a number of write transactions.
private final class FullDisk: WrappingStore {
    let store: any CredentialStore
    private let left: Lock<Int>

    init(_ store: any CredentialStore, after writes: Int) {
        self.store = store
        left = Lock(writes)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let isLeft = left.withValue { left in
            left -= 1
            return left >= 0
        }
        guard isLeft else { throw StoreError(.full, reason: "The disk is full.") }
        return try store.write(body)
    }
}

/// The move of the records from the legacy SDK's items into the store.
///
/// The tests also check which accounts the app shows during the move.
@Suite("Move of the legacy items into the store", .serialized)
struct PlacingTests {
    private let keychain = InMemoryKeychain()
    private let migration = FRAMigration()

    /// Returns the process of an app, with its store and the keychain.
    private func process(_ store: any CredentialStore, _ mode: FRAMigration.Mode? = nil) -> Process {
        let migration = FRAMigration()
        let dying = (store as? FaultyStore).map { DyingKeychain(keychain, dyingWith: $0) }
        migration.source = .keychain(dying ?? keychain)
        if let mode { migration.mode = mode }
        var configuration = Authenticator.Configuration()
        configuration.store = { store }
        configuration.transport = FakeTransport()
        configuration.deviceName = { "Phone" }
        configuration.migration = migration
        let authenticator = Authenticator(configuration)
        return Process(migration: migration, authenticator: authenticator, client: FRAClient(authenticator))
    }

    private struct Process {
        let migration: FRAMigration
        let authenticator: Authenticator
        let client: FRAClient

        /// Starts the migration as `FRAClient.start()` does.
        func start() -> Process {
            migration.runIfDue(on: authenticator)
            return self
        }

        /// Starts the migration and waits for the gate's answer and for the migration's end.
        func startAndWait() async { await migration.runIfDue(on: authenticator)?.value }

        var accounts: [String] { client.getAllAccounts().map(\.identifier).sorted() }

        var isInPlace: Bool { (try? authenticator.isInPlace) == true }
    }

    private static let accounts = [
        "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "ForgeRock-demo",
    ]

    private var legacyItems: [KeychainItem] {
        get throws {
            try LegacyService.allCases.flatMap { try keychain.items(service: $0.rawValue, accessGroup: nil) }
        }
    }

    @Test func theDefaultModeMovesNothing() throws {
        try keychain.install()
        let before = try legacyItems
        let store = MemoryCredentialStore()
        let app = process(store).start()
        guard case .inPlace = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of inPlace.")
            return
        }
        #expect(app.accounts == Self.accounts)
        #expect(try legacyItems == before)
        #expect(
            try store.read { try $0.count(of: .push, where: .all) + $0.count(of: .ledger, where: .all) } == 0
        )
    }

    @Test func aRequestedMoveRemainsAfterARestart() throws {
        try keychain.install()
        let before = try legacyItems
        let store = MemoryCredentialStore()
        let app = process(store).start()
        let shown = try #require(app.client.getAccount(identifier: "Acme Bank-bob"))
        guard case .done(let receipt) = app.migration.run(on: app.authenticator) else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of done.")
            return
        }
        #expect(receipt.isComplete)
        #expect(receipt.records.count == 14)
        #expect(!app.isInPlace)
        #expect(app.accounts == Self.accounts)
        // An object that was returned before the move still works.
        let hotp = try #require(shown.mechanisms.first as? HOTPMechanism)
        _ = try hotp.generateCode()
        #expect(try legacyItems == before)
        let next = process(store).start()
        #expect(!next.isInPlace)
        #expect(next.accounts == Self.accounts)
        guard case .nothingToDo = next.migration.outcome else {
            Issue.record("The migration's outcome is \(next.migration.outcome) instead of nothingToDo.")
            return
        }
    }

    @Test func changesMadeInPlaceAreImportedIntoTheStore() async throws {
        try keychain.install()
        let store = MemoryCredentialStore()
        var app = process(store).start()
        let bob = try #require(app.client.getAccount(identifier: "Acme Bank-bob"))
        let hotp = try #require(bob.mechanisms.first as? HOTPMechanism)
        for _ in 0..<3 { _ = try hotp.generateCode() }
        bob.displayAccountName = "Robert"
        #expect(try app.client.updateAccount(account: bob))
        let demo = try #require(app.client.getAccount(identifier: "ForgeRock-demo"))
        #expect(app.client.removeAccount(account: demo))
        app = process(store, .atOnce).start()
        #expect(!app.isInPlace)
        #expect(app.accounts == Array(Self.accounts.dropLast()))
        let moved = try #require(app.client.getAccount(identifier: "Acme Bank-bob"))
        #expect(moved.displayAccountName == "Robert")
        #expect((moved.mechanisms.first as? HOTPMechanism)?.counter == hotp.counter)
    }

    @Test func aMoveThatIsKilledAnywhereLosesNothingAndBringsNothingBack() throws {
        try keychain.install()
        // Counts the operations of a complete move.
        let counted = FaultyStore(MemoryCredentialStore(), failingAt: .max)
        #expect(!process(counted, .atOnce).start().isInPlace)
        for limit in 1...counted.operations {
            let phone = PlacingTests()
            try phone.keychain.install()
            let store = MemoryCredentialStore()
            _ = phone.process(FaultyStore(store, failingAt: limit), .atOnce).start()
            // The user removes one account and changes another account before the next attempt.
            var app = phone.process(store).start()
            if app.isInPlace {
                #expect(app.accounts == Self.accounts, "killed at operation \(limit)")
            }
            let demo = try #require(app.client.getAccount(identifier: "ForgeRock-demo"))
            #expect(app.client.removeAccount(account: demo))
            let bob = try #require(app.client.getAccount(identifier: "Acme Bank-bob"))
            let hotp = try #require(bob.mechanisms.first as? HOTPMechanism)
            _ = try hotp.generateCode()
            app = phone.process(store, .atOnce).start()
            #expect(!app.isInPlace, "killed at operation \(limit)")
            #expect(app.accounts == Array(Self.accounts.dropLast()), "killed at operation \(limit)")
            let counter =
                app.client.getAccount(identifier: "Acme Bank-bob")?.mechanisms.first as? HOTPMechanism
            #expect(counter?.counter == hotp.counter, "killed at operation \(limit)")
        }
    }

    @Test func aStoreThatFailsLeavesTheAccountsInPlace() throws {
        try keychain.install()
        let app = process(FullDisk(MemoryCredentialStore(), after: 1), .atOnce).start()
        guard case .failed = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of failed.")
            return
        }
        #expect(app.isInPlace)
        #expect(app.accounts == Self.accounts)
    }

    @Test func anAccountAddedByThePreviousReleaseAfterTheMoveIsImported() async throws {
        try keychain.install()
        let store = MemoryCredentialStore()
        #expect(!process(store, .atOnce).start().isInPlace)
        try await ClientFixture(storage: SDKKeychain(keychain)).enrol("late")
        let app = process(store).start()
        #expect(app.accounts == (Self.accounts + ["Example-late"]).sorted())
    }

    @Test func aMoveBackWritesTheChangesMadeSinceTheMove() async throws {
        try keychain.install()
        let store = MemoryCredentialStore()
        var app = process(store, .atOnce).start()
        let bob = try #require(app.client.getAccount(identifier: "Acme Bank-bob"))
        let hotp = try #require(bob.mechanisms.first as? HOTPMechanism)
        for _ in 0..<4 { _ = try hotp.generateCode() }
        let demo = try #require(app.client.getAccount(identifier: "ForgeRock-demo"))
        #expect(app.client.removeAccount(account: demo))
        let fixture = try ClientFixture(store)
        try await fixture.enrol("late")
        let shown = fixture.shown
        _ = try app.migration.moveBack(on: app.authenticator)
        #expect(app.isInPlace)
        #expect(
            try store.read { try $0.count(of: .push, where: .all) + $0.count(of: .ledger, where: .all) } == 0
        )
        #expect(try ClientFixture(storage: SDKKeychain(keychain)).shown.dropLast() == shown.dropLast())
        app = process(store).start()
        #expect(app.isInPlace)
        #expect(
            app.accounts == [
                "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "Example-late",
            ]
        )
        // The app moves forward again.
        app = process(store, .atOnce).start()
        #expect(
            app.accounts == [
                "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "Example-late",
            ]
        )
        #expect(try ClientFixture(store).shown.dropLast() == shown.dropLast())
    }

    /// Releases of three kinds follow one another in any order, and no record is lost or duplicated.
    ///
    /// The kinds are: a release that works in place, a release with the legacy SDK, and a release that moves the
    /// records into the store and later moves them back.
    @Test(arguments: 1...30)
    func releasesThatMoveAndMoveBackNeitherLoseNorDuplicateRecords(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let beside = try ClientFixture(.memory)
        try await beside.setTokenAndUpdateServers([0xAB])
        let store = MemoryCredentialStore()
        try await ClientFixture(storage: SDKKeychain(keychain)).setTokenAndUpdateServers([0xAB])
        var step = 0
        for _ in 0..<5 {
            let release = random.below(3)
            let app = process(store, release == 2 ? .atOnce : nil)
            let fixture: ClientFixture
            switch release {
            case 0: fixture = try ClientFixture(storage: SDKKeychain(keychain))
            case 1:
                fixture = try ClientFixture(LegacyItemStore(LegacyKeychain(keychain)))
            default:
                #expect(!app.start().isInPlace)
                fixture = try ClientFixture(store)
            }
            for fixture in [fixture, beside] { try fixture.unlockAll() }
            for _ in 0..<(1 + random.below(6)) {
                let operation = (random.below(9), random.below(3), random.below(5))
                try await fixture.perform(operation, step)
                try await beside.perform(operation, step)
                step += 1
            }
            let (denied, locked) = (random.below(4), random.below(4))
            for fixture in [fixture, beside] {
                await fixture.denyPending(denied)
                try fixture.lock("Example-user\(locked)")
            }
            if release == 2 {
                #expect(fixture.shown == beside.shown, "moved, after \(step) steps")
                _ = try app.migration.moveBack(on: app.authenticator)
            }
            #expect(
                try ClientFixture(storage: SDKKeychain(keychain)).shown == beside.shown,
                "after \(step) steps"
            )
        }
        // At the end, the records are moved, and they are not moved back.
        #expect(!process(store, .atOnce).start().isInPlace)
        #expect(try ClientFixture(store).shown == beside.shown)
    }

    @Test func goingBackIsRefusedWhereTwoAccountsHaveOneKey() async throws {
        let store = MemoryCredentialStore()
        let app = process(store, .atOnce).start()
        let fixture = try ClientFixture(store)
        _ = try await fixture.create("otpauth://totp/A-B:C?secret=JBSWY3DPEHPK3PXP&issuer=A-B")
        _ = try await fixture.create("otpauth://totp/A:B-C?secret=JBSWY3DPEHPK3PXQ&issuer=A")
        let error = #expect(throws: StoreError.self) { try app.migration.moveBack(on: app.authenticator) }
        #expect(error?.code == .notWritable)
        #expect(try legacyItems.isEmpty)
        #expect(app.accounts.count == 2)
    }

    /// Two pushes with the same date are moved back as separate items, although they have the same legacy key.
    ///
    /// Two processes each receive a push in the same millisecond.
    @Test func notificationsWithTheSameDateAreMovedBackAsSeparateItems() throws {
        try keychain.install()
        let store = MemoryCredentialStore()
        let app = process(store, .atOnce).start()
        let claim = AnswerClaim(id: "claim", expiresAt: Date(timeIntervalSince1970: 1_700_000_000))
        let (before, first) = try store.write { view in
            let before = try view.fetch(PushNotification.self).values
            let first = try #require(before.first { $0.pending })
            let message = PushMessage(id: "message-of-another-process", challenge: first.challenge ?? "")
            var second = PushNotification(
                message: message,
                mechanismUUID: first.credentialId,
                ttl: first.timeToLive,
                timeAdded: first.orderedAt
            )
            second.id = "second"
            second.answerClaim = claim
            try view.put(second)
            return (before.count, first)
        }
        _ = try app.migration.moveBack(on: app.authenticator)
        let shown = app.client.getAllNotifications().map(\.identifier)
        #expect(shown.count == before + 1)
        #expect(Set(shown).count == before + 1)
        let next = process(store, .atOnce).start()
        #expect(!next.isInPlace)
        let moved = try store.read { try $0.fetch(PushNotification.self).values }
        #expect(moved.count == before + 1)
        let second = try #require(moved.first { $0.messageId == "message-of-another-process" })
        #expect(second.answerClaim == claim)
        #expect(second.orderedAt > first.orderedAt)
        #expect(second.orderedAt.timeIntervalSince(first.orderedAt) < 0.01)
    }

    /// An answered push that arrives again after a move back keeps its answer.
    ///
    /// The store contains two answered pushes with the same date, and the move back changes the date of one of them.
    /// The push with the unchanged date is removed. Then the other push arrives again.
    @Test func aPushThatArrivesAgainAfterAMoveBackKeepsItsAnswer() async throws {
        let store = MemoryCredentialStore()
        let app = process(store, .atOnce).start()
        let moved = try ClientFixture(store)
        let mechanism = try await moved.enrol()
        let time = Int(Date().timeIntervalSince1970 * 1000)
        let claims: JSONValue = ["i": .string("\(time)")]
        for message in ["first", "second"] {
            let push = try #require(try moved.deliver(claims, to: mechanism, messageId: message))
            #expect(await outcome { push.deny(onSuccess: $0, onError: $1) }.error == nil)
        }
        _ = try app.migration.moveBack(on: app.authenticator)
        let inPlace = try ClientFixture(LegacyItemStore(LegacyKeychain(keychain)))
        let usualId = "\(mechanism.mechanismUUID)-\(time)"
        let unchanged = try #require(inPlace.client.getNotification(identifier: usualId))
        #expect(inPlace.client.removeNotification(notification: unchanged))
        let changed = try #require(inPlace.client.getAllNotifications().first)
        let again = try #require(try inPlace.deliver(claims, to: mechanism, messageId: changed.messageId))
        #expect(again.isDenied)
        #expect(inPlace.client.getAllNotifications().map(\.identifier) == [changed.identifier])
    }

    @Test func aMoveBackKilledAtAnyOperationLosesNothing() async throws {
        var limit = 0
        while true {
            limit += 1
            let phone = PlacingTests()
            try phone.keychain.install()
            let store = MemoryCredentialStore()
            #expect(!phone.process(store, .atOnce).start().isInPlace)
            let app = phone.process(FaultyStore(store, failingAt: limit)).start()
            let isDone = (try? app.migration.moveBack(on: app.authenticator)) != nil
            let next = phone.process(store).start()
            #expect(next.accounts == Self.accounts, "killed at operation \(limit)")
            #expect(try phone.legacyItems.count == 14)
            _ = try next.migration.moveBack(on: next.authenticator)
            #expect(
                try ClientFixture(storage: SDKKeychain(phone.keychain)).client.getAllAccounts().count == 4
            )
            if isDone { break }
        }
        #expect(limit > 5)
    }

    @Test func theDefaultModeIsAtOnceIfTheAppSetsAStore() {
        #expect(!isAtOnce(migration.mode))
        migration.recordOwnStore()
        #expect(isAtOnce(migration.mode))
        migration.mode = .inPlace
        #expect(!isAtOnce(migration.mode))
    }

    private func isAtOnce(_ mode: FRAMigration.Mode) -> Bool {
        if case .atOnce = mode { true } else { false }
    }

    @Test(arguments: MigrationGate.Answer.allCases)
    func theGateDecidesWhetherItemsMove(_ answer: MigrationGate.Answer) async throws {
        try keychain.install()
        let store = MemoryCredentialStore()
        let asked = Lock<[MigrationGate.Step]>([])
        let gate = MigrationGate { step in
            asked.withValue { $0.append(step) }
            return answer
        }
        let app = process(store, .gated(gate))
        await app.startAndWait()
        #expect(asked.withValue { $0 } == [.apply])
        #expect(app.isInPlace == ![.go, .retry].contains(answer))
        #expect(app.accounts == Self.accounts)
    }

    @Test(arguments: [MigrationGate.Answer.go, .wait])
    func theGateDecidesWhetherAnotherSourceIsImported(_ answer: MigrationGate.Answer) async throws {
        let asked = Lock(0)
        let app = process(
            MemoryCredentialStore(),
            .gated(
                MigrationGate { _ in
                    asked.withValue { $0 += 1 }
                    return answer
                }
            )
        )
        app.migration.source = .store(try LegacyFile.open(LegacyFixtures.url("everyday.jsonl")))
        await app.startAndWait()
        #expect(asked.withValue { $0 } == 1)
        #expect(app.accounts == (answer == .go ? Self.accounts : []))
    }

    @Test func aGatedModeWithoutItsOwnGateQueriesTheRollOut() async throws {
        try keychain.install()
        let asked = Lock<[MigrationGate.Step]>([])
        let app = process(MemoryCredentialStore(), .gated())
        app.migration.rollout = MigrationRollout(
            KeychainRolloutStorage(InMemoryKeychain()),
            gate: MigrationGate { step in
                asked.withValue { $0.append(step) }
                return .off
            }
        )
        await app.startAndWait()
        #expect(asked.withValue { $0 } == [.apply])
        #expect(app.isInPlace)
    }

    @Test func theLastAnswerAppliesIfAGateDoesNotAnswer() async {
        let answers = Lock<[MigrationGate.Answer]>([.off])
        let gate = MigrationGate(timeout: .milliseconds(20)) { _ in
            if let answer = answers.withValue({ $0.popLast() }) { return answer }
            do { try await Task.sleep(for: .seconds(600)) } catch {}
            return .go
        }
        #expect(await gate.answer(to: .apply) == .off)
        #expect(await gate.answer(to: .apply) == .off)
        #expect(await gate.answer(to: .retire) == .wait)
    }
}
