import CredentialMigration
import Foundation
import PushBridgeCore
import Testing

@testable import PushBridgeFleet

@Suite struct DaysTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("2026-11-28", 20_785),
        ("2100-12-31", 47_846),
    ])
    func eachDayIsConvertedToItsNumberAndBack(_ text: String, _ number: Int) {
        #expect(FleetCalendar.number(text) == number)
        #expect(FleetCalendar.text(number) == text)
    }

    @Test(arguments: [
        "yesterday", "2026-13-01", "2026-1", "0000-00-00", "2026-02-29", "2100-02-29", "2026-04-31",
        "unknown", "",
    ])
    func textThatIsNotADateHasNoDayNumber(_ text: String) {
        #expect(FleetCalendar.number(text) == nil)
    }

    @Test func theRangeOmitsDaysOfWrongClocks() {
        #expect(FleetCalendar.range([0: 5, 100: 3, 101: 9, 103: 1, 110: 2, 9000: 4]) == 100...110)
        #expect(FleetCalendar.range([:]) == nil)
    }

    /// `FleetTally`, with which a trial counts events, gives the same results and verdict as the database's queries.
    @Test func theTallyAndTheDatabaseGiveTheSameVerdict() throws {
        let defect = FleetSimulation.Defect(
            kind: .refuse,
            system: "iOS 26.1.0",
            share: 0.2,
            course: .step(from: 4)
        )
        let simulation = FleetSimulation(phones: 2500, seed: 11, defect: defect)
        var tally = FleetTally()
        let database = try FleetDatabase()
        try simulation.play { arrival in
            tally.add(arrival.event)
            let line = String(decoding: try JSONEncoder().encode(arrival.event), as: UTF8.self)
            try database.add(line, number: 1, of: "events")
        }
        let answers = try database.answers()
        for query in [FleetQuery.sharesByRelease, .sharesBySystem, .daysByRelease, .daysBySystem] {
            #expect(tally.answers[query] == answers[query], "\(query)")
        }
        func verdict(_ answers: [FleetQuery: [FleetDatabase.Row]]) -> FleetVerdict {
            FleetVerdict(
                answers,
                lines: database.lines,
                policy: FleetPolicy(),
                phase: FleetPolicy().phases[0],
                release: FleetSimulation.release,
                installed: FleetInstalled(total: 2500)
            )
        }
        #expect(verdict(tally.answers).causes == verdict(answers).causes)
        #expect(verdict(answers).decision == .stop)
    }

    /// 20,000 equal attempts, which one sender invented, cause a warning; attempts with different numbers of records do
    /// not.
    @Test func attemptsThatAreAllAlikeGetAWarning() throws {
        var phones = Phones()
        let different = (1...14).flatMap { day in
            (1...20).flatMap { records in
                let counts = #"[{"kind":"push","outcome":"migrated","proven":true,"count":\#(records)}]"#
                return phones(40, counts: counts, day: "2026-11-\(day < 10 ? "0" : "")\(day)")
            }
        }
        #expect(try PushBridgeFleetTests.verdict(different).warnings == [])
        let invented = phones(20_000, system: "iOS 26.1.0", day: "2026-11-14")
        let warnings = try PushBridgeFleetTests.verdict(different + invented).warnings
        // The verdict also has warnings about other versions, because the invented attempts reduce their shares.
        #expect(warnings.filter { $0.contains("are alike") }.count == 1)
        #expect(warnings.first?.contains("of 20800 attempts on 2026-11-14 are alike") == true)
    }

    @Test(arguments: [99, 100])
    func moreSendersThanInstalledPhonesGetAWarning(_ installed: Int) throws {
        var phones = Phones()
        let installation = FleetInstalled(total: installed)
        let verdict = try PushBridgeFleetTests.verdict(phones(100), installed: installation)
        #expect(verdict.warnings.contains { $0.hasPrefix("100 phones sent events") } == (installed == 99))
    }

    /// Of 100 phones that rehearse, 70 move (5 of them with two attempts), 2 are held, and 4 fail on the newest day.
    @Test func progressCountsPhonesOnce() throws {
        var phones = Phones()
        let lines =
            phones(100, step: "rehearse") + phones(65, attempt: 2)
            + phones(9, "locked", attempt: 2, counts: "[]")
            + phones(5, attempt: 3)
            + phones(4, "failed", attempt: 3, reason: "other", counts: "[]", day: "2026-11-09")
            + phones(2, "held", attempt: 3, counts: "[]") + phones(60, attempt: 4, step: "retire")
        let progress = FleetProgress(try answers(lines), release: "5.0 (500)", days: 3)
        #expect(progress.rehearsed == 100)
        #expect(progress.seen == 100)
        // The number 65 is a lower bound: 65 phones moved in attempt 2. The 5 phones that moved in attempt 3
        // may be among these 65.
        #expect(progress.moved == 65)
        #expect(progress.retired == 60)
        #expect(progress.held == 2)
        #expect(progress.trying == 4)
        #expect(progress.notSeen(of: 120) == 120 - 65 - 2 - 4)
    }

    /// Each day, 20 different phones rehearse; the phones of the last three days do not count as missing.
    @Test func phonesThatRehearsedRecentlyAreNotMissing() throws {
        var phones = Phones()
        let lines = (1...5).flatMap { phones(20, step: "rehearse", day: "2026-11-0\($0)") }
        let progress = FleetProgress(try answers(lines), release: "5.0 (500)", days: 3)
        #expect(progress.trying == 60)
        #expect(progress.notSeen(of: 100) == 40)
    }

    /// After a system update, a phone's events name the new version, so it is not a defect if fewer phones have the old
    /// one.
    @Test(arguments: [("sound, 95 % updated", 20_000), ("sound, all updated", 5000)])
    func aSystemUpdateIsNotReportedAsADefect(_ name: String, _ phones: Int) throws {
        let kind = try #require(FleetTrial.cases.first { $0.name == name })
        let result = FleetTrial.run(kind, rollOuts: 1, phones: phones, policy: FleetPolicy())
        #expect(result.rollOuts == 1)
        #expect(result.noticed == 0)
    }
}
