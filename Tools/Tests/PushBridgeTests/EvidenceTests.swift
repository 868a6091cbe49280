import Foundation
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import Testing

@testable import PushBridgeCommandLine

/// Reports state how they were made, begin with the findings, and replace names if an option requires this.
@Suite("Reports as evidence")
struct EvidenceTests {
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
    }

    private func json(_ run: CommandLineTool.Run) throws -> JSONValue {
        try #require(JSONValue(json: Data(run.output.utf8)))
    }

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: tool.path(name), encoding: .utf8)
    }

    /// The expected digest is the output of `printf abc | sha256sum`.
    @Test func theDigestIsTheSHA256OfTheFile() throws {
        let file = tool.path("abc")
        try Data("abc".utf8).write(to: URL(fileURLWithPath: file))
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Evidence.Input(at: file).sha256 == known)
        #expect(Evidence.Input(at: file).name == "abc")
        #expect(Evidence.Input(at: tool.path("none")).sha256 == nil)
        // The log is part of a database, so the digest covers both files.
        try Data("c".utf8).write(to: URL(fileURLWithPath: tool.path("ab-wal")))
        try Data("ab".utf8).write(to: URL(fileURLWithPath: tool.path("ab")))
        #expect(Evidence.Input(at: tool.path("ab")).sha256 == known)
    }

    @Test func theRecordedOptionsContainNoFoldersAndNoSecrets() {
        let arguments = [
            "conform", "--server", "https://am.example.com/am", "--session", "AQIC5w", "--code=pushauth://x",
            "--push", "/home/me/a.apns", "--report", "/home/me/r.html",
        ]
        let evidence = Evidence(of: [], arguments: arguments)
        #expect(
            evidence.options == [
                "conform", "--server", "https://am.example.com/am", "--session", "…", "--code=…", "--push",
                "…", "--report", "r.html",
            ]
        )
    }

    /// If an executable has only one command, the evidence adds the name of the command, which the arguments lack.
    @Test func optionsOfACompanionBeginWithItsCommand() {
        let arguments = Evidence.arguments(of: ["/usr/bin/pushbridge-fleet", "/home/me/events.jsonl"])
        #expect(Evidence(of: [], arguments: arguments).options == ["fleet", "events.jsonl"])
        #expect(Evidence(of: [], isRedacted: true, arguments: arguments).options == ["fleet", "…"])
        #expect(Evidence.arguments(of: ["/usr/bin/pushbridge", "plan", "a"]) == ["plan", "a"])
    }

    /// Returns the evidence in the JSON that a command prints, after checking the date, the tool and the folders.
    private func evidence(_ arguments: String...) throws -> Evidence {
        // The report's date has no fractions of a second, so it can be up to a second before the start of the run.
        let start = Date(timeIntervalSinceNow: -1)
        let run = try tool.run(arguments + ["--json"])
        let made = try #require(Evidence(in: Data(run.output.utf8)), "\(arguments): \(run.diagnostics)")
        #expect((start...Date()).contains(made.date), "\(arguments)")
        #expect(made.tool == "pushbridge \(PackageVersion.current)", "\(arguments)")
        let folder = URL(fileURLWithPath: tool.path("new.db")).deletingLastPathComponent().path
        let text = try #require(try json(run)["made"]).text
        #expect(!text.contains(folder), "\(arguments)")
        return made
    }

    /// `ConformTests` and `AuditCommandTests` check the outputs of `conform` and `audit`.
    @Test func everyOutputStatesHowItWasMade() throws {
        let store = try tool.fixture("everyday.sqlite")
        let (database, events) = (tool.path("new.db"), tool.path("events.jsonl"))
        #expect(try tool("fleet", "simulate", "--phones", "100", "--to", events).status == 0)
        let stored = try #require(Evidence.Input(at: store).sha256)

        let plan = try evidence("plan", store, "--to", database)
        #expect(plan.options == ["plan", "everyday.sqlite", "--to", "new.db", "--json"])
        let migrate = try evidence("migrate", store, "--to", database)
        #expect(migrate.options == ["migrate", "everyday.sqlite", "--to", "new.db", "--json"])
        let signing = try evidence("verify", store)
        #expect(signing.options == ["verify", "everyday.sqlite", "--json"])
        for made in [plan, migrate, signing] {
            #expect(made.inputs.map(\.name) == ["everyday.sqlite"])
            #expect(made.inputs.map(\.sha256) == [stored])
        }

        let verify = try evidence("verify", store, "--against", database)
        #expect(verify.options == ["verify", "everyday.sqlite", "--against", "new.db", "--json"])
        #expect(verify.inputs.map(\.name) == ["everyday.sqlite", "new.db"])
        #expect(verify.inputs.map(\.sha256) == [stored, Evidence.Input(at: database).sha256])

        let doctor = try evidence("doctor", store)
        #expect(doctor.options == ["doctor", "…", "--json"])
        #expect(doctor.inputs.map(\.name) == ["store"])
        #expect(doctor.inputs.map(\.sha256) == [stored])

        let fleet = try evidence("fleet", events)
        #expect(fleet.options == ["fleet", "events.jsonl", "--json"])
        #expect(fleet.inputs.map(\.name) == ["events.jsonl"])
        #expect(fleet.inputs.map(\.sha256) == [Evidence.Input(at: events).sha256])

        // The digest is computed from the scenario in the program, because no file is read.
        let parity = try evidence("parity", "--only", "The token is empty")
        #expect(parity.options == ["parity", "--only", "The token is empty", "--json"])
        #expect(parity.inputs.map(\.name) == ["1 scenario of this program"])
        #expect(parity.inputs.map(\.sha256?.count) == [64])
    }

    @Test(arguments: ["report.html", "report.json"])
    func aReportIsVerifiedUntilItsFilesChange(_ name: String) throws {
        let store = try tool.fixture("everyday.sqlite")
        let report = tool.path(name)
        _ = try tool("migrate", store, "--to", tool.path("new.db"), "--report", report)
        #expect(try tool("report", "verify", report).status == 0)
        #expect(try tool("report", "verify", report, store).output.contains("same"))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
        try file.seekToEnd()
        try file.write(contentsOf: Data([0]))
        try file.close()
        let changed = try tool("report", "verify", report, "--json")
        #expect(changed.status == 1)
        #expect(changed.output.contains("\"now\":\"changed\""))
        try FileManager.default.removeItem(atPath: store)
        let missing = try tool("report", "verify", report)
        #expect(missing.status == 66)
        #expect(missing.output.contains("A file was not found"))
        #expect(try tool("report", "verify", tool.path("new.db.key")).status == 66)
        #expect(try tool("report", "verify", report, store, store).status == 64)
    }

    @Test func aPageBeginsWithRecordsThatNeedAttentionAndAccounts() throws {
        let store = try tool.fixture("damaged.sqlite")
        _ = try tool("migrate", store, "--to", tool.path("new.db"), "--report", tool.path("r.html"))
        let page = try page("r.html")
        let parts = [
            "Needing attention</h2>", "Accounts</h2>", "Totals</h2>", "Records</h2>", "How this report",
        ]
        let places = parts.map { page.firstRange(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(page.contains("This report contains personal data: account names and issuers"))
        #expect(page.contains("@page { size: A4"))
        // On paper, long keys do not fill pages.
        #expect(page.contains("-webkit-line-clamp: 6"))
        #expect(!page.contains("<!--"))
    }

    @Test func aRedactedReportHasStablePseudonyms() throws {
        let store = try tool.fixture("everyday.sqlite")
        let database = tool.path("new.db")
        let migrate = try tool(
            "migrate",
            store,
            "--to",
            database,
            "--json",
            "--redact",
            "--report",
            tool.path("r.html")
        )
        let verify = try tool("verify", store, "--against", database, "--json", "--redact")
        for text in [migrate.output, verify.output, try page("r.html")] {
            for name in ["alice", "bob", "carol", "Acme", "everyday", "new.db"] {
                #expect(!text.contains(name), "\(name)")
            }
            #expect(text.contains("account 1, totp"))
        }
        guard case .array(let migrated)? = try json(migrate)["records"],
            case .array(let verified)? = try json(verify)["records"]
        else {
            Issue.record("The output contains no records.")
            return
        }
        #expect(migrated.map { $0["key"] } == verified.map { $0["key"] })
        #expect(migrated.map { $0["credentialId"] } == verified.map { $0["credentialId"] })
        #expect(Set(migrated.compactMap { $0["key"]?.text }).count == migrated.count)
        #expect(try json(migrate)["made"]?["personalData"] == .array([]))
    }

    /// Adding two accounts before all others does not change the pseudonyms that a key makes.
    @Test func aKeyMakesPseudonymsThatDependOnTheNameAlone() throws {
        let key = try tool.file("names.key", Data((0..<32).map { UInt8($0) }))
        let other = try tool.file("other.key", Data((1...32).map { UInt8($0) }))
        let lines = ["alice", "bob"].map(Self.account)
        let store = try tool.file("one.jsonl", Data(lines.joined(separator: "\n").utf8))
        let more = ["zoe", "yann"].map(Self.account) + lines
        let larger = try tool.file("two.jsonl", Data(more.joined(separator: "\n").utf8))
        func keys(_ store: String, _ options: String...) throws -> [JSONValue?] {
            let run = try tool.run(["plan", store, "--to", tool.path("new.db"), "--json"] + options)
            #expect(!run.output.contains("alice"))
            guard case .array(let records)? = try json(run)["records"] else { return [] }
            return records.map { $0["key"] }
        }
        let first = try keys(store, "--redact-key", key)
        #expect(Set(first).count == 2)
        #expect(Array(try keys(larger, "--redact-key", key).suffix(2)) == first)
        #expect(Set(try keys(store, "--redact-key", other)).isDisjoint(with: first))
        // Without a key, the pseudonyms are numbers, which follow the order of the accounts in the store.
        #expect(Array(try keys(larger, "--redact").suffix(2)) != (try keys(store, "--redact")))
        let short = try tool.file("short.key", Data(repeating: 1, count: 31))
        let refused = try tool("plan", store, "--to", tool.path("new.db"), "--redact-key", short)
        #expect(refused.status == 77)
        #expect(refused.diagnostics.contains("has 31 bytes; the key for pseudonyms needs at least 32 bytes"))
    }

    /// Words of a reason are not replaced, even if names in the store are equal to these words or to parts of them.
    @Test func aNameDoesNotReplaceWordsOfAReason() throws {
        let lines = ["a", "bytes", "bin", "list"].map { name in
            Self.account(name).replacing("Bank-\(name)", with: name)
        }
        let store = try tool.file("words.jsonl", Data(lines.joined(separator: "\n").utf8))
        let run = try tool("plan", store, "--to", tool.path("new.db"), "--json", "--redact")
        guard case .array(let records)? = try json(run)["records"] else {
            Issue.record("The output has no array records: \(run.output)")
            return
        }
        #expect(records.map { $0["key"]?.text } == (1...4).map { "\"account \($0), push\"" })
        #expect(Set(records.map { $0["reason"]?.text }) == ["\"The bytes are not a binary property list.\""])
    }

    /// Returns a folder that contains eight stores, three of them in an inner folder, and a file that is not a store.
    private func stores() throws -> String {
        let folder = URL(fileURLWithPath: tool.path("handsets"))
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        for number in 1...8 {
            let place = (number < 4 ? inner : folder).appendingPathComponent("phone\(number).jsonl")
            try Data(Self.account("name\(number)").utf8).write(to: place)
        }
        try Data("no store".utf8).write(to: folder.appendingPathComponent("phone9.txt"))
        return folder.path
    }

    @Test(arguments: [("r.html", []), ("r.json", []), ("r.json", ["--redact"])])
    func aReportOfManyStoresDescribesEachFile(_ name: String, _ options: [String]) throws {
        let (folder, report) = (try stores(), tool.path(name))
        let arguments = ["migrate", folder, "--into", tool.path("many"), "--report", report] + options
        #expect(try tool.run(arguments).status == 1)
        // The second run replaces the report of the first run, although the report begins with a long list.
        #expect(try tool.run(arguments).status == 1)
        #expect(try tool("report", "verify", report, folder).status == 0)
        let missing = try tool("report", "verify", report)
        #expect(missing.status == 66)
        #expect(missing.output.contains("A file was not found"))
        let file = URL(fileURLWithPath: folder).appendingPathComponent("inner/phone2.jsonl")
        try Data(Self.account("other").utf8).write(to: file)
        let changed = try tool("report", "verify", report, folder, "--json")
        // A redacted report does not name the file.
        let line =
            options.isEmpty
            ? #"{"name":"phone2.jsonl","now":"changed"}"# : #"{"name":"store 2","now":"missing"}"#
        #expect(changed.output.contains(line), "\(changed.output)")
        #expect(changed.status == (options.isEmpty ? 1 : 66))
        // If no folder is given, there must be as many files as inputs.
        #expect(try tool("report", "verify", report, file.path).status == 64)
    }

    /// Creates stores with the same contents, and returns their folder and their paths.
    private func equalStores(_ names: String...) throws -> (folder: String, files: [String]) {
        let files = try names.map { name in
            let url = URL(fileURLWithPath: tool.path("pair")).appendingPathComponent(name)
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(Self.account("name").utf8).write(to: url)
            return url.path
        }
        return (tool.path("pair"), files)
    }

    /// One file does not count for two inputs with the same contents, even in a redacted report.
    ///
    /// A redacted report describes the files by their position.
    @Test(arguments: [[], ["--redact"]])
    func eachFileCountsForOneInput(_ options: [String]) throws {
        let (report, (folder, files)) = (tool.path("r.json"), try equalStores("a.jsonl", "b.jsonl"))
        let migrate = ["migrate"] + files + ["--into", tool.path("many"), "--report", report] + options
        #expect(try tool.run(migrate).status == 1)
        #expect(try tool("report", "verify", report, folder).status == 0)
        // A file that is given twice, in its folder and by its path, counts as one file.
        #expect(try tool("report", "verify", report, folder, files[0]).status == 0)
        #expect(
            try tool("report", "verify", report, folder, tool.path("none")).diagnostics.contains("no file")
        )
        try Data(Self.account("other").utf8).write(to: URL(fileURLWithPath: files[1]))
        let changed = try tool.run(["report", "verify", report] + files + ["--json"])
        #expect(changed.status == 1)
        #expect(changed.output.contains(#""now":"changed""#) && changed.output.contains(#""now":"same""#))
        try FileManager.default.removeItem(atPath: files[1])
        for sources in [[folder], [folder, files[0]]] {
            let missing = try tool.run(["report", "verify", report] + sources)
            #expect(missing.status == 66)
            let sentence = options.isEmpty ? "A file was not found" : "No file has the contents of store 2."
            #expect(missing.output.contains(sentence), "\(missing.output)")
        }
    }

    @Test func inputsWithOneNameAreNotComparedByName() throws {
        let (report, (_, files)) = (tool.path("r.json"), try equalStores("p/s.jsonl", "q/s.jsonl"))
        let migrate = ["migrate"] + files + ["--into", tool.path("many"), "--report", report]
        #expect(try tool.run(migrate).status == 1)
        try FileManager.default.copyItem(atPath: files[0], toPath: tool.path("s.jsonl"))
        let run = try tool("report", "verify", report)
        #expect(run.status == 66)
        #expect(run.output.contains("unknown") && run.output.contains("Several inputs have the same name"))
        #expect(try tool.run(["report", "verify", report] + files).status == 0)
    }

    @Test func anInputThatCannotBeComparedIsCounted() throws {
        let file = try tool.file("one", Data("one".utf8))
        let made = Evidence(of: [.init(at: file), .init(at: "-")])
        let report = try tool.file("r.json", Data("{\"made\":\(made.json.text)}".utf8))
        let run = try tool("report", "verify", report)
        #expect(run.status == 0)
        #expect(run.output.contains("1 input cannot be compared; the report describes the other files."))
        #expect(Evidence.Input.isFile(at: file) && !Evidence.Input.isFile(at: "/dev/null"))
    }

    @Test func inputsAndRowsHaveTheSamePseudonyms() throws {
        let key = try tool.file("names.key", Data((0..<32).map { UInt8($0) }))
        let (_, files) = try equalStores("a.jsonl", "b.jsonl")
        let run = try tool.run(
            ["migrate"] + files + ["--into", tool.path("many"), "--redact-key", key, "--json"]
        )
        let report = try json(run)
        guard case .array(let inputs)? = report["made"]?["inputs"],
            case .array(let stores)? = report["stores"]
        else {
            Issue.record("The output lacks the inputs or the stores: \(run.output)")
            return
        }
        #expect(inputs.count == 2 && inputs.map { $0["name"] } == stores.map { $0["source"] })
    }

    @Test func theReportOfManyStoresHasPseudonyms() throws {
        let page = tool.path("r.html")
        let run = try tool(
            "migrate",
            stores(),
            "--into",
            tool.path("moved-here"),
            "--redact",
            "--json",
            "--report",
            page
        )
        #expect(run.status == 1)
        for text in [run.output, try self.page("r.html")] {
            for name in ["phone", "handsets", "inner", "moved-here", "name1"] {
                #expect(!text.contains(name), "\(name)")
            }
            #expect(text.contains("store 9") && text.contains("database 8"))
            #expect(text.contains("Not migrated; a report that is not redacted has the reason."))
            // A reason's sentence may repeat text of a record, so a redacted report omits the sentences.
            #expect(!text.contains("property list"))
        }
        #expect(run.output.contains(#""number":"PB-R"#))
        #expect(try self.page("r.html").contains("(PB-R"))
        #expect(try json(run)["made"]?["personalData"] == .array([]))
    }

    @Test func aFileThatChangesWhileItIsReadIsMarked() throws {
        let paths = try ["one", "two"].map { try tool.file($0, Data($0.utf8)) }
        let before = Evidence(of: [
            .init(at: paths[0]), .init(all: paths, noun: "store"), .init("x", contents: Data()),
        ])
        #expect(before.afterReading().inputs.allSatisfy { !$0.isChanged })
        try Data("three".utf8).write(to: URL(fileURLWithPath: paths[0]))
        let after = before.afterReading()
        #expect(after.inputs.map(\.isChanged) == [true, true, false])
        #expect(after.inputs[1].files.map(\.isChanged) == [true, false])
        #expect(try after.inserted(into: "<!--made-->").contains("; changed while it was read</dd>"))
        // The first file changed after its digest was computed, so the report no longer describes the files.
        let report = try tool.file("r.json", Data("{\"made\":\(after.json.text)}".utf8))
        #expect(try tool("report", "verify", report, paths[0], paths[0], paths[1], paths[1]).status == 1)
        let read = Evidence(in: try Data(contentsOf: URL(fileURLWithPath: report)))
        #expect(read?.inputs[1].files.map(\.isChanged) == [true, false])
    }

    @Test func aPageDoesNotListMoreFilesThanFit() throws {
        let files = (0..<6000).map {
            Evidence.Input(
                name: "a store with a long name \($0).jsonl",
                sha256: String(repeating: "0", count: 64),
                isFile: true
            )
        }
        let all = Evidence.Input(name: "6000 stores", sha256: "1", isFile: false, files: files)
        let page = try Evidence(of: [all]).inserted(into: "<!--made-head--><!--made-->")
        #expect(page.utf8.count < 10_000)
        #expect(page.contains("; a JSON report has the digest of each file</dd>"))
        let report = try tool.file("r.html", Data(page.utf8))
        for sources in [[], [URL(fileURLWithPath: report).deletingLastPathComponent().path]] {
            let run = try tool.run(["report", "verify", report] + sources)
            #expect(run.status == 66)
            #expect(run.diagnostics.contains("omits its list of files, which the JSON report contains"))
        }
        let most = Evidence.Input(
            name: "3000 stores",
            sha256: "1",
            isFile: false,
            files: Array(files.prefix(3000))
        )
        let listed = try Evidence(of: [most]).inserted(into: "<!--made-head--><!--made-->")
        #expect(listed.utf8.count < 1_000_000)
        #expect(Evidence(in: Data(listed.utf8))?.inputs.first?.files.count == 3000)
    }

    private static func account(_ name: String) -> String {
        #"{"svce":"com.forgerock.ios.authenticator.keychainservice.local.mechanism","acct":"Bank-\#(name)-push","data":"AAAA"}"#
    }

    @Test func verifyReportsThatAReportContainsNoDigest() throws {
        let store = try tool.fixture("everyday.sqlite")
        let report = tool.path("report.json")
        _ = try tool("plan", store, "--to", tool.path("new.db"), "--report", report)
        let text = try String(contentsOfFile: report, encoding: .utf8)
        let digest = /"digest":"[0-9a-f]+"/
        try #require(text.firstMatch(of: digest) != nil)
        let other = try tool.file("other.json", Data(text.replacing(digest, with: "\"digest\":null").utf8))
        let run = try tool("report", "verify", other)
        #expect(run.status == 66)
        #expect(run.output.contains("The report contains no digest that can be compared with a file."))
    }

    @Test func oneReportIsVerifiedAtATime() throws {
        let store = try tool.fixture("everyday.sqlite")
        let (one, two) = (tool.path("one.html"), tool.path("two.json"))
        _ = try tool("plan", store, "--to", tool.path("new.db"), "--report", one, "--report", two)
        for others in [[one, two], [two, one]] {
            let run = try tool.run(["report", "verify"] + others)
            #expect(run.status == 64)
            #expect(run.sentences.count == 1)
            #expect(
                run.diagnostics.contains("\(others[1]) is also a report. Name only one report")
            )
        }
        let folder = try tool("report", "verify", URL(fileURLWithPath: one).deletingLastPathComponent().path)
        #expect(folder.status == 66)
        #expect(folder.sentences.count == 1)
        #expect(folder.diagnostics.contains("is a folder. Name one report in it."))
    }

    @Test func aPageOf60000RecordsStaysBelowTwoMegabytes() throws {
        let records = (0..<60_000).map { number in
            """
            {"svce":"com.forgerock.ios.authenticator.keychainservice.local.mechanism","acct":"Bank-user \(number)-push","data":"AAAA"}
            """
        }
        let store = tool.path("large.jsonl")
        try Data(records.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: store))
        let run = try tool("plan", store, "--to", tool.path("new.db"), "--report", tool.path("r.html"))
        #expect(run.status == 1, "\(run.output.prefix(300)) \(run.diagnostics.prefix(300))")
        let page = try page("r.html")
        #expect(page.utf8.count < 2_000_000)
        #expect(page.contains("more records are in a JSON report"))
        #expect(page.contains("60000 of 60000 accounts without push"))
    }
}
