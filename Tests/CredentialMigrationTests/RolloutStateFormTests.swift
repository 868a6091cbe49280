import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// The state of a roll-out in a file of `LegacyFixtures/own`, which has the form of an earlier version.
@Suite("Stored states of roll-outs")
struct RolloutStateFormTests {
    private static let mark = "5DTYV+/tPVELuH6qNi9uEQ=="
    private static let openAttempt = UUID(uuidString: "B014930D-A772-4FA2-B90C-7BCE61C770B7")

    /// Returns the versions in a stored event, with the package version 0.1.0.
    private static func versions(_ app: String, _ system: String) throws -> MigrationVersions {
        let json = #"{"app":"\#(app)","package":"0.1.0","system":"\#(system)"}"#
        return try JSONDecoder().decode(MigrationVersions.self, from: Data(json.utf8))
    }

    private static func heldEvent() throws -> MigrationEvent {
        MigrationEvent(
            schema: 1,
            attemptId: try #require(UUID(uuidString: "60AB55A6-474E-41A8-8496-235A07CDDEDD")),
            attempt: 2,
            step: .apply,
            outcome: .held,
            counts: [],
            reasons: [],
            duration: nil,
            source: .other,
            versions: try versions("4.0 (300)", "iOS 26.0.1"),
            day: "2026-11-20",
            guardHeld: true,
            push: nil
        )
    }

    private static func lockedEvent() throws -> MigrationEvent {
        MigrationEvent(
            schema: 1,
            attemptId: try #require(UUID(uuidString: "801B304B-CD68-497A-A6D1-AF4306D05C83")),
            attempt: 3,
            step: .apply,
            outcome: .locked,
            counts: [
                .init(kind: .account, outcome: .kept, proven: true, count: 1),
                .init(kind: .account, outcome: .migrated, proven: true, count: 3),
                .init(kind: .hotp, outcome: .locked, proven: false, count: 1),
            ],
            reasons: [.init(code: .locked, count: 1), .init(code: .noCredential, count: 1)],
            duration: .under100ms,
            source: .keychain,
            versions: try versions("4.1 (312)", "iOS 26.1.0"),
            day: "2026-11-27",
            guardHeld: false,
            push: nil
        )
    }

    private static func pushEvent() throws -> MigrationEvent {
        MigrationEvent(
            PushMilestone(.arrival, .stored, delay: .under1s),
            versions: try versions("4.1 (312)", "iOS 26.1.0"),
            day: "2026-11-28",
            id: try #require(UUID(uuidString: "04B1CF46-4BF5-4059-BB90-C3812F603FF5"))
        )
    }

    @Test(arguments: ["1"])
    func aStateFileOfAnEarlierVersionIsReadCompletely(_ form: String) throws {
        let file = FileRolloutStorage(LegacyFixtures.url("own/\(form)/rollout.json"))
        var expected = MigrationRollout.State()
        expected.draw = 15_908_148_377_046_156_080
        expected.isDrawn = true
        expected.answers = ["apply": .go, "apply of the mode": .wait, "retire": .off]
        expected.attempts = 4
        expected.open = [
            MigrationRollout.Attempt(
                id: try #require(Self.openAttempt),
                number: 4,
                step: .apply,
                source: .keychain,
                versions: try Self.versions("4.1 (312)", "iOS 26.1.0"),
                followsReset: nil
            )
        ]
        expected.interruptions = 1
        expected.interruptedVersion = "4.1 (312)"
        expected.heldVersion = "4.0 (300)"
        expected.events = [try Self.heldEvent(), try Self.lockedEvent()]
        expected.pushes = [try Self.pushEvent()]
        expected.checks = MigrationRollout.Checks(
            done: ["rehearse": Self.mark],
            interruptions: 1,
            interruptedVersion: "4.0 (300)"
        )
        let stored = try #require(try file.read())
        #expect(try JSONDecoder().decode(MigrationRollout.State.self, from: stored) == expected)
        #expect(expected.isPlausible)
    }

    /// A roll-out continues from the state file of an earlier version.
    ///
    /// The app's gate does not answer, so the stored answers apply.
    @Test(arguments: ["1"])
    func aRollOutContinuesFromTheStateFileOfAnEarlierVersion(_ form: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.copy(LegacyFixtures.url("own/\(form)/rollout.json"))
        let delivered = Lock<[MigrationEvent]>([])
        let rollout = MigrationRollout(
            FileRolloutStorage(file),
            gate: MigrationGate(timeout: .milliseconds(20)) { _ in
                do { try await Task.sleep(for: .seconds(600)) } catch {}
                return .wait
            },
            versions: MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0"),
            report: { event in delivered.withValue { $0.append(event) } }
        )
        let (held, locked, push) = (try Self.heldEvent(), try Self.lockedEvent(), try Self.pushEvent())
        #expect(try rollout.undelivered == [held, locked, push])
        #expect(try await rollout.answer(to: .apply) == .go)
        #expect(try await rollout.answer(to: .retire) == .off)
        #expect(try rollout.isDone(.rehearse, with: Self.mark))
        // The attempt that the earlier version began is the second attempt without an outcome, so the guard holds the
        // migration.
        #expect(try rollout.isHeld)
        await rollout.deliver()
        let events = delivered.withValue { $0 }
        #expect(events.map(\.outcome) == [.held, .locked, .interrupted, .held, .nothingToDo])
        #expect(events.prefix(2) == [held, locked])
        #expect(events.last == push)
        let interrupted = events.first { $0.outcome == .interrupted }
        #expect(interrupted?.attemptId == Self.openAttempt)
        #expect(interrupted?.attempt == 4)
        #expect(interrupted?.guardHeld == true)
        #expect(try rollout.undelivered.isEmpty)
    }
}
