import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// The gate, the guard and the events of a migration into any store.
@Suite("Roll-out")
struct RolloutTests {
    private let storage = MemoryRolloutStorage()
    private let store = MemoryCredentialStore()

    private func rollout(
        app: String = "4.1 (312)",
        gate: MigrationGate? = nil,
        conditions: [MigrationCondition] = [],
        report: MigrationRollout.EventHandler? = nil
    ) -> MigrationRollout {
        MigrationRollout(
            storage,
            gate: gate,
            conditions: conditions,
            versions: MigrationVersions(app: app, system: "iOS 26.1.0"),
            clock: { Date(timeIntervalSince1970: 1_795_564_800) },
            report: report
        )
    }

    private func migration(_ fixture: String = "everyday.jsonl") -> CredentialMigration {
        CredentialMigration(
            from: MigrationSource { () throws(LegacyStoreError) in
                try LegacyFile.open(LegacyFixtures.url(fixture))
            },
            to: store
        )
    }

    /// Runs an attempt whose process dies.
    ///
    /// After a number of writes, the storage fails and keeps its contents.
    private func crash(app: String = "4.1 (312)", writes: Int = 1) throws {
        // After an earlier crash, the process first records that crash, so a test passes one more write.
        let dying = FailingAfter(storage, writes: writes)
        let rollout = MigrationRollout(dying, versions: MigrationVersions(app: app, system: "iOS 26.1.0"))
        #expect(throws: Death.self) {
            try rollout.attempt(.apply, yield: { (_: Void) in .nothing }) { began in
                try began()
                throw Death()
            }
        }
    }

    @Test(arguments: ["jsonl", "plist", "sqlite"])
    func eventsNameTheContainer(_ ending: String) throws {
        let container = try LegacyFile.open(LegacyFixtures.url("everyday.\(ending)")).container
        #expect(MigrationEvent.Source(rawValue: container) != nil)
    }

    @Test func anAttemptLeavesOneEvent() async throws {
        let events = Lock<[MigrationEvent]>([])
        let rollout = rollout { event in events.withValue { $0.append(event) } }
        guard case .done(let receipt?) = try await rollout.migrate(migration()) else {
            Issue.record("The migration was not done.")
            return
        }
        let event = try #require(events.withValue { $0 }.first)
        #expect(events.withValue { $0 }.count == 1)
        #expect(event.outcome == .complete)
        #expect(event.attempt == 1)
        #expect(event.step == .apply)
        #expect(event.source == .jsonLines)
        #expect(event.day == "2026-11-25")
        #expect(event.versions.app == "4.1 (312)")
        #expect(event.schema == 1)
        #expect(!event.guardHeld)
        #expect(event.duration != nil)
        // everyday.jsonl has 14 records, among them four accounts.
        #expect(event.counts.map(\.count).reduce(0, +) == 14)
        #expect(event.counts.filter { $0.kind == .account }.map(\.count).reduce(0, +) == 4)
        #expect(receipt.records.count == 14)
        #expect(try rollout.undelivered.isEmpty)
        // The source has no new records, so there is no further event.
        _ = try await rollout.migrate(migration())
        #expect(events.withValue { $0 }.count == 1)
    }

    @Test(arguments: [MigrationGate.Answer.wait, .off])
    func aMigrationThatTheGateRefusesChangesNothing(_ answer: MigrationGate.Answer) async throws {
        let rollout = rollout(gate: MigrationGate { _ in answer })
        guard case .refused(answer) = try await rollout.migrate(migration()) else {
            Issue.record("The gate did not refuse the migration.")
            return
        }
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == 0)
        #expect(try rollout.undelivered.isEmpty)
    }

    @Test func theGateIsQueriedSeparatelyForRetiring() async throws {
        let asked = Lock<[MigrationGate.Step]>([])
        let gate = MigrationGate { step in
            asked.withValue { $0.append(step) }
            return step == .apply ? .go : .off
        }
        let rollout = rollout(gate: gate)
        guard case .done(let receipt?) = try await rollout.migrate(migration()) else {
            Issue.record("The migration was not done.")
            return
        }
        let backup = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        guard case .refused(.off) = try await rollout.retire(receipt, of: migration(), backup: backup) else {
            Issue.record("The gate did not refuse the step retire.")
            return
        }
        #expect(asked.withValue { $0 } == [.apply, .retire])
        #expect(!FileManager.default.fileExists(atPath: backup.path))
    }

    @Test(arguments: [MigrationGate.Answer.go, .off, .retry])
    func theLastAnswerOutlivesTheProcess(_ answer: MigrationGate.Answer) async throws {
        #expect(try await rollout(gate: MigrationGate { _ in answer }).answer(to: .apply) == answer)
        let silent = MigrationGate(timeout: .milliseconds(20)) { _ in
            do { try await Task.sleep(for: .seconds(600)) } catch {}
            return .wait
        }
        let next = rollout(gate: silent)
        // A stored `retry` counts as `go`, so that the guard is released only once.
        #expect(try await next.answer(to: .apply) == (answer == .retry ? .go : answer))
        #expect(try await next.answer(to: .retire) == .wait)
    }

    /// Never returns, even if its task is cancelled.
    ///
    /// This function behaves like an app's switch that never calls its callback.
    private static func never() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    @Test func theLastAnswerAppliesIfAGateIgnoresItsCancellation() async throws {
        let unresponsive = MigrationGate(timeout: .milliseconds(20)) { _ in
            await Self.never()
            return .off
        }
        #expect(await unresponsive.answer(to: .apply) == .wait)
        #expect(try await rollout(gate: unresponsive).answer(to: .apply) == .wait)
        _ = try await rollout(gate: MigrationGate { _ in .go }).answer(to: .apply)
        guard case .done = try await rollout(gate: unresponsive).migrate(migration()) else {
            Issue.record("The migration was not done.")
            return
        }
    }

    @Test func aConditionThatNeverAnswersDoesNotHold() async throws {
        let unresponsive = MigrationCondition(timeout: .milliseconds(20)) { _ in
            await Self.never()
            return true
        }
        #expect(try await rollout(conditions: [unresponsive]).answer(to: .apply) == .wait)
    }

    @Test func telemetryThatNeverAnswersDoesNotWithholdTheReceipt() async throws {
        let rollout = MigrationRollout(
            storage,
            report: { _ in await Self.never() },
            bundle: URL(fileURLWithPath: "/x/Bank.app"),
            patience: .milliseconds(20)
        )
        guard case .done = try await rollout.migrate(migration()) else {
            Issue.record("The migration was not done.")
            return
        }
        #expect(try rollout.undelivered.count == 1)
    }

    @Test func anExtensionWritesNoStateAndDrawsNoRandomNumber() async throws {
        let taken = Lock(0)
        func inExtension(_ conditions: [MigrationCondition] = []) -> MigrationRollout {
            MigrationRollout(
                storage,
                gate: MigrationGate { _ in .go },
                conditions: conditions,
                versions: MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0"),
                report: { _ in taken.withValue { $0 += 1 } },
                bundle: URL(fileURLWithPath: "/x/Bank.app/PlugIns/Push.appex")
            )
        }
        // A random number decides whether a phone is in a share. An extension does not draw this number; only
        // the app draws it, once.
        #expect(try await inExtension([.share(1)]).answer(to: .apply) == .wait)
        #expect(storage.read() == nil)
        #expect(try await rollout(conditions: [.share(1)]).answer(to: .apply) == .go)
        #expect(try await inExtension([.share(1)]).answer(to: .apply) == .go)
        try crash()
        try crash(writes: 2)
        let before = try #require(storage.read())
        // After two crashes, the guard also stops the extension, but the extension does not record the second crash.
        guard case .held = try await inExtension([.share(1)]).migrate(migration()) else {
            Issue.record("The guard did not hold the migration.")
            return
        }
        #expect(storage.read() == before)
        #expect(taken.withValue { $0 } == 0)
    }

    @Test func simultaneousAttemptsSendOneEventEachAndCountAsOneCrash() async throws {
        let dying = FailingAfter(storage, writes: 2)
        let versions = MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0")
        #expect(throws: Death.self) {
            try MigrationRollout(dying, versions: versions)
                .attempt(.apply, yield: { (_: Void) in .nothing }) { began in
                    try began()
                    try MigrationRollout(dying, versions: versions)
                        .attempt(.retire, yield: { (_: Void) in .nothing }) { began in
                            try began()
                            throw Death()
                        }
                }
        }
        #expect(try !rollout().isHeld)
        let events = Lock<[MigrationEvent]>([])
        await rollout { event in events.withValue { $0.append(event) } }.deliver()
        #expect(events.withValue { $0.map(\.outcome) } == [.interrupted, .interrupted])
        #expect(events.withValue { $0.map(\.attempt) } == [1, 2])
        #expect(events.withValue { $0.map(\.step) } == [.apply, .retire])
    }

    @Test func theGuardHoldsAfterTwoAttemptsWithoutAnOutcome() async throws {
        try crash()
        #expect(try !rollout().isHeld)
        try crash(writes: 2)
        let events = Lock<[MigrationEvent]>([])
        for _ in 0..<3 {
            let held = rollout { event in events.withValue { $0.append(event) } }
            #expect(try held.isHeld)
            guard case .held = try await held.migrate(migration()) else {
                Issue.record("The guard did not hold the migration.")
                return
            }
        }
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == 0)
        #expect(events.withValue { $0.map(\.outcome) } == [.interrupted, .interrupted, .held])
        #expect(events.withValue { $0.map(\.attempt) } == [1, 2, 2])
        #expect(events.withValue { $0.map(\.guardHeld) } == [false, true, true])
        #expect(events.withValue { Set($0.map(\.attemptId)).count } == 3)
    }

    @Test(arguments: ["version", "gate", "call"])
    func aNewVersionOrARetryReleasesTheGuard(_ by: String) async throws {
        for writes in 1...2 { try crash(writes: writes) }
        #expect(try rollout().isHeld)
        if by == "call" { try rollout().retry() }
        let gate = by == "gate" ? MigrationGate { _ in .retry } : nil
        let freed = rollout(app: by == "version" ? "4.2 (313)" : "4.1 (312)", gate: gate)
        guard case .done = try await freed.migrate(migration()) else {
            Issue.record("The migration was not done.")
            return
        }
        #expect(try !freed.isHeld)
    }

    @Test func anOutcomeResetsTheCrashCountOfTheGuard() async throws {
        try crash()
        _ = try await rollout().migrate(migration())
        try crash()
        #expect(try !rollout().isHeld)
    }

    @Test func aMigrationDoesNotStartIfItsAttemptCannotBeStored() async throws {
        let rollout = MigrationRollout(FailingAfter(storage, writes: 0))
        await #expect(throws: Death.self) { _ = try await rollout.migrate(migration()) }
        #expect(try store.read { try $0.count(of: .ledger, where: .all) } == 0)
    }

    @Test func anUndeliveredEventIsDeliveredAgain() async throws {
        let seen = Lock<[UUID]>([])
        let refusing = rollout { event in
            seen.withValue { $0.append(event.attemptId) }
            throw CancellationError()
        }
        _ = try await refusing.migrate(migration())
        #expect(try refusing.undelivered.count == 1)
        let taking = rollout { event in seen.withValue { $0.append(event.attemptId) } }
        await taking.deliver()
        #expect(try taking.undelivered.isEmpty)
        #expect(seen.withValue { $0.count } == 2)
        #expect(seen.withValue { Set($0).count } == 1)
    }

    @Test func aShareSelectsItsFractionOfThePhonesInEachRollOut() {
        var random = SeededGenerator(seed: 26)
        let draws = (0..<20_000).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        for share in [0.01, 0.1, 0.5] {
            let count = draws.count { MigrationCondition.place(of: $0, in: "a") < share }
            // The count must be within five standard deviations of the expected count.
            let spread = 5 * (20_000 * share * (1 - share)).squareRoot()
            #expect(abs(Double(count) - 20_000 * share) < spread, "\(share)")
        }
        #expect(draws.allSatisfy { MigrationCondition.place(of: $0, in: "a") < 1 })
        // Another roll-out selects its phones independently.
        let both = draws.count {
            MigrationCondition.place(of: $0, in: "a") < 0.1 && MigrationCondition.place(of: $0, in: "b") < 0.1
        }
        #expect((100...300).contains(both))
    }

    @Test func aPhoneStaysInItsShare() async throws {
        var answers: Set<[MigrationGate.Answer]> = []
        for _ in 0..<5 {
            var these: [MigrationGate.Answer] = []
            for share in stride(from: 0, through: 1, by: 0.1) {
                these.append(try await rollout(conditions: [.share(share)]).answer(to: .apply))
            }
            #expect(these.first == .wait)
            #expect(these.last == .go)
            // A phone that is in the share remains in it when the share grows.
            #expect(these == these.sorted { $0 == .wait && $1 == .go })
            answers.insert(these)
        }
        #expect(answers.count == 1)
    }

    @Test(arguments: [true, false])
    func anUnmetConditionWaitsWithoutAskingTheGate(_ holds: Bool) async throws {
        let asked = Lock(0)
        let gate = MigrationGate { _ in
            asked.withValue { $0 += 1 }
            return .go
        }
        let rollout = rollout(gate: gate, conditions: [.notInExtension, .onPowerOrWiFi { holds }])
        #expect(try await rollout.answer(to: .apply) == (holds ? .go : .wait))
        #expect(asked.withValue { $0 } == (holds ? 1 : 0))
    }

    @Test func anExtensionIsRecognisedByItsBundle() async {
        let app = MigrationCondition(bundle: URL(fileURLWithPath: "/x/Bank.app"))
        let appex = MigrationCondition(bundle: URL(fileURLWithPath: "/x/Bank.app/PlugIns/Push.appex"))
        #expect(await app.holds(.apply, 0))
        #expect(await !appex.holds(.apply, 0))
    }

    @Test func anInvalidVersionTextIsReplacedByUnknown() {
        let versions = MigrationVersions(app: "alice@example.com", system: String(repeating: "1", count: 41))
        #expect(versions.app == "unknown")
        #expect(versions.system == "unknown")
    }

    @Test func aFileAndAKeychainItemKeepTheState() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("rollout")
        for storage in [FileRolloutStorage(url), KeychainRolloutStorage(InMemoryKeychain())]
            as [any RolloutStorage]
        {
            #expect(try storage.read() == nil)
            for text in ["first", "second"] {
                try storage.write(Data(text.utf8))
                #expect(try storage.read() == Data(text.utf8))
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aDamagedStateIsReset() async throws {
        storage.write(Data("{".utf8))
        guard case .done = try await rollout().migrate(migration()) else {
            Issue.record("The migration was not done.")
            return
        }
        let event = try #require(try rollout().undelivered.first)
        #expect(event.outcome == .complete)
        #expect(event.reasons.map(\.code) == [.stateReset])
        #expect(try rollout().undelivered.count == 1)
        // The reset is reported only once.
        _ = try await rollout().migrate(migration("edges.jsonl"))
        let codes = try rollout().undelivered.map { $0.reasons.map(\.code).contains(.stateReset) }
        #expect(codes == [true, false])
    }

    /// A start without new records sends no event, so the next event reports that the state was reset.
    ///
    /// If a process crashes, the event of the crash reports this.
    @Test(arguments: [true, false])
    func aResetIsReportedByTheNextEvent(_ crashes: Bool) async throws {
        _ = try await rollout().migrate(migration())
        storage.write(Data("{".utf8))
        _ = try await rollout().migrate(migration())
        #expect(try rollout().undelivered.isEmpty)
        if crashes { try crash() }
        _ = try await rollout().migrate(migration("edges.jsonl"))
        let events = try rollout().undelivered
        let reports = events.map { $0.reasons.map(\.code).contains(.stateReset) }
        #expect(reports == (crashes ? [true, false] : [true]))
        #expect(events.first?.outcome == .interrupted || !crashes)
    }

    @Test(arguments: ["attempts", "interruptions"], [Int.max, -1])
    func anImpossibleNumberResetsTheState(_ name: String, _ number: Int) async throws {
        _ = try await rollout().migrate(migration())
        let state = String(decoding: try #require(storage.read()), as: UTF8.self)
        let edited = state.replacing(try Regex("\"\(name)\":[0-9]+"), with: "\"\(name)\":\(number)")
        #expect(edited != state)
        storage.write(Data(edited.utf8))
        guard case .done = try await rollout().migrate(migration("edges.jsonl")) else {
            Issue.record("The migration was not done.")
            return
        }
        #expect(try rollout().undelivered.map(\.attempt) == [1])
        #expect(try rollout().undelivered.first?.reasons.contains { $0.code == .stateReset } == true)
    }

    /// An attempt counts even if the process crashes while it reads the source.
    ///
    /// Otherwise, a record that crashes the reader would crash the app at each launch.
    @Test func anAttemptThatCrashesWhileReadingTheSourceIsCounted() async throws {
        for launch in 1...2 {
            // From the second launch on, the process first records the previous crash, which takes another
            // write.
            let dying = FailingAfter(storage, writes: launch)
            let versions = MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0")
            let deadly = CredentialMigration(from: .store(DeadlySource()), to: store)
            await #expect(throws: (any Error).self) {
                try await MigrationRollout(dying, versions: versions).migrate(deadly)
            }
        }
        #expect(try rollout().isHeld)
    }

    /// A start without new records counts as an attempt only while it is running.
    @Test func anAttemptWithNothingNewLeavesNoTrace() async throws {
        _ = try await rollout().migrate(migration())
        for _ in 0..<3 { _ = try await rollout().migrate(migration()) }
        #expect(try rollout().undelivered.map(\.attempt) == [1])
        #expect(try !rollout().isHeld)
    }
}

/// A source whose third item ends the process.
private struct DeadlySource: LegacySource {
    var container: String { "keychain" }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var left = 2
        return LegacyItems { () throws(LegacyStoreError) in
            guard left > 0 else { throw LegacyStoreError(.unreadable, reason: "The process died.") }
            left -= 1
            return LegacyItem(
                position: .index(left),
                service: .account,
                key: "\(left)",
                payload: .archive(Data())
            )
        }
    }

    func state() throws(LegacyStoreError) -> SourceState? { nil }
    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] { [] }
    func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] { [] }
}

/// A roll-out's state in memory, which a test uses for several simulated processes.
final class MemoryRolloutStorage: RolloutStorage {
    private let state = Lock<Data?>(nil)

    func read() -> Data? { state.withValue { $0 } }
    func write(_ data: Data) { state.withValue { $0 = data } }
}

/// The storage of a process that dies after a number of writes.
final class FailingAfter: RolloutStorage {
    private let storage: any RolloutStorage
    private let left: Lock<Int>

    init(_ storage: any RolloutStorage, writes: Int) {
        self.storage = storage
        left = Lock(writes)
    }

    func read() throws -> Data? { try storage.read() }

    func write(_ state: Data) throws {
        try left.withValue { left in
            guard left > 0 else { throw Death() }
            left -= 1
        }
        try storage.write(state)
    }
}

/// The error that stands for the death of the process.
struct Death: Error {}
