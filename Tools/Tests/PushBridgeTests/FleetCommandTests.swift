import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

/// Runs `fleet` as a user does.
@Suite struct FleetCommandTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Verdict: Decodable {
        struct Cause: Decodable {
            let rule: String
            let measure: String?
            let systemVersion: String?
        }

        let verdict: String
        let causes: [Cause]
        let totals: [[String: Int]]
    }

    private struct Rehearsal: Decodable {
        let stoppedOnDay: Int?
    }

    @Test func soundReleaseContinuesAndBadOneStops() throws {
        let sound = pushbridge.path("sound.jsonl")
        let played = try pushbridge("fleet", "simulate", "--phones", "1500", "--to", sound, "--json")
        #expect(played.status == 0)
        #expect(try played.json(Rehearsal.self).stoppedOnDay == nil)
        let continued = try pushbridge("fleet", sound, "--phase", "1", "--json")
        #expect(continued.status == 0)
        #expect(try continued.json(Verdict.self).verdict == "continue")
        let tooFew = try pushbridge("fleet", sound, "--json")
        #expect(tooFew.status == 2)
        #expect(try tooFew.json(Verdict.self).causes.map(\.rule) == ["tooFewPhones"])

        let bad = pushbridge.path("bad.jsonl")
        let defect = ["--defect", "unproven", "--defect-system", "iOS 26.1.0"]
        let stopped = try pushbridge.run(["fleet", "simulate", "--phones", "1500", "--to", bad] + defect)
        #expect(stopped.output.contains("The policy would have stopped the release at the end of day "))
        let stops = try pushbridge("fleet", bad, "--json")
        #expect(stops.status == 3)
        let cause = try stops.json(Verdict.self).causes.first { $0.systemVersion != nil }
        #expect(cause?.measure == "unproven")
        #expect(cause?.systemVersion == "iOS 26.1.0")
        #expect(try pushbridge("fleet", bad).output.contains("\nstop: pause the phased release"))
    }

    @Test func aCompressedFileGivesTheSameResultAsAPlainOne() throws {
        let plain = pushbridge.path("events.jsonl")
        #expect(try pushbridge("fleet", "simulate", "--phones", "300", "--to", plain).status == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-k", plain]
        try process.run()
        process.waitUntilExit()
        let expected = try pushbridge("fleet", plain, "--json").result
        #expect(try pushbridge("fleet", "\(plain).gz", "--json").result == expected)
        // Duplicate events belong to the same attempts.
        let both = try pushbridge("fleet", plain, "\(plain).gz", "--json").json(Verdict.self).totals[0]
        let once = try JSONDecoder().decode(Verdict.self, from: Data(expected.utf8)).totals[0]
        #expect(both["attempts"] == once["attempts"])
        #expect(both["events"] == once["events"].map { 2 * $0 })

        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(plain).gz"))
        let cut = try pushbridge.file("cut.gz", bytes.prefix(bytes.count / 2))
        let refused = try pushbridge("fleet", cut)
        #expect(refused.status == 66)
        #expect(refused.sentences.count == 1)
        #expect(refused.diagnostics.contains("damaged gzip file"))
    }

    @Test func inputWithoutAnEventIsReportedInOneSentence() throws {
        let table = try pushbridge.file("table.csv", Data("day,outcome\n2026-11-02,complete\n".utf8))
        for (arguments, word) in [
            ([table], "table.csv, line 1"), ([pushbridge.path("absent")], "no file"), (["/"], "is a folder"),
        ] {
            let run = try pushbridge.run(["fleet"] + arguments)
            #expect(run.status == 66)
            #expect(run.output.isEmpty)
            #expect(run.sentences.count == 1)
            #expect(run.diagnostics.contains(word))
        }
        let empty = try pushbridge.file("empty.jsonl")
        #expect(try pushbridge("fleet", empty).status == 2)
        #expect(try pushbridge("fleet", empty, "--phase", "3").status == 64)
        #expect(try pushbridge("fleet").status == 64)
    }

    @Test func damagedLinesAndAnUnterminatedLastLineAreCounted() throws {
        let plain = pushbridge.path("events.jsonl")
        #expect(try pushbridge("fleet", "simulate", "--phones", "100", "--to", plain).status == 0)
        var data = try Data(contentsOf: URL(fileURLWithPath: plain))
        let lines = data.split(separator: 0x0A).count
        data.removeLast()
        data.insert(contentsOf: [0xFF, 0xFE, 0x00, 0x0A, 0x0D, 0x0A], at: 0)
        data.insert(contentsOf: Data(repeating: 0x5B, count: 3 << 20) + [0x0A], at: 0)
        let file = try pushbridge.file("strange.jsonl", data)
        let run = try pushbridge("fleet", file)
        #expect(run.output.hasPrefix("fleet: \(lines + 2) lines, \(lines) events"))
        #expect(
            run.output.contains(
                "not counted: 2 damaged, 0 in a newer format (\(file), line 1; \(file), line 2)"
            )
        )
    }

    /// Of four installed phones, one moved, one failed, and two were never seen.
    @Test func progressIsAShareOfTheInstalledPhones() throws {
        struct Shown: Decodable {
            struct Progress: Decodable {
                let moved: Int
                let notSeen: Int
                let shares: [String: Double]
            }

            let progress: Progress
        }
        let lines = ["complete", "failed"].enumerated().map { index, outcome in
            #"{"schema":1,"attemptId":"00000000-0000-4000-8000-00000000000\#(index)","attempt":1,"step":"apply","#
                + #""outcome":"\#(outcome)","versions":{"app":"5.0","system":"iOS 26.1.0"},"day":"2026-11-03"}"#
        }
        let events = try pushbridge.file("two.jsonl", Data(lines.joined(separator: "\n").utf8))
        let run = try pushbridge("fleet", events, "--installed", "4", "--json")
        #expect(run.status == 2)
        let progress = try run.json(Shown.self).progress
        #expect(progress.moved == 1)
        #expect(progress.notSeen == 2)
        #expect(progress.shares["moved"] == 0.25)
        #expect(progress.shares["notSeen"] == 0.5)
        let page = pushbridge.path("progress.html")
        let later = try pushbridge("fleet", events, "--installed", "4", "--report", page)
        let words = "have not moved, and have made no attempt for 30 days (upper bound)"
        #expect(later.output.contains(words))
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains(words))
        // The phone that failed made no attempt in the 30 days before 5 December.
        let until = ["fleet", events, "--installed", "4", "--until", "2026-12-05", "--json"]
        #expect(try pushbridge.run(until).json(Shown.self).progress.notSeen == 3)
        #expect(
            try pushbridge("fleet", events, "--installed", "iOS 26.1.0=4").output.contains(
                "Progress of 4 installed phones"
            )
        )
        for value in ["many", "=4", "iOS 26.1.0=", "-3"] {
            #expect(try pushbridge("fleet", events, "--installed=\(value)").status == 64, "\(value)")
        }
    }

    /// Returns a file that contains the events of one step.
    ///
    /// The events are made from the events of a simulated release.
    private func events(of step: String = "rehearse", _ options: [String]) throws -> String {
        let events = pushbridge.path("played.jsonl")
        let played = ["fleet", "simulate", "--phones", "1500", "--to", events] + options
        #expect(try pushbridge.run(played).status == 0)
        let lines = try String(contentsOf: URL(fileURLWithPath: events), encoding: .utf8)
            .split(separator: "\n").filter { !$0.contains(#""step":"retire""#) }
            .map { $0.replacing(#""step":"apply""#, with: #""step":"\#(step)""#) }
        return try pushbridge.file("\(step).jsonl", Data(lines.joined(separator: "\n").utf8))
    }

    @Test func aReportOfOnlyRehearsalsHasItsOwnPlotsAndWords() throws {
        let events = try events([])
        let page = pushbridge.path("rehearsals.html")
        let run = try pushbridge("fleet", events, "--phase", "1", "--report", page)
        #expect(run.status == 0)
        #expect(run.output.contains("\ncontinue: in the rehearsals of this release, every measure is within"))
        #expect(run.output.contains("no phone with this release has moved yet"))
        #expect(run.output.contains("In a rehearsal, partial means that some records would not arrive.\n"))
        #expect(!run.output.contains("outOfTime"))
        let html = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
        #expect(html.contains("<h2>Rehearsals of 5.0 (500) by day"))
        #expect(html.contains("Rehearsals that failed, or that had refused or unproven records, by day"))
        #expect(!html.contains("Attempts of 5.0"))
        let few = try pushbridge("fleet", events)
        #expect(few.status == 2)
        #expect(
            few.output.contains(
                "phones of the release 5.0 (500) rehearsed; the phase of 100 % requires 10000."
            )
        )
        #expect(few.output.contains("\nhold: let no phone move until"))
    }

    /// Returns a file that contains one event for each step on each of two days.
    ///
    /// Each step has an outcome, and states whether its event reports a damaged record.
    private func few(_ steps: [(step: String, outcome: String, isDamaged: Bool)]) throws -> String {
        let lines = steps.enumerated().flatMap { index, event in
            (1...2).map { day in
                let counts =
                    event.isDamaged
                    ? #"[{"kind":"push","outcome":"damaged","proven":false,"count":1}]"# : "[]"
                return
                    #"{"schema":1,"attemptId":"00000000-0000-4000-8000-0000000000\#(index)\#(day)","attempt":1,"#
                    + #""step":"\#(event.step)","outcome":"\#(event.outcome)","counts":\#(counts),"#
                    + #""versions":{"app":"5.0","system":"iOS 26.1.0"},"day":"2026-11-0\#(day)"}"#
            }
        }
        return try pushbridge.file("few.jsonl", Data(lines.joined(separator: "\n").utf8))
    }

    @Test func checksEndedByTheTimeLimitAreNotPartial() throws {
        struct Row: Decodable, Hashable {
            let step: String
            let outcome: String
        }
        struct Shown: Decodable { let outcomesByRelease: [Row] }
        let events = try few([
            ("rehearse", "partial", true), ("rehearse", "partial", false), ("compare", "partial", false),
            ("apply", "partial", false),
        ])
        let rows = try pushbridge("fleet", events, "--json").json(Shown.self).outcomesByRelease
        #expect(
            Set(rows) == [
                Row(step: "rehearse", outcome: "partial"), Row(step: "rehearse", outcome: "outOfTime"),
                Row(step: "compare", outcome: "outOfTime"), Row(step: "apply", outcome: "partial"),
            ]
        )
        let text = try pushbridge("fleet", events).output
        #expect(text.contains("the time limit ended the step before its last record; the records"))
        #expect(text.contains("warning: 5.0: 2 of 4 rehearsals ended before their last record; they"))
    }

    @Test func thePageContainsPlotsOfRehearsalsAfterTheFirstMove() throws {
        let page = pushbridge.path("steps.html")
        let events = try few([("rehearse", "complete", false), ("apply", "complete", false)])
        _ = try pushbridge("fleet", events, "--report", page)
        let html = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
        #expect(html.contains("<h2>Attempts of 5.0 by day"))
        #expect(html.contains("<h2>Rehearsals of 5.0 by day"))
        #expect(html.contains("<h2>Rehearsals of 5.0: share with problems, by day"))
    }

    @Test func theTimeScaleEndsAtTheLastCompleteDay() throws {
        let page = pushbridge.path("until.html")
        let events = try few([("apply", "complete", false)])
        _ = try pushbridge("fleet", events, "--report", page, "--until", "2026-11-09")
        let html = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
        // The scale has nine days, so the second day is at an eighth of its width.
        #expect(html.contains("points=\"5.0,65.0 40.0,65.0\""))
        #expect(html.contains("2026-11-09"))
        // There is one bar for each of the nine days.
        #expect(html.components(separatedBy: "<span class=\"label\">2026-11-0").count == 10)
    }

    @Test func comparisonsBesideRehearsalsAreNamed() throws {
        // The last line is not an event, which is a cause for hold that concerns no step. The sentence must still
        // name both kinds of checks.
        let checks = try few([("rehearse", "complete", false), ("compare", "complete", false)])
        let events = try Data(contentsOf: URL(fileURLWithPath: checks)) + Data("\nno event\n".utf8)
        let run = try pushbridge("fleet", pushbridge.file("checks.jsonl", events))
        #expect(
            run.output.contains("so far, phones only rehearsed, and compared records that moved earlier.")
        )
    }

    @Test func unprovenRehearsalsStopTheMigration() throws {
        let defect = ["--defect", "unproven", "--defect-system", "all", "--defect-share", "0.2"]
        let run = try pushbridge("fleet", events(defect), "--phase", "1")
        #expect(run.status == 3)
        #expect(run.output.contains("phones have records that would arrive and not be proven"))
        #expect(run.output.contains("\nstop: set the gate to off for the migration"))
    }

    @Test func differencesBetweenTheStoresStopTheRemovalOfLegacyRecords() throws {
        let defect = ["--defect", "unproven", "--defect-system", "all", "--defect-share", "0.2"]
        let run = try pushbridge("fleet", events(of: "compare", defect), "--phase", "1")
        #expect(run.status == 3)
        #expect(run.output.contains("phones have records that give different results in the two stores"))
        #expect(run.output.contains("\nstop: set the gate to off for the removal of legacy records"))
        #expect(
            run.output.contains("In a comparison, complete means that both stores give the same results.")
        )
    }

    @Test func theNewestDayIsStatedAndAnOldOneIsAWarning() throws {
        struct Shown: Decodable {
            let countedUntil: String?
            let warnings: [String]
        }
        func events(_ day: String) throws -> String {
            let line =
                #"{"schema":1,"attemptId":"00000000-0000-4000-8000-000000000001","attempt":1,"step":"apply","#
                + #""outcome":"complete","versions":{"app":"5.0","system":"iOS 26.1.0"},"day":"\#(day)"}"#
            return try pushbridge.file("of \(day).jsonl", Data(line.utf8))
        }
        let old = try pushbridge("fleet", events("2001-02-03"))
        #expect(old.output.contains("; counted until 2001-02-03\n"))
        #expect(old.output.contains("warning: The newest event is from 2001-02-03, "))
        let json = try pushbridge("fleet", events("2001-02-03"), "--json").json(Shown.self)
        #expect(json.countedUntil == "2001-02-03")
        #expect(json.warnings.count == 1)
        let tolerated = try pushbridge("fleet", events("2001-02-03"), "--max-age", "100000")
        #expect(!tolerated.output.contains("warning: "))
        let today = Date().formatted(.iso8601.year().month().day())
        #expect(!(try pushbridge("fleet", events(today)).output.contains("warning: ")))
        let empty = try pushbridge("fleet", pushbridge.file("empty.jsonl"), "--json")
        #expect(try empty.json(Shown.self).countedUntil == nil)
    }

    @Test func anExistingFileIsNotOverwritten() throws {
        let there = try pushbridge.file("there.jsonl", Data("mine".utf8))
        let run = try pushbridge("fleet", "simulate", "--phones", "10", "--to", there)
        #expect(run.status == 73)
        #expect(try Data(contentsOf: URL(fileURLWithPath: there)) == Data("mine".utf8))
    }

    @Test func pageIsOneFileThatShowsTheVerdict() throws {
        let events = pushbridge.path("events.jsonl")
        let page = pushbridge.path("fleet.html")
        #expect(
            try pushbridge("fleet", "simulate", "--phones", "1500", "--defect", "crash", "--to", events)
                .status == 0
        )
        // In telemetry, the name of a release may be any text.
        let hostile =
            #"{"schema":1,"attemptId":"00000000-0000-4000-8000-000000000001","attempt":1,"step":"apply","#
            + #""outcome":"failed","versions":{"app":"<script>alert(1)</script>","system":"<b>"}}"#
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: events))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\(hostile)\n".utf8))
        try handle.close()
        #expect(try pushbridge("fleet", events, "--release", "5.0 (500)", "--report", page).status == 3)
        let html = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
        #expect(html.contains("<p class=\"verdict bad\">stop: "))
        #expect(html.contains("iOS 18.7.2"))
        #expect(html.contains("Attempts of 5.0 (500): share with problems, by day and system version"))
        #expect(html.contains("role=\"img\" aria-label=\"Share with problems, all system versions: 20"))
        #expect(html.contains("role=\"img\" aria-label=\"Share with problems, iOS 26.1.0: 20"))
        // docs/outcomes.md lists the numbers of reasons.
        #expect(html.contains("<td>PB-R018</td><td>undecryptable</td>"))
        #expect(!html.contains("<script"))
        #expect(!html.contains("http"))
        #expect(html.contains("&lt;script&gt;"))
    }
}
