import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// The two steps that change no record: the rehearsal before a migration, and the comparison after it.
@Suite("Rehearsal and comparison")
struct RehearsalTests {
    private let storage = MemoryRolloutStorage()
    private let events = Lock<[MigrationEvent]>([])

    private func rollout(app: String = "4.1 (312)", gate: MigrationGate? = nil) -> MigrationRollout {
        MigrationRollout(
            storage,
            gate: gate,
            versions: MigrationVersions(app: app, system: "iOS 26.1.0"),
            clock: { Date(timeIntervalSince1970: 1_795_564_800) },
            report: { [events] event in events.withValue { $0.append(event) } }
        )
    }

    /// Returns a keychain with two damaged records, and an account that has one credential of each kind and a push.
    private func phone() throws -> CountingKeychain {
        let keychain = CountingKeychain()
        var builder = LegacyStoreBuilder()
        builder.account()
        try builder.push()
        try builder.hotp()
        try builder.totp()
        builder.notification()
        builder.damaged("Bank-bob-push")
        builder.damaged("Bank-carol-push")
        for item in builder.items {
            try keychain.add(KeychainItem(name(item), data: item.payload.archived))
        }
        return keychain
    }

    private func name(_ item: LegacyItem) -> KeychainItem.Name {
        KeychainItem.Name(service: item.service.rawValue, account: item.key)
    }

    private func migration(_ keychain: CountingKeychain, to store: any CredentialStore) -> CredentialMigration
    {
        CredentialMigration(from: .keychain(keychain), to: store)
    }

    @Test func aRehearsalChangesNeitherTheItemsNorTheStore() async throws {
        let (keychain, destination) = (try phone(), CountingKeychain())
        let opened = RecordPlace(
            of: .keychain(keychain),
            to: { KeychainCredentialStore(keychain: destination) }
        )
        let place = try #require(opened)
        let before = keychain.changes
        let (step, migration) = try #require(try place.check())
        #expect(step == .rehearse)
        guard case .done(let receipt?) = try await rollout().rehearse(migration) else {
            Issue.record("The rehearsal has no receipt.")
            return
        }
        #expect(keychain.changes == before)
        #expect(destination.changes == 0)
        #expect(try place.state() == .inPlace)
        #expect(receipt.totals[.migrated] == 5)
        #expect(receipt.totals[.damaged] == 2)
        let event = try #require(events.withValue { $0.first })
        #expect(events.withValue { $0.count } == 1)
        #expect(event.step == .rehearse)
        #expect(event.outcome == .partial)
        #expect(event.source == .keychain)
        #expect(event.counts.filter(\.proven).map(\.count).reduce(0, +) == 5)
        #expect(event.reasons == [MigrationEvent.Reason(code: .damaged, count: 2)])
    }

    /// A rehearsal and the migration have the same counts, even if the destination already contains some of
    /// the records.
    @Test(arguments: 0..<4)
    func aRehearsalAndTheMigrationHaveTheSameCounts(_ part: Int) throws {
        let parts = 4
        for round in Sweep.rounds("Rehearsals", part: part, of: parts, standard: 100) {
            let seed = UInt64(round * parts + part)
            let store = MemoryCredentialStore()
            if seed % 3 == 0 {
                let earlier = RandomLegacyStore(seed: seed, records: 10).source
                _ = try CredentialMigration(from: .store(earlier), to: store).migrate()
            }
            let source = RandomLegacyStore(seed: seed).source
            // Records with equal ids are in one batch or in several, depending on the batch size.
            let options = MigrationOptions(batchSize: [1, 5, 100][round % 3])
            let migration = CredentialMigration(from: .store(source), to: store, options: options)
            let before = try Snapshot(store)
            let rehearsed = try migration.rehearse()
            #expect(try Snapshot(store) == before, "seed \(seed)")
            let migrated = try migration.migrateNew()
            #expect(rehearsed == migrated, "seed \(seed)")
        }
    }

    /// A rehearsal has the secrets of at most one batch in memory.
    ///
    /// The last ten records have the ids of the first ten push credentials, but half of them have a different secret.
    @Test func onlyOneBatchOfSecretsIsInMemory() throws {
        var builder = LegacyStoreBuilder()
        for number in 0..<60 {
            try builder.push("push-\(number)", secret: secret(number))
            try builder.totp("totp-\(number)")
        }
        for number in 0..<10 {
            try builder.push("push-\(number)", secret: secret(number % 2 * 1000 + number))
        }
        let destination = ReadsStore()
        try destination.write { view in
            for number in 0..<50 {
                let account = AccountProfile(issuer: "Other", accountName: "\(number)")
                try view.save(account)
                try view.put(credential("other-\(number)", of: account, secret: secret(5000 + number)))
            }
        }
        let options = MigrationOptions(batchSize: 8)
        let migration = CredentialMigration(from: .store(builder.source), to: destination, options: options)
        let memory = RehearsalStore(over: destination)
        let (batches, most) = (Lock(0), Lock(0))
        // The rehearsal reads the destination at the start of each transaction, so the secrets are counted at
        // that time.
        destination.willRead = { most.withValue { $0 = max($0, secrets(in: memory)) } }
        let rehearsed = try migration.rehearse(in: memory) {
            #expect(secrets(in: memory) == 0)
            batches.withValue { $0 += 1 }
            return true
        }
        destination.willRead = {}
        #expect(batches.withValue(\.self) > 130 / 8)
        #expect((1...8).contains(most.withValue(\.self)))
        // The rehearsal keeps none of the destination's own credentials in memory.
        #expect(memory.written.stored(PushCredential.self).allSatisfy { !$0.id.hasPrefix("other-") })
        let outcomes = rehearsed?.records.suffix(10).map(\.result.outcome)
        #expect(outcomes == (0..<10).map { $0.isMultiple(of: 2) ? .alreadyPresent : .conflict })
        #expect(try migration.migrateNew() == rehearsed)
    }

    /// A rehearsal distinguishes a secret from the same secret with a zero at its end.
    ///
    /// Both secrets make the same signatures, because HMAC pads a key with zeros.
    @Test func aSecretWithAZeroAtItsEndIsAnotherSecret() throws {
        var builder = LegacyStoreBuilder()
        let key = Data("a secret".utf8)
        try builder.push("push", secret: key.base64EncodedString())
        try builder.push("push", secret: (key + [0]).base64EncodedString())
        let migration = CredentialMigration(
            from: .store(builder.source),
            to: MemoryCredentialStore(),
            options: MigrationOptions(batchSize: 1)
        )
        let rehearsed = try migration.rehearse(while: { true })
        #expect(rehearsed?.records.suffix(2).map(\.result.outcome) == [.migrated, .conflict])
        #expect(try migration.migrateNew() == rehearsed)
    }

    /// If notifications precede their credential, a rehearsal stores them at the end, and can be stopped even then.
    @Test func aRehearsalCanBeStoppedWhileItStoresTheNotifications() throws {
        var builder = LegacyStoreBuilder()
        for number in 0..<5 { builder.notification("message \(number)") }
        builder.account()
        try builder.push()
        let memory = RehearsalStore(over: MemoryCredentialStore())
        let migration = CredentialMigration(
            from: .store(builder.source),
            to: MemoryCredentialStore(),
            options: MigrationOptions(batchSize: 1)
        )
        // The app stops the rehearsal after the first of the five notifications.
        _ = try migration.rehearse(in: memory) { memory.written.stored(PushNotification.self).isEmpty }
        #expect(memory.written.stored(PushNotification.self).count == 1)
    }

    /// Returns the number of the source's credentials whose secrets a rehearsal has in memory.
    private func secrets(in memory: RehearsalStore) -> Int {
        let known = Set((0..<60).map { secret($0) } + ["JBSWY3DPEHPK3PXP"])
        let pushes = memory.written.stored(PushCredential.self).count { push in
            let challenge = push.legacy?.registration?.challenge
            return challenge != nil || push.secretSpelling.withUTF8(known.contains)
        }
        return pushes + memory.written.stored(OathCredential.self).count { $0.withSecret(known.contains) }
    }

    private func secret(_ number: Int) -> String {
        Data("secret \(number) of a source".utf8).base64EncodedString()
    }

    private func credential(_ id: String, of account: AccountProfile, secret: String) throws -> PushCredential
    {
        let address = "https://am.example.com/push"
        return PushCredential(
            id: id,
            account: AccountProfile(account.key),
            endpoints: try #require(
                PushEndpoints(
                    registration: "\(address)?_action=register",
                    authentication: "\(address)?_action=authenticate"
                )
            ),
            sharedSecret: try #require(SharedSecret(base64: secret)),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }

    @Test func aRehearsalRunsOnceForEachVersionAndSourceState() async throws {
        let keychain = try phone()
        let migration = migration(keychain, to: MemoryCredentialStore())
        for _ in 0..<3 { _ = try await rollout().rehearse(migration) }
        #expect(events.withValue { $0.count } == 1)
        _ = keychain.takeOpened()
        _ = try await rollout().rehearse(migration)
        #expect(keychain.takeOpened().isEmpty)
        _ = try await rollout(app: "4.2 (313)").rehearse(migration)
        #expect(events.withValue { $0.count } == 2)
        var builder = LegacyStoreBuilder()
        builder.account("dave")
        for item in builder.items {
            try keychain.add(KeychainItem(name(item), data: item.payload.archived))
        }
        _ = try await rollout(app: "4.2 (313)").rehearse(migration)
        #expect(events.withValue { $0.map(\.attempt) } == [1, 2, 3])
    }

    @Test(arguments: [MigrationGate.Answer.wait, .off])
    func theGateCanRefuseARehearsal(_ answer: MigrationGate.Answer) async throws {
        let keychain = try phone()
        let gate = MigrationGate { step in step == .rehearse ? answer : .go }
        let migration = migration(keychain, to: MemoryCredentialStore())
        guard case .refused(answer) = try await rollout(gate: gate).rehearse(migration) else {
            Issue.record("The gate did not refuse the rehearsal.")
            return
        }
        #expect(keychain.takeOpened().isEmpty)
        #expect(events.withValue { $0.isEmpty })
    }

    @Test func aRehearsalThatTheAppEndsSendsNoEventAndIsRepeated() async throws {
        let migration = migration(try phone(), to: MemoryCredentialStore())
        guard case .done(nil) = try await rollout().rehearse(migration, while: { false }) else {
            Issue.record("The app did not stop the rehearsal.")
            return
        }
        #expect(events.withValue { $0.isEmpty })
        _ = try await rollout().rehearse(migration)
        #expect(events.withValue { $0.map(\.attempt) } == [1])
    }

    @Test func aRehearsalThatExceedsItsTimeIsPartialAndNotRepeated() async throws {
        let migration = migration(try phone(), to: MemoryCredentialStore())
        for _ in 0..<2 { _ = try await rollout().rehearse(migration, limit: .zero) }
        #expect(events.withValue { $0.map(\.outcome) } == [.partial])
    }

    @Test func anEmptyPhoneHasNothingToRehearse() async throws {
        _ = try await rollout().rehearse(migration(CountingKeychain(), to: MemoryCredentialStore()))
        #expect(events.withValue { $0.map(\.outcome) } == [.nothingToDo])
    }

    @Test func crashedRehearsalsDoNotBlockTheMigration() async throws {
        let migration = migration(try phone(), to: MemoryCredentialStore())
        for writes in 1...2 {
            let dying = MigrationRollout(
                FailingAfter(storage, writes: writes),
                versions: MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0")
            )
            #expect(throws: Death.self) {
                try dying.attempt(.rehearse, yield: { (_: Void) in .nothing }) { began in
                    try began()
                    throw Death()
                }
            }
        }
        guard case .held = try await rollout().rehearse(migration) else {
            Issue.record("The guard did not hold the rehearsal.")
            return
        }
        let isHeld = try rollout().isHeld
        #expect(!isHeld)
        guard case .done = try await rollout().migrate(migration) else {
            Issue.record("The migration was not done.")
            return
        }
        #expect(
            events.withValue { $0.map(\.outcome) } == [.interrupted, .interrupted, .partial]
        )
        #expect(events.withValue { $0.map(\.step) } == [.rehearse, .rehearse, .apply])
    }

    @Test func aRehearsalDoesNotResetTheGuardAfterCrashedMigrations() async throws {
        let migration = migration(try phone(), to: MemoryCredentialStore())
        for _ in 1...2 {
            let dying = MigrationRollout(
                // The rehearsal of each round records the crash of that round, so the next attempt makes one write.
                FailingAfter(storage, writes: 1),
                versions: MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0")
            )
            #expect(throws: Death.self) {
                try dying.attempt(.apply, yield: { (_: Void) in .nothing }) { began in
                    try began()
                    throw Death()
                }
            }
            _ = try await rollout().rehearse(migration)
        }
        let isHeld = try rollout().isHeld
        #expect(isHeld)
    }

    @Test func aComparisonReportsRemovedAndDifferentCredentials() async throws {
        let (keychain, store) = (try phone(), MemoryCredentialStore())
        let migration = migration(keychain, to: store)
        _ = try await rollout().migrate(migration)
        events.withValue { $0 = [] }
        let before = keychain.changes
        // One credential now makes different one-time passwords. The user removed another credential.
        try store.write { view in
            let totp = try #require(try view.oathCredential(id: "totp-1"))
            let other = OathCredential(
                id: totp.id,
                account: totp.account,
                password: try OneTimePassword(secret: .random(count: 20)),
                movingFactor: totp.movingFactor,
                createdAt: totp.createdAt
            )
            try view.put(other)
            _ = try view.remove(.oath, where: RecordQuery(id: "hotp-1"))
        }
        guard case .done(let comparison?) = try await rollout().compare(migration) else {
            Issue.record("The comparison has no result.")
            return
        }
        #expect(comparison.removed == 1)
        #expect(!comparison.isEqual)
        #expect(keychain.changes == before)
        let event = try #require(events.withValue { $0.first })
        #expect(event.step == .compare)
        #expect(event.outcome == .partial)
        // The account, the push credential and its notification are proven.
        #expect(event.counts.filter(\.proven).map(\.count).reduce(0, +) == 3)
        #expect(event.reasons.contains { $0.code == .noCredential && $0.count == 1 })
        #expect(event.reasons.contains { $0.code == .damaged && $0.count == 2 })
        #expect(event.reasons.contains { $0.code == .otherCodes && $0.count == 1 })
        _ = try await rollout().compare(migration)
        #expect(events.withValue { $0.count } == 1)
    }

    @Test func afterAMoveAComparisonFindsNoDifference() throws {
        let keychain = InMemoryKeychain()
        var builder = LegacyStoreBuilder()
        builder.account()
        try builder.push()
        try builder.hotp()
        for item in builder.items {
            try keychain.add(KeychainItem(name(item), data: item.payload.archived))
        }
        let store = MemoryCredentialStore()
        let opened = RecordPlace(of: .keychain(keychain), to: { store })
        let place = try #require(opened)
        guard case .moved = try place.move() else {
            Issue.record("The records are not moved.")
            return
        }
        // When the user makes a one-time password, the counter in the store increases; a comparison accepts the
        // higher counter.
        try store.write { view in
            var hotp = try #require(try view.oathCredential(id: "hotp-1"))
            hotp.counter += 1
            try view.put(hotp)
        }
        let (step, migration) = try #require(try place.check())
        #expect(step == .compare)
        let comparison = try migration.compare()
        #expect(comparison.isEqual)
        #expect(comparison.records.count == 3)
        #expect(comparison.removed == 0)
    }
}

/// An in-memory store that calls a closure before each reading transaction.
private final class ReadsStore: WrappingStore {
    let store: any CredentialStore = MemoryCredentialStore()
    private let announce = Lock<@Sendable () -> Void>({})

    var willRead: @Sendable () -> Void {
        get { announce.withValue(\.self) }
        set { announce.withValue { $0 = newValue } }
    }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        willRead()
        return try store.read(body)
    }
}
