import Foundation
import PushBridgeCommandLine
import PushBridgeCommandLineTestSupport
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeSymbols
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAudit

/// Runs the command `pushbridge audit` on the old-style app.
@Suite struct AuditCommandTests {
    private let pushbridge: CommandLineTool
    private let app: OldStyleApp

    init() throws {
        pushbridge = try CommandLineTool()
        app = try OldStyleApp.shared.get()
    }

    /// The app of the guide's first step, with the index of its build.
    private struct OldStyleApp {
        /// The app that all tests share, except those that change the app.
        static let shared = Result { try OldStyleApp() }
        let compiler: Compiler

        init() throws {
            compiler = try Compiler()
            let step = "Examples/OldStyleApp/Sources/Step1"
            for file in try Compiler.files(in: Compiler.repository.appendingPathComponent(step)) {
                _ = try compiler.folder.copy(file)
            }
            try build()
        }

        func build() throws {
            let sources = try Compiler.files(in: compiler.folder.url)
            try compiler.app(sources, Compiler.ownModules() + ["-swift-version", "5"])
        }
    }

    private func audit(_ options: String..., of other: OldStyleApp? = nil) throws -> CommandLineTool.Run {
        let compiler = (other ?? app).compiler
        return try pushbridge.run(["audit", compiler.store, "--project", compiler.folder.url.path] + options)
    }

    private struct Document: Decodable {
        struct Use: Decodable {
            let file: String
            let line: Int
            let symbol: String
            let role: String
            let enclosing: String?
            let divergences: [String]?
            let decision: String?
            let anchor: String?
            let isNew: Bool?
        }
        struct Divergence: Decodable {
            let id: String
            let uses: [Int]
        }
        struct Comparison: Decodable, Equatable {
            let uses: Int
            let gone: Int
            let new: Int
        }
        let totals: [String: Int]
        let uses: [Use]
        let divergences: [Divergence]
        let unused: [String]
        let baseline: Comparison?
    }

    @Test func theTableContainsEachPlaceAndItsSymbols() throws {
        let run = try audit()
        #expect(run.status == 0)
        let line = try #require(
            run.output.split(separator: "\n").first { $0.hasPrefix("PushController.swift:33:14") }
        )
        #expect(line.contains("PushNotification.accept(challengeResponse:onSuccess:onError:)"))
        #expect(line.contains("call"))
        #expect(line.contains("PushController.choose(_:for:completion:)"))
        #expect(line.hasSuffix("needs a decision  approveChallengeNotification(_:challengeResponse:)"))
        #expect(run.output.hasSuffix(" symbols in 4 of 4 files.\n"))
        #expect(run.diagnostics.hasPrefix("audit: \(app.compiler.store), written "))
    }

    @Test func reportListsTheDivergencesOfEachUse() throws {
        let document = try audit("--json").json(Document.self)
        #expect(document.totals["uses"] == document.uses.count)
        let classes = ["stays", "rename", "needs await", "needs a decision"]
        #expect(classes.compactMap { document.totals[$0] }.reduce(0, +) == document.uses.count)
        let deny = try #require(
            document.uses.first { $0.symbol == "PushNotification.deny(onSuccess:onError:)" }
        )
        #expect(deny.anchor == "docs/symbols.md#symbols-values")
        #expect(deny.divergences?.contains("deleted-push-is-answered") == true)
        #expect(deny.divergences?.contains("number-not-shown") == false)
        #expect(deny.decision?.hasPrefix("Before: An answer to a deleted push") == true)
        let met = Set(document.divergences.map(\.id))
        #expect(met.isSuperset(of: ["one-push-per-account", "empty-number", "no-calls-from-inside"]))
        // The app never removes a mechanism, sends a token itself, or opens a certificate. So these divergences do
        // not apply to the app.
        #expect(met.isDisjoint(with: ["account-outlives-mechanism", "empty-token", "no-cookie-jar"]))
        let conformance = try #require(document.divergences.first { $0.id == "no-calls-from-inside" })
        #expect(conformance.uses.map { document.uses[$0].role } == ["conformance"])
        #expect(document.unused.contains("FRAClient: getMechanism"))
        #expect(!document.unused.contains("FRAClient: getAllAccounts"))
    }

    @Test func theReportStatesHowItWasMade() throws {
        // The report's date has no fractions of a second, so it can be up to a second before the start of the run.
        let start = Date(timeIntervalSinceNow: -1)
        let run = try audit("--json")
        let made = try #require(Evidence(in: Data(run.output.utf8)), "\(run.diagnostics)")
        #expect((start...Date()).contains(made.date))
        #expect(made.tool == "pushbridge \(PackageVersion.current)")
        let project = app.compiler.folder.url
        #expect(made.options == ["audit", "store", "--project", project.lastPathComponent, "--json"])
        let sources = try Compiler.files(in: project).map(\.path)
        let expected = Evidence.Input(all: sources, noun: "source")
        #expect(made.inputs.map(\.name) == ["4 sources"])
        #expect(made.inputs.map(\.sha256) == [expected.sha256])
        let files = [
            "AccountsController.swift", "AppDelegate.swift", "PluginStorage.swift", "PushController.swift",
        ]
        #expect(made.inputs.flatMap(\.files).map(\.name) == files)
    }

    /// With `--fail-on-new`, the audit fails if a source is newer than the index, which may lack new uses in this
    /// source.
    @Test func aStaleIndexMakesTheAuditFailInCI() throws {
        let app = try OldStyleApp()
        let baseline = try pushbridge.file("baseline.json", Data(try audit("--json", of: app).output.utf8))
        #expect(try audit("--baseline", baseline, "--fail-on-new", of: app).status == 0)
        let file = app.compiler.folder.url.appendingPathComponent("AccountsController.swift")
        let later: [FileAttributeKey: Any] = [.modificationDate: Date().addingTimeInterval(60)]
        try FileManager.default.setAttributes(later, ofItemAtPath: file.path)
        let run = try audit("--baseline", baseline, "--fail-on-new", of: app)
        #expect(run.status == 1)
        #expect(run.diagnostics.contains("AccountsController.swift changed after the index was written"))
        #expect(try audit("--baseline", baseline, of: app).status == 0)
    }

    @Test func linesFitIntoATerminal() throws {
        let options = Audit.Options(index: app.compiler.store, project: app.compiler.folder.url.path)
        let audit = try Audit.read(options)
        let report = AuditReport(audit)
        let uses = report.text(columns: 80).components(separatedBy: "\n").prefix {
            !$0.hasPrefix("Differences in behaviour")
        }
        #expect(uses.count > audit.uses.count)
        #expect(uses.allSatisfy { $0.count <= 80 })
        // One class of the app implements the methods of a storage. All these methods count as one decision.
        let methods = audit.uses.count {
            $0.role == .override && audit.symbols[$0.symbol].owners == ["StorageClient"]
                && audit.symbols[$0.symbol].work == .needsDecision
        }
        #expect(methods > 10)
        #expect(report.decisions == (audit.totals[.needsDecision] ?? 0) - methods + 1)
    }

    @Test func theAuditCountsChangesSinceTheBaseline() throws {
        let app = try OldStyleApp()
        let before = try audit("--json", of: app)
        let baseline = try pushbridge.file("baseline.json", Data(before.output.utf8))
        // Added lines above a use do not change its identity.
        let file = app.compiler.folder.url.appendingPathComponent("AccountsController.swift")
        var text = try String(contentsOf: file, encoding: .utf8)
        text = text.replacingOccurrences(of: "import FRAuthenticator\n", with: "\n\nimport FRAuthenticator\n")
        try text.write(to: file, atomically: true, encoding: .utf8)
        try app.build()
        let same = try audit("--baseline", baseline, "--fail-on-new", of: app)
        #expect(same.status == 0)
        #expect(same.output.hasSuffix("uses of the baseline, 0 are gone and 0 are new.\n"))
        // After a partial build, uses can seem to have been removed, so with `--fail-on-new` the audit exits with 1.
        let unbuilt = try app.compiler.folder.file("Unbuilt.swift", "import FRAuthenticator\n")
        #expect(try audit("--baseline", baseline, "--fail-on-new", of: app).status == 1)
        #expect(try audit("--baseline", baseline, of: app).status == 0)
        let known = try pushbridge.file("known.json", Data(try audit("--json", of: app).output.utf8))
        #expect(try audit("--baseline", known, "--fail-on-new", of: app).status == 0)
        try FileManager.default.removeItem(at: unbuilt)

        text = text.replacingOccurrences(
            of: "FRAClient.shared?.removeAccount(account: account)",
            with: "account.displayIssuer = nil"
        )
        try text.write(to: file, atomically: true, encoding: .utf8)
        try app.build()
        let changed = try audit("--baseline", baseline, "--fail-on-new", "--json", of: app)
        #expect(changed.status == 1)
        let document = try changed.json(Document.self)
        #expect(document.baseline == .init(uses: document.uses.count + 2, gone: 3, new: 1))
        #expect(document.uses.filter { $0.isNew == true }.map(\.symbol) == ["Account.displayIssuer"])
        #expect(try audit("--baseline", baseline, of: app).status == 0)
    }

    @Test func theSARIFLogContainsEachUse() throws {
        let log = try #require(JSONValue(json: Data(audit("--sarif").output.utf8)))
        #expect(log["version"] == "2.1.0")
        let guide = Compiler.repository.appendingPathComponent("MIGRATION.md")
        let reference = #/The section \\"([^"\\]+)\\" of PushBridge's MIGRATION/#
        let section = try #require(log.text.firstMatch(of: reference))
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("\n## \(section.1)\n"))
        guard case .array(let runs)? = log["runs"], case .array(let results)? = runs.first?["results"] else {
            Issue.record("The SARIF log contains no results.")
            return
        }
        #expect(results.count == (try audit("--json").json(Document.self).uses.count))
        let choose = try #require(
            results.first { $0.text.contains("PushController.swift") && $0.text.contains("\"startLine\":33") }
        )
        #expect(choose["ruleId"] == "needs-a-decision")
        #expect(choose["level"] == "warning")
        guard case .array(let locations)? = choose["locations"] else { return }
        let place = try #require(locations.first?["physicalLocation"])
        #expect(place["artifactLocation"] == ["uri": "PushController.swift", "uriBaseId": "PROJECT"])
        #expect(place["region"] == ["startLine": 33, "startColumn": 14])
        #expect(choose.text.contains("symbols.md#symbols-values"))
        #expect(choose.text.contains("divergences.md#empty-number"))
    }

    /// A use on a moved line keeps its fingerprint, by which code hosts recognise results.
    ///
    /// The test also checks requirements of SARIF that its schema does not contain.
    @Test func usesOnMovedLinesHaveTheSameFingerprints() throws {
        let app = try OldStyleApp()
        let before = try Log(audit("--sarif", of: app))
        let driver = before.driver
        #expect(driver.semanticVersion.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
        for result in before.results {
            #expect(driver.rules.map(\.id)[result.ruleIndex] == result.ruleId)
            #expect((result.kind == "informational") == (result.ruleId == "stays"))
            #expect((result.level == "none") == (result.kind != nil))
        }
        #expect(Set(before.fingerprints).count == before.results.count)
        #expect(try Log(audit("--sarif", of: app)).fingerprints == before.fingerprints)

        let file = app.compiler.folder.url.appendingPathComponent("PushController.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        try "\n\n\(text)".write(to: file, atomically: true, encoding: .utf8)
        try app.build()
        let after = try Log(audit("--sarif", of: app))
        #expect(after.fingerprints == before.fingerprints)
        #expect(after.lines != before.lines)
    }

    /// The parts of a SARIF log that the tests read.
    private struct Log {
        struct Rule: Decodable {
            let id: String
        }
        struct Driver: Decodable {
            let semanticVersion: String
            let rules: [Rule]
        }
        struct Result: Decodable {
            struct Location: Decodable {
                struct Physical: Decodable {
                    struct Region: Decodable {
                        let startLine: Int
                    }
                    let region: Region
                }
                let physicalLocation: Physical
            }
            let ruleId: String
            let ruleIndex: Int
            let kind: String?
            let level: String
            let partialFingerprints: [String: String]
            let locations: [Location]
        }
        private struct Document: Decodable {
            struct Run: Decodable {
                struct Tool: Decodable {
                    let driver: Driver
                }
                let tool: Tool
                let results: [Result]
            }
            let runs: [Run]
        }

        let driver: Driver
        let results: [Result]
        var fingerprints: [String] { results.compactMap { $0.partialFingerprints["legacyUse/v1"] } }
        var lines: [Int] { results.flatMap(\.locations).map(\.physicalLocation.region.startLine) }

        init(_ run: CommandLineTool.Run) throws {
            let runs = try run.json(Document.self).runs
            try #require(runs.count == 1)
            (driver, results) = (runs[0].tool.driver, runs[0].results)
        }
    }

    /// Each use that needs a decision has a sentence, from the table of symbols or from the register of divergences.
    @Test func everyDecisionHasASentence() throws {
        let document = try audit("--json").json(Document.self)
        let decisions = document.uses.filter { $0.decision != nil }
        #expect(decisions.count == document.totals["needs a decision"])
        for use in decisions { #expect(use.decision?.hasSuffix(".") == true, "\(use.symbol)") }
        let storage = try #require(decisions.first { $0.symbol == "StorageClient.isEmpty()" })
        #expect(storage.decision?.hasPrefix("The app's storage has to be rewritten") == true)
    }

    @Test func pageListsFilesDivergencesAndUnusedSymbols() throws {
        let page = pushbridge.path("audit.html")
        #expect(try audit("--report", page).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for part in [
            "<h2>Effort</h2>", "<h2>By file</h2>", "<h2>By kind of work</h2>", "<b>PushController.swift</b>",
            "id=\"one-push-per-account\"", "docs/divergences.md#one-push-per-account",
            "docs/symbols.md#symbols-values", "<h2>Not used at all</h2>", "KeychainService: init",
        ] {
            #expect(html.contains(part), "\(part)")
        }
        #expect(!html.contains("id=\"no-cookie-jar\""))
        // The decision appears in the row of the use, before the reason.
        let deny = try #require(html.firstRange(of: "<code>PushNotification.deny(onSuccess:onError:)</code>"))
        let row = html[deny.lowerBound...].prefix { $0 != "\n" }
        #expect(row.contains("Before: An answer to a deleted push"))
        let sentence = try #require(html.firstRange(of: "Before: An account has one push mechanism"))
        let reason = try #require(html.firstRange(of: "The legacy store identifies mechanisms by account"))
        #expect(sentence.lowerBound < reason.lowerBound)
        #expect(!html.contains("<script"))
    }

    @Test func referencesOnThePageAreLinksToTheNamedDocuments() throws {
        let page = pushbridge.path("linked.html")
        let address = "https://git.example.com/PushBridge/blob/main"
        #expect(try audit("--report", page, "--documents", address).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for place in ["docs/divergences.md#one-push-per-account", "docs/symbols.md#symbols-values"] {
            #expect(html.contains("<a href=\"\(address)/\(place)\">\(place)</a>"), "\(place)")
        }
    }

    @Test func aDamagedIndexIsReportedInOneSentence() throws {
        let store = pushbridge.path("store")
        try FileManager.default.copyItem(atPath: app.compiler.store, toPath: store)
        let folders = ["units", "records"].map {
            URL(fileURLWithPath: store).appendingPathComponent("v5/\($0)")
        }
        for folder in folders {
            let name = try #require(
                try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                    .first { $0.contains("PushController") }
            )
            let file = folder.appendingPathComponent(name)
            let whole = try Data(contentsOf: file)
            for damaged in [
                Data(), whole.prefix(whole.count / 2), Data(count: whole.count), Data("no index".utf8),
            ] {
                try damaged.write(to: file)
                let run = try pushbridge("audit", store)
                #expect(run.status == 66)
                #expect(run.output == "")
                #expect(run.sentences.count == 1)
                #expect(
                    run.diagnostics.hasPrefix("pushbridge: The index \(store) is damaged or not an index: ")
                )
                #expect(run.diagnostics.hasSuffix("Build the app again.\n"))
            }
            try whole.write(to: file)
        }
        #expect(try pushbridge("audit", store).status == 0)
    }

    @Test func optionsThatDoNotGoTogetherAreRefused() throws {
        #expect(try audit("--fail-on-new").status == 64)
        #expect(try audit("--json", "--sarif").status == 64)
        #expect(try audit("--documents", "https://git.example.com/PushBridge/blob/main").status == 64)
        #expect(try pushbridge("audit", "--table", "--sarif").status == 64)
        let noAudit = try pushbridge.file("other.json", Data("{}".utf8))
        let refused = try audit("--baseline", noAudit)
        #expect(refused.status == 66)
        #expect(
            refused.sentences == [
                "pushbridge: \(noAudit) is not an audit: it must be the output of pushbridge audit --json."
            ]
        )
    }

    @Test func theSymbolTableIsPrintedWithoutAnIndex() throws {
        let run = try pushbridge("audit", "--table")
        #expect(run.status == 0)
        #expect(run.output.contains("| `PushNotification`: `message` | `messageText` | |\n"))
        let table = try #require(JSONValue(json: Data(pushbridge("audit", "--table", "--json").output.utf8)))
        guard case .array(let symbols)? = table["symbols"] else { return }
        #expect(symbols.count > 400)
    }
}
