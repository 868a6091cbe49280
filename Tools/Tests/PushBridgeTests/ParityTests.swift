import Foundation
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
            let verdict: String
            let divergences: [Explained]
            let differences: [[String: Text?]]
        }

        /// Any value; the test only requires that it decodes.
        struct Text: Decodable {
            init(from decoder: any Decoder) {}
        }

        let schema: Int
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

    /// The page names the row in the documents for each divergence that occurs.
    @Test func reportNamesTheRowOfADivergence() throws {
        let tool = try CommandLineTool()
        let page = tool.path("out.html")
        #expect(try tool("parity", "--only", "The token is empty", "--report", page).status == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("docs/divergences.md#empty-token"))
    }

    @Test func sameSeedIsTheSameRun() throws {
        let tool = try CommandLineTool()
        let runs = try (0..<2).map { _ in try tool("parity", "--random", "2", "--seed", "9", "--json") }
        #expect(runs[0].result == runs[1].result)
    }

    @Test func divergencesAreListed() throws {
        let run = try CommandLineTool()("parity", "--divergences")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("| id | FRAuthenticator | PingPush | why |\n| --- |"))
        #expect(run.output.contains("></a>`one-push-per-account` |"))
        #expect(run.output.contains("></a>`categories-follow-the-type` | 7.3 |"))
    }

    @Test func unknownStepIsReportedInOneSentence() throws {
        let tool = try CommandLineTool()
        let file = try tool.file("mine.json", Data(#"{"name":"n","steps":[{"do":"dance"}]}"#.utf8))
        let run = try tool("parity", "--scenario", file)
        #expect(run.status == 66)
        #expect(run.sentences == ["pushbridge: mine.json: There is no step dance, at steps[0].do."])
    }

    @Test(arguments: ["--scenario nowhere.json", "--only nothing", "--random 0", "--report out.txt"])
    func nonsenseIsRefused(_ arguments: String) throws {
        let run = try CommandLineTool().run(["parity"] + arguments.split(separator: " ").map(String.init))
        #expect(run.status == (arguments.contains("nowhere") ? 66 : 64))
    }

    private static let scenario = """
        {"name":"Mine & <yours>","steps":[{"do":"token","hex":"0a"},{"do":"enrol","credential":"c"},
        {"do":"receive","push":"p","credential":"c"},{"do":"answer","push":"p","with":"deny"}]}
        """
}
