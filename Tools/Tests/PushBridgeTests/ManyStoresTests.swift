import Foundation
import LegacyStore
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// `migrate --into`, with fewer stores than in `Scripts/checks/many-stores`.
@Suite struct ManyStoresTests {
    private let pushbridge: CommandLineTool
    private let key = LegacyFixtures.url("sealed.key").path

    init() throws {
        pushbridge = try CommandLineTool()
    }

    private struct Report: Decodable {
        struct Store: Decodable {
            let source: String
            let destination: String
            let resumed: Bool
            let status: Int32
            let totals: [String: Int]
            let failure: String?
        }

        let into: String
        let totals: [String: Int]
        let sum: [String: Int]
        let stores: [Store]

        /// Returns how many records of a store may be retired, and how many may not; `nil` if the report lacks the
        /// store.
        func records(of source: String) -> [Int]? {
            stores.first { $0.source == source }.map { store in
                let good = ["migrated", "alreadyPresent", "kept"].map { store.totals[$0] ?? 0 }.reduce(0, +)
                return [good, (store.totals["records"] ?? 0) - good]
            }
        }
    }

    /// Copies a fixture into folders, and returns the paths of the copies.
    private func copies(of fixture: String, below folders: [String]) throws -> [String] {
        try folders.map { folder in
            let url = pushbridge.folder.url(folder)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let copy = url.appendingPathComponent(fixture)
            try FileManager.default.copyItem(at: LegacyFixtures.url(fixture), to: copy)
            return copy.path
        }
    }

    private func report(_ arguments: [String], status: Int32) throws -> Report {
        let run = try pushbridge.run(["migrate"] + arguments + ["--json"])
        #expect(run.status == status, "\(run.diagnostics)")
        return try run.json(Report.self)
    }

    /// The command warns about items under other services, as `inspect` does for one store.
    ///
    /// A run that resumes repeats the warnings.
    @Test func itemsOfOtherServicesAreNamed() throws {
        let plain = try copies(of: "everyday.jsonl", below: ["phones/a"])[0]
        let store = pushbridge.path("phones/mixed.jsonl")
        let lines = try String(contentsOfFile: plain, encoding: .utf8)
        let other = lines.replacingOccurrences(
            of: "com.forgerock.ios.authenticator.keychainservice.local",
            with: "com.example.bank"
        )
        try (lines + "\n" + other).write(toFile: store, atomically: true, encoding: .utf8)
        let warnings = try pushbridge("inspect", store).diagnostics
        #expect(warnings.contains("com.example.bank") && warnings.contains(store))
        for _ in 0..<2 {
            let run = try pushbridge("migrate", plain, store, "--into", pushbridge.path("out"))
            #expect(run.status == 0 && run.diagnostics == warnings)
        }
    }

    @Test func eachStoreHasItsDatabaseAndKey() throws {
        let everyday = try copies(of: "everyday.sqlite", below: ["phones/a"])
        let edges = try copies(of: "edges.plist", below: ["phones/b"])
        let out = pushbridge.path("out")
        // If a store is named several times, it counts once.
        let report = try report(everyday + edges + [pushbridge.path("phones"), "--into", out], status: 0)
        #expect(report.stores.map(\.source) == everyday + edges)
        #expect(report.stores.map(\.destination) == ["\(out)/everyday.sqlite.db", "\(out)/edges.plist.db"])
        #expect(
            report.totals["records"] == 50 && report.totals["migrated"] == 48 && report.totals["kept"] == 2
        )
        for (store, line) in zip(everyday + edges, report.stores) {
            #expect(try pushbridge("verify", store, "--against", line.destination).status == 0)
        }
        let folder = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        let names = ["edges.plist.db", "edges.plist.db.key", "everyday.sqlite.db", "everyday.sqlite.db.key"]
        #expect(folder == names + ["stores.jsonl"])
        for name in names + ["stores.jsonl"] {
            #expect(
                try FileManager.default.attributesOfItem(atPath: "\(out)/\(name)")[.posixPermissions] as? Int
                    == 0o600
            )
        }
        // One store is retired as usual, with a separate backup.
        let retire = ["retire", everyday[0], "--against", report.stores[0].destination, "--backup"]
        #expect(try pushbridge.run(retire + [pushbridge.path("backup")]).status == 0)
        let after = try self.report([pushbridge.path("phones"), "--into", out], status: 0)
        #expect(after.records(of: everyday[0]) == [0, 0] && after.records(of: edges[0]) == [36, 0])
    }

    @Test func equalFileNamesGetDistinctStableNames() throws {
        let stores = try copies(of: "everyday.jsonl", below: ["phones/a", "phones/b", "phones/b/c"])
        let (one, all) = (pushbridge.path("one"), pushbridge.path("all"))
        let first = try report([pushbridge.path("phones"), "--into", all], status: 0)
        #expect(Set(first.stores.map(\.source)) == Set(stores))
        #expect(Set(first.stores.map(\.destination)).count == 3)
        // The names are the same if the databases are in another folder and the stores are given in another order.
        let second = try report(stores.reversed() + ["--into", one], status: 0)
        #expect(
            second.stores.map { $0.destination.dropFirst(one.count) }
                == first.stores.map { $0.destination.dropFirst(all.count) }
        )
        // If other stores are added, the database of the first store keeps its name.
        let late = pushbridge.path("late")
        let alone = try report([stores[1], "--into", late], status: 0)
        #expect(alone.stores.map(\.destination) == ["\(late)/everyday.jsonl.db"])
        let joined = try report(stores + ["--into", late], status: 0)
        let known = joined.stores.filter(\.resumed)
        #expect(
            known.map(\.source) == [stores[1]] && known.map(\.destination) == ["\(late)/everyday.jsonl.db"]
        )
        #expect(Set(joined.stores.map(\.destination)).count == 3)
        #expect(joined.sum == ["stores": 3, "complete": 3, "attention": 0, "failed": 0, "resumed": 1])
    }

    /// The folder of the stores may also contain the databases.
    ///
    /// The command does not treat the databases as stores.
    @Test func databasesInTheSourceFolderAreNotTreatedAsStores() throws {
        let stores =
            try copies(of: "everyday.jsonl", below: ["in"]) + copies(of: "edges.sqlite", below: ["in"])
        let hidden = pushbridge.path("in/.hidden")
        try Data("x".utf8).write(to: URL(fileURLWithPath: hidden))
        let (key, out) = (pushbridge.path("in/source.key"), pushbridge.path("in/out"))
        try FileManager.default.copyItem(atPath: self.key, toPath: key)
        let arguments = [pushbridge.path("in"), "--into", out, "--source-key", key]
        for _ in 0..<2 {
            let report = try report(arguments, status: 0)
            #expect(Set(report.stores.map(\.source)) == Set(stores))
        }
    }

    @Test func successorItemsAreSeparateFiles() throws {
        let stores = try copies(of: "everyday.jsonl", below: ["a", "b"])
        let arguments = stores + ["--into", pushbridge.path("out"), "--as", "successor-items"]
        #expect(try pushbridge.run(["migrate"] + arguments).status == 64)
        let report = try report(arguments + ["--include-secrets"], status: 0)
        #expect(report.totals["migrated"] == 28 && Set(report.stores.map(\.destination)).count == 2)
        for (store, line) in zip(stores, report.stores) {
            let against = ["--against", line.destination, "--as", "successor-items"]
            #expect(try pushbridge.run(["verify", store] + against).status == 0)
        }
    }

    @Test func aBadStoreDoesNotPreventOtherMigrations() throws {
        let good = try copies(of: "everyday.plist", below: ["in"])
        let damaged = try copies(of: "damaged.sqlite", below: ["in"])
        let sealed = try copies(of: "sealed-mixed.jsonl", below: ["in"])
        let foreign = pushbridge.path("in/picture.png")
        try Data([0x89, 0x50, 0x4E, 0x47]).write(to: URL(fileURLWithPath: foreign))
        let missing = pushbridge.path("missing.sqlite")
        let out = pushbridge.path("out")
        let report = try report([pushbridge.path("in"), missing, "--into", out], status: 1)
        #expect(report.records(of: good[0]) == [14, 0])
        #expect(report.records(of: damaged[0]) == [17, 33])
        #expect(report.records(of: sealed[0]) == [5, 9])
        let failures = report.stores.filter { $0.failure != nil }
        #expect(Set(failures.map(\.source)) == [foreign, missing])
        #expect(failures.allSatisfy { $0.status == 66 })
        #expect(report.sum == ["stores": 5, "complete": 1, "attention": 2, "failed": 2, "resumed": 0])
        // If the key is given, the command migrates only the sealed store again, and retries the store that
        // failed.
        let table = try pushbridge("migrate", pushbridge.path("in"), "--into", out, "--source-key", key)
        #expect(table.output.contains("(2 stores done by an earlier run)"))
        #expect(table.output.contains("2 of 4 stores need attention"))
        let again = try self.report([pushbridge.path("in"), "--into", out], status: 1)
        #expect(again.records(of: sealed[0]) == [14, 0])
        #expect(again.stores.filter { !$0.resumed }.map(\.source) == [foreign])
    }

    @Test func changedStoresAreMigratedAgain() throws {
        let stores =
            try copies(of: "everyday.jsonl", below: ["a"]) + copies(of: "everyday.plist", below: ["a"])
        let arguments = stores + ["--into", pushbridge.path("out")]
        #expect(try report(arguments, status: 0).sum["resumed"] == 0)
        let lines = try String(contentsOfFile: stores[0], encoding: .utf8).split(separator: "\n")
        try lines.dropLast().joined(separator: "\n").write(
            toFile: stores[0],
            atomically: false,
            encoding: .utf8
        )
        let second = try report(arguments, status: 0)
        #expect(second.stores.map(\.resumed) == [false, true])
        #expect(second.records(of: stores[0]) == [13, 0])
        // If a database is missing, it is created again.
        try FileManager.default.removeItem(atPath: second.stores[1].destination)
        #expect(try report(arguments, status: 0).stores.map(\.resumed) == [true, false])
    }

    /// If a database's contents changed after an earlier run, the database is not reported as proven.
    @Test func databasesThatWereReplacedAreNamed() throws {
        _ = try copies(of: "everyday.sqlite", below: ["phones/a", "phones/b", "phones/c"])
        _ = try copies(of: "edges.plist", below: ["phones/d"])
        let (phones, out) = (pushbridge.folder.url("phones").path, pushbridge.folder.url("out"))
        let arguments = [phones, "--into", out.path]
        let first = try report(arguments, status: 0)
        let databases = first.stores.map { URL(fileURLWithPath: $0.destination) }
        try Data().write(to: databases[0])
        try FileManager.default.removeItem(at: databases[1].appendingPathExtension("key"))
        for ending in ["", ".key"] {
            let copy = URL(fileURLWithPath: databases[2].path + ending)
            try FileManager.default.removeItem(at: copy)
            try FileManager.default.copyItem(at: URL(fileURLWithPath: databases[3].path + ending), to: copy)
        }
        let second = try report(arguments, status: 73)
        #expect(second.stores.map { $0.failure == nil } == [false, false, false, true])
        #expect(
            second.stores[2].failure?.contains("no longer contains the records that an earlier run") == true
        )
        #expect(second.stores.map(\.resumed) == [false, false, false, true])
        let replaced = try Data(contentsOf: databases[2])
        let again = try report(arguments, status: 73)
        #expect(again.stores.map(\.failure) == second.stores.map(\.failure))
        #expect(try Data(contentsOf: databases[2]) == replaced)
        for database in databases.prefix(3) {
            try FileManager.default.removeItem(at: database)
            try? FileManager.default.removeItem(at: database.appendingPathExtension("key"))
        }
        let third = try report(arguments, status: 0)
        #expect(third.stores.map(\.failure) == [nil, nil, nil, nil])
        #expect(third.sum["complete"] == 4 && third.sum["resumed"] == 1)
    }

    #if os(Linux)
    /// Of the supported systems, only Linux allows file names that are not UTF-8.
    @Test func aNonUTF8FileNameDoesNotAffectOtherStores() throws {
        let good = try copies(of: "everyday.sqlite", below: ["phones"])[0]
        let bad =
            Array("\(pushbridge.folder.url("phones").path)/bad".utf8CString.dropLast()) + [-1]
            + Array(".jsonl".utf8CString)
        let file = try #require(fopen(bad, "w"))
        fclose(file)
        let out = pushbridge.folder.url("out").path
        let run = try report([pushbridge.folder.url("phones").path, "--into", out], status: 1)
        #expect(run.stores.first { $0.source == good }?.failure == nil)
        #expect(
            run.stores.first { $0.source != good }?.failure?.contains("its name is not valid UTF-8") == true
        )
        #expect(run.sum["complete"] == 1 && run.sum["failed"] == 1)
    }
    #endif

    /// Kills the migration of 37 stores three times; one of the stores takes a second.
    ///
    /// Each later run resumes the migration. The reports of a run replace only earlier reports of the same
    /// migration.
    @Test func interruptedRunsResume() async throws {
        let folders = (1...9).map { "phones/\($0)" }
        let everyday = try copies(of: "everyday.sqlite", below: folders)
        _ = try copies(of: "edges.jsonl", below: folders)
        let damaged = try copies(of: "damaged.sqlite", below: folders)
        let sealed = try copies(of: "sealed-variable-iv.jsonl", below: folders)
        let line = #"{"svce":"\#(LegacyService.notification.rawValue)","acct":"KEY","data":"AAAA"}"# + "\n"
        let large = (1...20_000).map { line.replacingOccurrences(of: "KEY", with: "n\($0)") }.joined()
        try large.write(toFile: pushbridge.path("phones/0.jsonl"), atomically: false, encoding: .utf8)
        let before = try phones()
        let (out, page, file) = (pushbridge.path("out"), pushbridge.path("r.html"), pushbridge.path("r.json"))
        let arguments =
            ["migrate", pushbridge.path("phones"), "--into", out, "--source-key", key]
            + ["--report", page, "--report", file]
        for number in 1...3 {
            let rival = try await apart { try rivalOfARunKilled(after: 8 * number, in: out, arguments) }
            #expect(rival.status == 75 && rival.sentences.count == 1 && rival.diagnostics.contains(out))
            #expect(try done(in: out) <= 36)
        }
        #expect(!FileManager.default.fileExists(atPath: file))
        let last = try await apart { try pushbridge.run(arguments + ["--json"]) }
        #expect(last.status == 1)
        let report = try last.json(Report.self)
        #expect(report.sum["stores"] == 37 && report.sum["complete"] == 27 && report.sum["attention"] == 10)
        #expect(try #require(report.sum["resumed"]) >= 24, "\(report.sum)")
        for store in everyday + sealed { #expect(report.records(of: store) == [14, 0]) }
        for store in damaged { #expect(report.records(of: store) == [17, 33]) }
        #expect(report.records(of: pushbridge.path("phones/0.jsonl")) == [0, 20_000])
        #expect(try phones() == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: out)
        #expect(left.filter { $0.hasPrefix(".") } == [])
        #expect(left.count == 37 * 2 + 1)
        // The run replaces its own reports and keeps the reports of other runs.
        let again = try await apart { try pushbridge.run(arguments) }
        #expect(again.status == 1)
        let written = try JSONDecoder().decode(
            Report.self,
            from: Data(contentsOf: URL(fileURLWithPath: file))
        )
        #expect(written.sum["resumed"] == 37)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("phones/9/damaged.sqlite"))
        let foreign = ["migrate", everyday[0], "--into", pushbridge.path("other"), "--report", file]
        #expect(try pushbridge.run(foreign).status == 73)
    }

    /// If the power failed while the last line was being written, the store in this line is migrated again.
    @Test func listWithAPartialLineIsResumed() throws {
        let stores = try copies(of: "everyday.jsonl", below: ["a", "b"])
        let out = pushbridge.path("out")
        let first = try report(stores + ["--into", out], status: 0)
        let list = URL(fileURLWithPath: "\(out)/stores.jsonl")
        try Data(contentsOf: list).dropLast(40).write(to: list)
        let second = try report(stores + ["--into", out], status: 0)
        #expect(second.sum["resumed"] == 1)
        #expect(second.stores.map(\.destination) == first.stores.map(\.destination))
        #expect(try report(stores + ["--into", out], status: 0).sum["resumed"] == 2)
    }

    /// The parts of a report that come from the list of an earlier run.
    private struct Resumed: Decodable {
        struct Store: Decodable, Equatable {
            struct Reason: Decodable, Equatable {
                let outcome: String
                let reason: String
                let code: String?
                let records: Int
            }

            let destination: String
            let resumed: Bool
            let status: Int32
            let container: String?
            let totals: [String: Int]
            let unproven: Int
            let repaired: Int
            let reasons: [Reason]
            let failure: String?
        }

        let job: String
        let stores: [Store]
    }

    /// In the list of an earlier version, the test replaces the paths and the states, which differ on each machine.
    @Test(arguments: ["1"])
    func aListThatAnEarlierVersionWroteIsResumed(_ form: String) throws {
        let stores =
            try copies(of: "everyday.jsonl", below: ["a"]) + copies(of: "sealed-mixed.jsonl", below: ["b"])
        let out = pushbridge.path("out")
        let arguments = stores + ["--into", out]
        _ = try report(arguments, status: 1)
        let list = URL(fileURLWithPath: "\(out)/stores.jsonl")
        let here = try Self.states(in: String(contentsOf: list, encoding: .utf8))
        var text = try String(contentsOf: LegacyFixtures.url("own/\(form)/stores.jsonl"), encoding: .utf8)
        for (name, old) in try Self.states(in: text) {
            let new = try #require(here[name])
            text = text.replacingOccurrences(of: old.source, with: new.source)
                .replacingOccurrences(of: old.state, with: new.state)
        }
        try Data(text.utf8).write(to: list)
        // An earlier version of the command gave the first database another name.
        let database = "\(out)/phone-everyday.jsonl-5f0c3a9e1b.db"
        for ending in ["", ".key"] {
            try FileManager.default.moveItem(
                atPath: "\(out)/everyday.jsonl.db\(ending)",
                toPath: database + ending
            )
        }

        let run = try pushbridge.run(["migrate"] + arguments + ["--json"])
        #expect(run.status == 1, "\(run.diagnostics)")
        let resumed = try run.json(Resumed.self)
        #expect(resumed.job == "6B0C1E3D-52C4-4B57-9A0C-0F1B6C7D8E9F")
        let totals = [
            "records": 14, "migrated": 14, "alreadyPresent": 0, "kept": 0, "conflict": 0, "unsupported": 0,
            "damaged": 0, "locked": 0, "undecryptable": 0,
        ]
        let complete = Resumed.Store(
            destination: database,
            resumed: true,
            status: 0,
            container: "jsonLines",
            totals: totals,
            unproven: 0,
            repaired: 0,
            reasons: [],
            failure: nil
        )
        let reason = Resumed.Store.Reason(
            outcome: "undecryptable",
            reason: "The record is sealed; --source-key names its key. "
                + "If only the app on the phone has this key, the user must enrol again.",
            code: "undecryptable",
            records: 9
        )
        let sealed = Resumed.Store(
            destination: "\(out)/sealed-mixed.jsonl.db",
            resumed: true,
            status: 1,
            container: "jsonLines",
            totals: totals.merging(["migrated": 1, "kept": 4, "undecryptable": 9]) { $1 },
            unproven: 0,
            repaired: 0,
            reasons: [reason],
            failure: nil
        )
        #expect(resumed.stores == [complete, sealed])
    }

    /// Returns the path and the state of each migrated store in a list, by the name of the store's file.
    private static func states(in list: String) throws -> [String: (source: String, state: String)] {
        struct Line: Decodable {
            let source: String?
            let state: String?
        }
        return try list.split(separator: "\n").reduce(into: [:]) { states, line in
            let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            guard let source = line.source, let state = line.state else { return }
            states[URL(fileURLWithPath: source).lastPathComponent] = (source: source, state: state)
        }
    }

    @Test func foreignFolderIsRefused() throws {
        let store = try pushbridge.fixture("everyday.sqlite")
        let out = pushbridge.folder.url("out")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        for (text, words) in [
            "hello\n": "not a list of migrated stores", "hello": "not a list of migrated stores",
            #"{"schema":2,"job":"x"}"# + "\n": "newer version",
        ] {
            try Data(text.utf8).write(to: out.appendingPathComponent("stores.jsonl"))
            let run = try pushbridge("migrate", store, "--into", out.path)
            #expect(run.status == 73 && run.sentences.count == 1 && run.diagnostics.contains(words))
            #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["stores.jsonl"])
        }
        let file = try pushbridge.file("file", Data("x".utf8))
        #expect(try pushbridge("migrate", store, "--into", file).status == 73)
        #expect(try pushbridge("migrate", store, "--into", pushbridge.path("no/where")).status == 73)
        let empty = pushbridge.path("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        #expect(try pushbridge("migrate", empty, "--into", pushbridge.path("new")).status == 66)
        let missing = try pushbridge("migrate", pushbridge.path("missing"), "--into", pushbridge.path("new"))
        #expect(missing.status == 66 && missing.sentences.count == 1)
        #expect(!FileManager.default.fileExists(atPath: pushbridge.path("new")))
    }

    @Test(arguments: [
        ["a", "b", "--to", "c"], ["a", "--to", "b", "--into", "c"], ["a"],
        ["a", "--into", "b", "--key-file", "c"], ["a", "--into", ""],
    ])
    func invalidArgumentsEndWithStatus64(_ arguments: [String]) throws {
        #expect(try pushbridge.run(["migrate"] + arguments).status == 64)
    }

    /// Pauses a run after a number of stores, starts a second run, and kills the first run.
    ///
    /// Returns the result of the second run.
    private func rivalOfARunKilled(
        after count: Int,
        in folder: String,
        _ arguments: [String]
    ) throws -> CommandLineTool.Run {
        let tool = try RunningTool(arguments)
        let end = Date() + Double(WaitedInVain.secondsOfProcess)
        while try done(in: folder) < count, Date() < end { usleep(2000) }
        tool.end(by: SIGSTOP)
        let rival = try pushbridge.run(arguments)
        tool.end(by: SIGKILL)
        _ = try tool.status()
        return rival
    }

    /// Runs slow work on a separate thread, because other tests need the shared threads.
    private func apart<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(with: Result(catching: body)) }
        }
    }

    /// Returns the number of stores that a run has recorded as done.
    private func done(in folder: String) throws -> Int {
        let list = "\(folder)/stores.jsonl"
        guard FileManager.default.fileExists(atPath: list) else { return 0 }
        return try String(contentsOfFile: list, encoding: .utf8).components(separatedBy: "\"result\"").count
            - 1
    }

    /// Returns the contents of all sources.
    private func phones() throws -> [String: Data] {
        let root = pushbridge.path("phones")
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.contains(".") }.reduce(into: [:]) { files, name in
            files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)"))
        }
    }
}
