import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import Testing

@testable import PushBridgeCommandLine
@testable import PushBridgeMigrating
@testable import pushbridge

/// The help, the suggestions for misspelt words, the colours, and the lines and columns of errors.
@Suite struct MannersTests {
    private let pushbridge: CommandLineTool

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Inspection: Decodable {
        struct Source: Decodable {
            let records: Int
        }

        let source: Source
    }

    @Test func helpHasAnExampleOfEachCommandInGroups() throws {
        let help = try pushbridge("--help").output
        for name in HelpRequest.names {
            #expect(help.contains("\n  pushbridge \(name)"), "\(name)")
        }
        for group in ["Look at a store:", "Migrate:", "Try with a simulated server:", "Compare and decide:"] {
            #expect(help.contains("\n\(group)\n"), "\(group)")
        }
    }

    @Test(arguments: [
        ("migrat", "migrate"), ("isnpect", "inspect"), ("doktor", "doctor"), ("flet", "fleet"),
        ("pairty", "parity"),
    ])
    func misspeltCommandGetsASuggestion(_ typed: String, _ meant: String) throws {
        for arguments in [[typed, "a", "b"], ["help", typed]] {
            let run = try pushbridge.run(arguments)
            #expect(run.status == 64)
            #expect(run.diagnostics.contains("Did you mean \(meant)?"), "\(run.diagnostics)")
        }
    }

    @Test(arguments: [
        (["report", "verfy", "x"], "There is no command pushbridge report verfy. Did you mean verify?"),
        (["fleet", "simlate"], "There is no command pushbridge fleet simlate. Did you mean simulate?"),
        (["migrate", "a", "--ot", "b"], "Unknown option '--ot'. Did you mean --to?"),
        (["migrate", "a", "--ditination", "b"], "Unknown option '--ditination'. pushbridge migrate --help"),
        (["verify", "a", "--agianst=b"], "Unknown option '--agianst'. Did you mean --against?"),
        (["fleet", "a", "--polcy", "b"], "Unknown option '--polcy'. Did you mean --policy?"),
        (["parity", "--onyl", "b"], "Unknown option '--onyl'. Did you mean --only?"),
    ])
    func misspeltSecondWordOrOptionGetsASuggestion(_ arguments: [String], _ sentence: String) throws {
        let run = try pushbridge.run(arguments)
        #expect(run.status == 64)
        #expect(run.diagnostics.hasPrefix("Error: \(sentence)"), "\(run.diagnostics)")
        #expect(run.output.isEmpty)
    }

    @Test func aFileNamedLikeASubcommandIsRead() throws {
        let run = try pushbridge.run(["fleet", pushbridge.file("simulat", Data("no event\n".utf8))])
        #expect(run.status == 66)
        #expect(!run.diagnostics.contains("Did you mean"))
    }

    /// Each word differs in one or two characters from a command, such as `lab`, `plan`, `move` or `audit`.
    @Test(arguments: ["ab", "plxx", "moxx", "audxx", "an"])
    func shortWordsThatDifferInMoreThanAThirdGetNoSuggestion(_ word: String) throws {
        for arguments in [[word], ["help", word], ["fleet", word], ["report", word]] {
            let run = try pushbridge.run(arguments)
            #expect(!run.diagnostics.contains("Did you mean"), "\(run.diagnostics)")
        }
    }

    @Test func otherWordGetsNoSuggestion() throws {
        let run = try pushbridge("frobnicate")
        #expect(run.status == 64)
        #expect(run.diagnostics.contains("There is no command frobnicate."))
        #expect(!run.diagnostics.contains("Did you mean"))
        #expect(try pushbridge("help", "migrate").output.contains("--into"))
    }

    @Test(arguments: [
        ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "abc", 0), ("acb", "abc", 1),
    ])
    func editDistanceMatchesDamerau(_ one: String, _ other: String, _ distance: Int) {
        #expect(one.editDistance(to: other) == distance)
    }

    /// Each argument is a document, and the line and the column of its first fault.
    ///
    /// For example, the fourth line of the first document lacks a comma.
    @Test(arguments: [
        ("{\n  \"a\": 1,\n  \"b\": [true, null],\n  \"c\": 2 \"d\": 3\n}", 4, 10), ("", 1, 1),
        ("[1, 2", 1, 6),
        ("{\"a\": 01}", 1, 8), ("[\"a\nb\"]", 1, 4), ("[1]\n]", 2, 1), ("{'a': 1}", 1, 2), ("[1, 2,]", 1, 7),
        ("[\"\\x\"]", 1, 4), ("[tru]", 1, 5), ("\u{FEFF}[1,]", 1, 4),
    ])
    func aFaultInJSONHasALineAndAColumn(_ text: String, _ line: Int, _ column: Int) throws {
        let fault = try #require(JSONFault(in: Data(text.utf8)))
        #expect((fault.line, fault.column) == (line, column))
    }

    @Test(arguments: [
        "{}", " [1.5e-3, -0, \"\\u00e9\\n\", {\"a\": [[]]}] \n", "0", "\"\u{e9}\"", "null", "\u{FEFF}{}",
    ])
    func validJSONHasNoFault(_ text: String) {
        #expect(JSONFault(in: Data(text.utf8)) == nil)
    }

    @Test func theErrorOfAnInvalidFileContainsLineAndColumn() throws {
        let scenario = try pushbridge.file("bad.json", Data("{\"name\": \"x\",\n \"steps\": [}".utf8))
        let parity = try pushbridge("parity", "--scenario", scenario)
        #expect(parity.diagnostics.contains("bad.json: line 2, column 12: "), "\(parity.diagnostics)")
        let policy = try pushbridge("fleet", "/dev/null", "--policy", scenario)
        #expect(policy.status == 66)
        #expect(policy.diagnostics.contains("line 2, column 12"), "\(policy.diagnostics)")
    }

    @Test(arguments: ["inspect", "doctor", "verify", "plan"])
    func theErrorOfABrokenLegacyDocumentContainsLineAndColumn(_ command: String) throws {
        let store = try pushbridge.file("bad.json", Data("{\"list\":\n [1, 2}}".utf8))
        let destination = command == "plan" ? ["--to", pushbridge.path("new.db")] : []
        let run = try pushbridge.run([command, store] + destination)
        #expect(run.status == 66)
        #expect(run.output == "")
        #expect(
            run.diagnostics == """
                pushbridge: \(store) is not a store of the legacy SDK or its successor: invalid JSON at line 2, column 7.

                """
        )
    }

    /// If a part of the document is recognised, the rest is one damaged record.
    ///
    /// The reason of this record contains the line and the column of the fault.
    @Test func theReasonOfABrokenPartContainsLineAndColumn() throws {
        struct Problems: Decodable {
            struct Problem: Decodable {
                let number: String
                let reason: String
            }

            let problems: [Problem]
        }

        let store = try pushbridge.file("bad.json", Data("{\"accounts\": [],\n\"mechanisms\": [,]}".utf8))
        let run = try pushbridge("inspect", store, "--json")
        #expect(run.status == 1)
        let problems = try run.json(Problems.self).problems
        #expect(problems.map(\.number) == ["PB-R014"])
        #expect(
            problems.map(\.reason) == ["From line 2, column 16 on, the document is not well-formed JSON."]
        )
    }

    @Test func coloursFollowTheOptionAndTheEnvironment() throws {
        func colors(_ arguments: [String], _ environment: [String: String], terminal: Bool) -> Bool {
            ColorChoice(arguments: arguments).colors(environment: environment, isTerminal: terminal)
        }
        #expect(colors([], [:], terminal: true))
        #expect(!colors([], [:], terminal: false))
        #expect(!colors([], ["NO_COLOR": "1"], terminal: true))
        #expect(colors([], ["NO_COLOR": ""], terminal: true))
        #expect(!colors([], ["TERM": "dumb"], terminal: true))
        #expect(colors(["--color", "always"], ["NO_COLOR": "1"], terminal: false))
        #expect(!colors(["--color=never"], [:], terminal: true))

        let store = try pushbridge.fixture("damaged.sqlite")
        #expect(
            try pushbridge("doctor", store, "--color", "always").output.contains("\u{1B}[31mfault\u{1B}[0m ")
        )
        #expect(!(try pushbridge("doctor", store).output.contains("\u{1B}")))
        #expect(!(try pushbridge("doctor", store, "--json", "--color", "always").output.contains("\u{1B}")))
        #expect(try pushbridge("doctor", store, "--color", "red").status == 64)
    }

    @Test func progressHasATotalAndPercent() throws {
        // There are 14 records. The database also has two items of other services, which do not count.
        let inspection = try pushbridge("inspect", pushbridge.fixture("everyday.jsonl"), "--json")
        let records = try inspection.json(Inspection.self).source.records
        for name in ["everyday.jsonl", "everyday.sqlite"] {
            #expect(LegacyFile.recordCount(of: LegacyFixtures.url(name)) == records)
        }
        #expect(LegacyFile.recordCount(of: LegacyFixtures.url("everyday.plist")) == nil)
        let written = Guarded("")
        let bar = ProgressBar(isInteractive: false, startedBefore: .seconds(2)) { text in
            written.withValue { $0 += text }
        }
        bar.show(CredentialMigration.Progress(step: .applying, completed: 15_000, total: 60_000))
        #expect(written.withValue { $0 } == "applying 15000 of 60000 records, 25 %\n")
    }

    /// While the commands `credentials` and `export` read a store, they show this progress.
    @Test func readingAStoreHasATotalAndPercent() throws {
        var contents = StoreContents()
        contents.accounts = (1...2_500).map { AccountProfile(issuer: "Bank", accountName: "user\($0)") }
        let store = MemoryCredentialStore()
        try store.add(contents)
        let seen = Guarded<[[Int]]>([])
        _ = try store.contents { completed, total in seen.withValue { $0.append([completed, total]) } }
        #expect(seen.withValue { $0 } == [[1000, 2500], [2000, 2500]])

        let written = Guarded("")
        let bar = ProgressBar(isInteractive: false, startedBefore: .seconds(2)) { text in
            written.withValue { $0 += text }
        }
        bar.show("exporting", records: 15_000, of: 60_000)
        #expect(written.withValue { $0 } == "exporting: 15000 of 60000 records, 25 %\n")
    }

    #if os(Linux)
    @Test func interruptedMigrationPrintsHowToContinue() throws {
        let lines = (1...20_000).map { number in
            #"{"svce":"\#(LegacyService.notification.rawValue)","acct":"n\#(number)","data":"AAAA"}"#
        }
        let source = try pushbridge.file("large.jsonl", Data(lines.joined(separator: "\n").utf8))
        let arguments = ["migrate", source, "--to", pushbridge.path("new.db")]
        // This process may ignore the signal. If it does, its child processes also ignore the signal.
        let before = signal(SIGINT, SIG_DFL)
        let running = try RunningTool(arguments)
        signal(SIGINT, before)
        #expect(try running.interrupt() == SIGINT)
        #expect(
            try running.diagnostics().hasSuffix(
                "pushbridge: interrupted; run the same command again to continue.\n"
            )
        )
        let again = try pushbridge.run(arguments + ["--json"])
        // None of these records can be read.
        #expect(again.status == 1)
        #expect(try again.json(Migration.self).source.records == 20_000)
    }

    private struct Migration: Decodable {
        let source: Inspection.Source
    }

    @Test func interruptedParityPrintsHowToStartOver() throws {
        let before = signal(SIGINT, SIG_DFL)
        let running = try RunningTool(["parity", "--random", "100000"])
        signal(SIGINT, before)
        #expect(try running.interrupt() == SIGINT)
        #expect(
            try running.diagnostics().hasSuffix(
                "pushbridge: interrupted; run the same command again to start over.\n"
            )
        )
    }
    #endif
}
