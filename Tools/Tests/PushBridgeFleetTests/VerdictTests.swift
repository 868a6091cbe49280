import Foundation
import PushBridgeCore
import PushBridgeFleet
import PushBridgeTestSupport
import Testing

@Suite struct VerdictTests {
    @Test(arguments: Situation.all + Situation.overTime)
    func plantedSituationGetsItsVerdict(_ situation: Situation) throws {
        let verdict = try verdict(
            situation.lines,
            phase: situation.phase,
            release: situation.release,
            installed: situation.installed,
            until: situation.until
        )
        #expect(verdict.decision == situation.expected, "\(verdict.causes.map(\.sentence))")
        guard let rule = situation.rule else { return #expect(verdict.causes.isEmpty) }
        #expect(
            verdict.causes.contains {
                $0.decision == situation.expected && $0.rule == rule && $0.measure == situation.measure
                    && (situation.system == nil || $0.group?.system == situation.system)
            },
            "\(verdict.causes.map(\.sentence))"
        )
    }

    @Test func theVerdictNamesTheNewestAndTheFailingRelease() throws {
        var phones = Phones()
        let lines = phones(600) + phones(200, "failed", release: "4.9 (490)", reason: "other", counts: "[]")
        let verdict = try verdict(lines)
        #expect(verdict.release == "5.0 (500)")
        #expect(Set(verdict.causes.map(\.group?.release)) == ["4.9 (490)"])
    }

    /// A single event with a higher release, from a tester's build or a damaged row, causes a hold that names
    /// `--release`.
    @Test func aHigherReleaseOfOnePhoneCausesAHoldWithAHint() throws {
        var phones = Phones()
        let lines = phones(600) + phones(1, release: "6.0 (1)")
        let held = try verdict(lines)
        #expect(held.decision == .hold)
        #expect(held.causes.map(\.sentence).contains { $0.contains("6.0 (1)") && $0.contains("--release") })
        #expect(try verdict(lines, release: "5.0 (500)").decision == .continue)
        #expect(try verdict(phones(10)).causes.allSatisfy { !$0.sentence.contains("--release") })
    }

    /// The rows are the same if events are duplicated, reversed or shuffled.
    @Test func orderAndRepetitionOfEventsDoNotChangeTheRows() throws {
        var lines: [String] = []
        let defect = FleetSimulation.Defect(kind: .crash, system: "iOS 18.7.2", share: 0.2)
        try FleetSimulation(phones: 1500, seed: 3, defect: defect).play { arrival in
            lines.append(String(decoding: try JSONEncoder().encode(arrival.event), as: UTF8.self))
        }
        let once = try answers(lines)
        var random = SeededGenerator(seed: 4)
        for other in [
            lines.reversed(), lines.shuffled(using: &random), (lines + lines).shuffled(using: &random),
        ] {
            var others = try answers(Array(other))
            // Only the number of events may differ.
            others[.totals]?[0]["events"] = once[.totals]?[0]["events"]
            #expect(others == once)
        }
        #expect(try verdict(lines).decision == .stop)
        #expect(try verdict(lines) == verdict(lines.reversed()))
    }

    @Test(arguments: 1...100)
    func soundReleaseContinues(_ seed: Int) throws {
        let database = try FleetDatabase()
        let encoder = JSONEncoder()
        try FleetSimulation(phones: 700, seed: UInt64(seed)).play { arrival in
            try database.add(
                String(decoding: try encoder.encode(arrival.event), as: UTF8.self),
                number: 1,
                of: "events"
            )
        }
        let verdict = try verdict(database, release: FleetSimulation.release)
        #expect(verdict.decision == .continue, "\(verdict.causes.map(\.sentence))")
    }

    @Test func unreadLinesAreCountedAndNamed() throws {
        var phones = Phones()
        let database = try FleetDatabase()
        for (number, line) in (phones(3) + ["{", "[1]"] + phones(1, schema: 2)).enumerated() {
            try database.add(line, number: number + 1, of: "a.jsonl")
        }
        let answers = try database.answers()
        #expect(database.lines.all == 6)
        #expect(database.lines.damaged == 2)
        #expect(database.lines.newer == 1)
        #expect(database.lines.places == ["a.jsonl, line 4", "a.jsonl, line 5", "a.jsonl, line 6"])
        #expect(answers[.totals] == [["events": 3, "attempts": 3, "records": 6]])
    }

    /// The steps of pushes are counted separately, and each step is counted once.
    ///
    /// The steps of pushes change neither the attempts nor the verdict.
    @Test func stepsOfPushesAreNotAttempts() throws {
        func step(_ id: Int, _ push: String) -> String {
            #"{"schema":1,"attemptId":"00000000-0000-4000-9000-\#(String(format: "%012d", id))","push":\#(push),"#
                + #""versions":{"app":"5.0 (500)","package":"1","system":"iOS 26.1.0"},"day":"2026-11-03"}"#
        }
        let answer = #"{"kind":"answer","result":"approved","delay":"under1min"}"#
        let steps = [
            step(1, answer), step(1, answer), step(2, answer),
            step(3, #"{"kind":"arrival","result":"stored"}"#),
        ]
        var phones = Phones()
        let attempts = phones(3)
        let database = try FleetDatabase()
        for line in attempts + steps + [step(4, #"{"kind":"other"}"#)] {
            try database.add(line, number: 1, of: "events")
        }
        let answers = try database.answers()
        #expect((database.lines.all, database.lines.damaged) == (8, 1))
        #expect(answers[.totals] == [["events": 3, "attempts": 3, "records": 6]])
        #expect(
            answers[.pushes] == [
                [
                    "appVersion": "5.0 (500)", "kind": "answer", "result": "approved", "delay": "under1min",
                    "pushes": 2,
                ],
                [
                    "appVersion": "5.0 (500)", "kind": "arrival", "result": "stored", "delay": "none",
                    "pushes": 1,
                ],
            ]
        )
        #expect(try verdict(attempts + steps).causes == verdict(attempts).causes)
    }

    @Test func theRowsCountPhonesAttemptsAndRecords() throws {
        var phones = Phones()
        let troubled = """
            [{"kind":"push","outcome":"conflict","proven":false,"count":1},\
            {"kind":"totp","outcome":"migrated","proven":false,"count":3}]
            """
        let lines =
            phones(4) + phones(2, "partial", reason: "otherSecret", counts: troubled)
            + phones(1, "held", attempt: 2, counts: "[]", duration: "none")
        let answers = try answers(lines)
        #expect(
            answers[.outcomesByRelease] == [
                [
                    "step": "apply", "appVersion": "5.0 (500)", "outcome": "complete", "attempts": 4,
                    "phones": 4,
                    "ofPhones": 6,
                ],
                [
                    "step": "apply", "appVersion": "5.0 (500)", "outcome": "held", "attempts": 1, "phones": 1,
                    "ofPhones": 6,
                ],
                [
                    "step": "apply", "appVersion": "5.0 (500)", "outcome": "partial", "attempts": 2,
                    "phones": 2,
                    "ofPhones": 6,
                ],
            ]
        )
        #expect(
            answers[.reasons] == [
                [
                    "step": "apply", "appVersion": "5.0 (500)", "code": "otherSecret", "attempts": 2,
                    "records": 2,
                ]
            ]
        )
        #expect(answers[.unproven]?.map { $0["records"] } == [3, 3])
        #expect(
            answers[.sharesByRelease] == [
                [
                    "step": "apply", "appVersion": "5.0 (500)", "phones": 6, "failed": 0, "unproven": 2,
                    "refused": 2,
                    "unreadable": 0, "locked": 0, "held": 1, "slow": 0,
                ]
            ]
        )
    }
}

func answers(_ lines: [String]) throws -> [FleetQuery: [FleetDatabase.Row]] {
    try database(lines).answers()
}

func verdict(
    _ lines: [String],
    phase: Int = 1,
    release: String? = nil,
    installed: FleetInstalled = .init(),
    until: String? = nil
) throws -> FleetVerdict {
    try verdict(database(lines), phase: phase, release: release, installed: installed, until: until)
}

func verdict(
    _ database: FleetDatabase,
    phase: Int = 1,
    release: String? = nil,
    installed: FleetInstalled = .init(),
    until: String? = nil
) throws -> FleetVerdict {
    let policy = FleetPolicy()
    return FleetVerdict(
        try database.answers(),
        lines: database.lines,
        policy: policy,
        phase: try #require(policy.phase(percent: phase)),
        release: release,
        installed: installed,
        until: until
    )
}

private func database(_ lines: [String]) throws -> FleetDatabase {
    let database = try FleetDatabase()
    for (number, line) in lines.enumerated() { try database.add(line, number: number + 1, of: "events") }
    return database
}
