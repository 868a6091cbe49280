import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeFleet
import PushBridgeTestSupport
import Testing

@Suite struct FleetTests {
    /// The expected bounds are computed from sums of the binomial distribution, with 60 decimal digits.
    @Test(arguments: [
        (0, 500, 0.01, 0, 0.009168055107232426),
        (1, 30, 0.01, 0.00033495508513228757, 0.20158978035294536),
        (10, 1000, 0.01, 0.004140298065144727, 0.020042605900878932),
        (50, 10_000, 0.0001, 0.0027891804587132454, 0.008178953143046933),
        (300, 1000, 0.025, 0.27172111212914446, 0.329461678697366),
        (999, 1000, 0.01, 0.9933803316043514, 0.9999899497146509),
        (5, 5, 0.05, 0.5492802716530589, 1),
        (2500, 1_000_000, 0.0001, 0.0023185213526913675, 0.002691021293684571),
    ])
    func boundsMatchTheBinomialDistribution(
        _ count: Int,
        _ total: Int,
        _ risk: Double,
        _ lower: Double,
        _ upper: Double
    ) {
        let bound = ShareBound(count, of: total, risk: risk)
        #expect(abs(bound.lower - lower) <= 1e-9)
        #expect(abs(bound.upper - upper) <= 1e-9)
    }

    @Test func theBoundOfNoPhonesIsFromZeroToOne() {
        let bound = ShareBound(0, of: 0, risk: 0.01)
        #expect((bound.share, bound.lower, bound.upper) == (0, 0, 1))
    }

    @Test func theSameSeedMakesTheSameEvents() throws {
        #expect(try rehearse(phones: 300, seed: 7).lines == rehearse(phones: 300, seed: 7).lines)
        #expect(try rehearse(phones: 300, seed: 7).lines != rehearse(phones: 300, seed: 8).lines)
    }

    /// Each event can be decoded as the type that an app sends.
    ///
    /// All events of one attempt are equal.
    @Test func simulatedEventsAreDecodedAsMigrationEvents() throws {
        var attempts: [UUID: MigrationEvent] = [:]
        for line in try rehearse(phones: 500, seed: 2).lines {
            let event = try JSONDecoder().decode(MigrationEvent.self, from: Data(line.utf8))
            #expect(attempts[event.attemptId, default: event] == event)
            attempts[event.attemptId] = event
        }
        // Nearly every phone starts the app within the fortnight. Most phones start the app again, some days
        // after the migration.
        let applied = attempts.values.count { $0.step == .apply }
        let retired = attempts.values.count { $0.step == .retire }
        #expect((460...600).contains(applied))
        #expect((250...applied).contains(retired))
        // Phones remove records only after a complete migration, and only in a later attempt.
        #expect(attempts.values.allSatisfy { $0.step == .apply || $0.outcome == .complete && $0.attempt > 1 })
    }

    @Test(arguments: FleetSimulation.Defect.Kind.allCases)
    func plantedDefectIsFound(_ kind: FleetSimulation.Defect.Kind) throws {
        let defect = FleetSimulation.Defect(kind: kind, system: "iOS 18.7.2", share: 0.6)
        let rehearsal = try rehearse(phones: 4000, seed: 1, defect: defect).rehearsal
        let stopped = try #require(rehearsal.stopped)
        let cause = try #require(stopped.verdict?.causes.first { $0.group?.system == "iOS 18.7.2" })
        let measure: [FleetSimulation.Defect.Kind: FleetMeasure] = [
            .crash: .failed, .fail: .failed, .unproven: .unproven, .refuse: .refused,
            .unreadable: .unreadable,
            .locked: .locked, .slow: .slow,
        ]
        #expect(cause.measure == measure[kind])
        // About a fifth of all phones have this system, and the defect affects six in ten of these phones. The defect
        // is found before the release is offered to all phones.
        #expect(stopped.number < 7)
    }

    @Test func soundReleaseIsNotStopped() throws {
        let rehearsal = try rehearse(phones: 3000, seed: 5).rehearsal
        #expect(rehearsal.days.map(\.percent) == [1, 2, 5, 10, 20, 50] + Array(repeating: 100, count: 8))
        #expect(rehearsal.stopped == nil)
        #expect(rehearsal.days.allSatisfy { $0.verdict != nil })
        // Most phones have at least one push credential. Each credential updates its token once.
        let updates = rehearsal.days.reduce(0) { $0 + $1.tokenUpdates }
        #expect((2500...5000).contains(updates))
    }

    @Test func aPolicyIsReadFromAWholeOrPartialFile() throws {
        let folder = try TemporaryFolder()
        let whole = try folder.file("whole.json", Data(FleetPolicy().json.text.utf8)).path
        #expect(try FleetPolicy(contentsOf: whole) == FleetPolicy())
        let part = try folder.file("part.json", Data(#"{"limits":{"failed":0.01},"confidence":0.95}"#.utf8))
            .path
        let policy = try FleetPolicy(contentsOf: part)
        #expect(policy.limits[.failed] == 0.01)
        #expect(policy.limits[.held] == FleetPolicy().limits[.held])
        #expect(policy.confidence == 0.95)
    }

    @Test(arguments: [
        (#"{"limit":{}}"#, "limit"), (#"{"limits":{"faled":0.1}}"#, "faled"),
        (#"{"limits":{"failed":2}}"#, "failed"),
        (#"{"confidence":"high"}"#, "confidence"), (#"{"schema":2}"#, "schema"),
        (#"{"phases":[]}"#, "phases"),
        (#"{"phases":[{"percent":1}]}"#, "percent"), ("[]", "object"), ("no JSON", "object"),
        (
            #"{"phases":[{"percent":5,"phones":1,"tolerance":1},{"percent":1,"phones":1,"tolerance":1}]}"#,
            "order"
        ),
    ])
    func unreadablePolicyNamesItsError(_ text: String, _ word: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("policy.json", Data(text.utf8)).path
        let failure = #expect(throws: CommandFailure.self) { try FleetPolicy(contentsOf: path) }
        #expect(failure?.status == .unreadableInput)
        #expect(failure?.sentence.contains(word) == true)
        #expect(failure?.sentence.contains("policy.json") == true)
    }

    /// All database engines run the same SQL, apart from the schema and the loading of the events.
    @Test(arguments: FleetDialect.allCases)
    func theSQLScriptContainsEveryQuery(_ dialect: FleetDialect) {
        let parts = dialect.script.components(separatedBy: "-- @ ").dropFirst()
        let names = parts.map { $0.prefix { $0 != "\n" } }
        #expect(names == ["schema", "load", "attempts"] + FleetQuery.allCases.map { Substring($0.rawValue) })
        #expect(parts.dropFirst(3).map { $0.split(separator: "\n").count }.allSatisfy { $0 > 3 })
    }

    private func rehearse(
        phones: Int,
        seed: UInt64,
        defect: FleetSimulation.Defect? = nil
    ) throws -> (rehearsal: FleetRehearsal, lines: [Substring]) {
        var text = Data()
        let rehearsal = try FleetRehearsal(
            FleetSimulation(phones: phones, seed: seed, defect: defect),
            policy: FleetPolicy(),
            write: { text.append($0) }
        )
        return (rehearsal, String(decoding: text, as: UTF8.self).split(separator: "\n"))
    }
}
