import Foundation
import PingAMSimulator
import PushBridgeCommandLineTestSupport
import Testing

@Suite("Parity command")
struct ParityTests {
    private struct Document: Decodable {
        struct Line: Decodable {
            struct Explained: Decodable {
                let id: String
                let count: Int
            }

            let name: String
            let version: String
            let verdict: String
            let divergences: [Explained]
            let differences: [[String: Text?]]
        }

        /// A value of any kind.
        ///
        /// The test only requires that the value can be decoded.
        struct Text: Decodable {
            init(from decoder: any Decoder) {}
        }

        let schema: Int
        let versions: [String]
        let scenarios: [Line]
    }

    @Test func scenariosOfAFileArePlayed() throws {
        let tool = try CommandLineTool()
        let file = try tool.file("mine.json", Data(Self.scenario.utf8))
        let run = try tool("parity", "--scenario", file, "--json")
        let document = try run.json(Document.self)
        #expect(run.status == 0)
        #expect(document.schema == 1)
        #expect(document.scenarios.map(\.name) == ["Mine & <yours>"])
        #expect(document.scenarios.map(\.verdict) == ["same"])
        #expect(document.scenarios.flatMap(\.divergences).map(\.id) == [])
        #expect(document.scenarios.flatMap(\.differences).isEmpty)
    }

    @Test func examplesArePlayed() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Examples/scenarios")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.isEmpty)
        for file in files {
            let run = try CommandLineTool()("parity", "--scenario", folder.appendingPathComponent(file).path)
            #expect(run.status == 0, "\(run.diagnostics)")
        }
    }

    @Test func reportIsOnePageWithoutScripts() throws {
        let tool = try CommandLineTool()
        let file = try tool.file("mine.json", Data(Self.scenario.utf8))
        let run = try tool("parity", "--scenario", file, "--report", tool.path("out.html"))
        #expect(run.status == 0)
        #expect(run.output.contains("1 scenario on both APIs: 1 same, 0 different by design, 0 different."))
        let page = try String(contentsOfFile: tool.path("out.html"), encoding: .utf8)
        #expect(page.contains("Mine &amp; &lt;yours&gt;"))
        #expect(page.contains("FRAuthenticator"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("http://127.0.0.1"))
    }

    /// For each divergence that occurs, the page names the row in the documents.
    @Test func reportNamesTheRowOfADivergence() throws {
        let tool = try CommandLineTool()
        let page = tool.path("out.html")
        #expect(try tool("parity", "--only", "The token is empty", "--report", page).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("docs/divergences.md#empty-token"))
    }

    @Test(
        arguments: [
            ("https://git.example.com/PushBridge/blob/main", "https://git.example.com/PushBridge/blob/main"),
            ("/srv/Copy 1 of PushBridge", "file:///srv/Copy%201%20of%20PushBridge"),
        ]
    )
    func referencesAreLinksToTheNamedDocuments(_ address: String, _ folder: String) throws {
        let tool = try CommandLineTool()
        let page = tool.path("out.html")
        let options = ["--only", "The token is empty", "--report", page, "--documents", address]
        #expect(try tool.run(["parity"] + options).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        let place = "docs/divergences.md#empty-token"
        #expect(html.contains("<a href=\"\(folder)/\(place)\">\(place)</a>"))
    }

    private static let versions = ServerVersion.allCases.map(\.rawValue)

    /// Each scenario in the page contains the version of the server with which the scenario was played.
    @Test func savedScenariosEqualThePlayedScenarios() throws {
        let tool = try CommandLineTool()
        let (page, json) = (tool.path("out.html"), tool.path("out.json"))
        let run = try tool(
            "parity",
            "--only",
            "The token is empty",
            "--am-version",
            "all",
            "--in-place",
            "--report",
            page,
            "--report",
            json
        )
        #expect(run.status == 0)
        // A scenario counts once, however often it was played.
        #expect(run.output.contains("\nempty-token, 1 scenario\n"))
        let count = Self.versions.count
        let sum =
            "1 scenario on both APIs on \(count) versions of the server, \(count) plays: 0 same, "
            + "\(count) different by design,"
        #expect(run.output.contains(sum))
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("<b>empty-token</b> <span class=\"soft\">1 scenario</span>"))
        #expect(html.contains("PingAM \(Self.versions.joined(separator: ", "))."))
        let files = try html.matches(of: #/base64,([^"]+)"/#).map { match in
            try #require(Data(base64Encoded: String(match.1)))
        }
        let settings = try files.map { try JSONDecoder().decode(Saved.self, from: $0).settings }
        #expect(settings.map(\.version) == Self.versions)
        #expect(settings.allSatisfy { $0.store == "inPlace" })
        let document = try JSONDecoder().decode(
            Document.self,
            from: Data(contentsOf: URL(fileURLWithPath: json))
        )
        #expect(document.versions == Self.versions)
        #expect(document.scenarios.map(\.version) == Self.versions)
        #expect(Set(document.scenarios.map(\.name)) == ["The token is empty"])
    }

    private struct Saved: Decodable {
        struct Settings: Decodable {
            let version: String
            let store: String
        }

        let settings: Settings
    }

    /// Each sign in the table of scenarios and versions is a link to the scenario's steps.
    ///
    /// Every scenario is on the page.
    @Test func everyScenarioIsReachable() throws {
        let tool = try CommandLineTool()
        let page = tool.path("out.html")
        let run = try tool("parity", "--only", "token", "--am-version", "all", "--report", page)
        #expect(run.status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        let links = html.matches(of: #/<td><a [^>]*href="#([^"]+)"/#).map { String($0.1) }
        let targets = Set(html.matches(of: #/<p class="mark" id="([^"]+)"/#).map { String($0.1) })
        let names = Set(html.matches(of: #/<tr><th scope="row">([^<]+)</th><td><a/#).map { String($0.1) })
        #expect(names.count > 10)
        #expect(links.count == names.count * Self.versions.count)
        #expect(Set(links) == targets)
        let rows = html.matches(of: #/<tr><th scope="row">[^<]+</th><td><a .*/#).map(\.output)
        let same = rows.count { $0.contains("class=\"same\"") }
        let sentence = "scenarios have the same results with both APIs, for at least one server version"
        #expect(html.contains("\(same) \(sentence)<"))
    }

    /// The page lists all scenarios that have the same divergence, even if there are more than 20.
    @Test func aReasonListsAllOfItsScenarios() throws {
        let tool = try CommandLineTool()
        let (page, json) = (tool.path("out.html"), tool.path("out.json"))
        let run = try tool("parity", "--random", "120", "--report", page, "--report", json)
        #expect(run.status == 0)
        let document = try JSONDecoder().decode(
            Document.self,
            from: Data(contentsOf: URL(fileURLWithPath: json))
        )
        let first = document.scenarios.filter { $0.verdict != "same" }.compactMap(\.divergences.first?.id)
        #expect(Dictionary(grouping: first, by: \.self).values.contains { $0.count > 20 })
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.matches(of: #/<details class="scenario"/#).count == document.scenarios.count)
        #expect(html.utf8.count < 2_000_000)
    }

    @Test func theSummaryContainsTheDivergenceAndItsReason() throws {
        let run = try CommandLineTool()("parity", "--only", "The token is empty")
        let row = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(row.firstIndex { $0.hasPrefix("empty-token, ") })
        let words = row[start...].dropFirst().prefix(3).map { $0.prefix { $0 != ":" } }
        #expect(words == ["  FRAuthenticator", "  PingPush", "  why"])
    }

    @Test func theSameSeedGivesTheSameResult() throws {
        let tool = try CommandLineTool()
        let runs = try (0..<2).map { _ in try tool("parity", "--random", "2", "--seed", "9", "--json") }
        #expect(runs[0].result == runs[1].result)
    }

    @Test func divergencesAreListed() throws {
        let run = try CommandLineTool()("parity", "--divergences")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("| id | FRAuthenticator | PingPush | why |\n| --- |"))
        #expect(run.output.contains("\n| `one-push-per-account` |"))
        #expect(run.output.contains("\n| `categories-follow-the-type` | 7.3 |"))
        // Only the documents have anchors.
        #expect(!run.output.contains("<a"))
    }

    @Test func unknownStepIsReportedInOneSentence() throws {
        let tool = try CommandLineTool()
        let file = try tool.file("mine.json", Data(#"{"name":"n","steps":[{"do":"dance"}]}"#.utf8))
        let run = try tool("parity", "--scenario", file)
        #expect(run.status == 66)
        #expect(run.sentences == ["pushbridge: mine.json: There is no step \"dance\", at steps[0].do."])
    }

    @Test(arguments: [
        "--scenario nowhere.json", "--only nothing", "--random 0", "--report out.txt", "--documents ../docs",
        "--report out.json --documents ../docs", "--report out.html --documents javascript:x",
    ])
    func invalidParityArgumentsAreRefused(_ arguments: String) throws {
        let run = try CommandLineTool().run(["parity"] + arguments.split(separator: " ").map(String.init))
        #expect(run.status == (arguments.contains("nowhere") ? 66 : 64))
    }

    private static let scenario = """
        {"name":"Mine & <yours>","steps":[{"do":"token","hex":"0a"},{"do":"enrol","credential":"c"},
        {"do":"receive","push":"p","credential":"c"},{"do":"answer","push":"p","with":"deny"}]}
        """
}
