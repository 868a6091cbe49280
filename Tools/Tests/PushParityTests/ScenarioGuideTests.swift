import Foundation
import PingAMSimulator
import PushParity
import Testing

/// The statements of Examples/SCENARIOS.md about scenario files.
@Suite("Scenario guide")
struct ScenarioGuideTests {
    private let guide: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        guide = try String(contentsOf: root.appendingPathComponent("Examples/SCENARIOS.md"), encoding: .utf8)
    }

    @Test func theGuideNamesEveryStep() {
        for verb in Step.Verb.allCases {
            #expect(guide.contains("\n| `\(verb.rawValue)` | \(verb.words) |"), "\(verb)")
        }
    }

    @Test func theGuideNamesEveryMemberOfTheCatalogue() throws {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Scenario.catalogue))
        let scenarios = try #require(json as? [[String: Any]])
        let steps = scenarios.flatMap { $0["steps"] as? [[String: Any]] ?? [] }
        let settings = scenarios.compactMap { $0["settings"] as? [String: Any] }
        let members = Set((steps + settings).flatMap(\.keys)).subtracting(["do"])
        #expect(members.count > 25)
        #expect(members.filter { !guide.contains("`\($0)`") } == [])
    }

    @Test func theGuideNamesEveryVersionOfTheServer() throws {
        let row = try #require(guide.split(separator: "\n").first { $0.hasPrefix("| `version` | ") })
        for version in ServerVersion.allCases { #expect(row.contains("`\(version.rawValue)`")) }
    }

    @Test func theExampleOfTheGuideIsPlayedWithoutDifferences() async throws {
        let block = guide.components(separatedBy: "```")[1].dropFirst("json".count)
        let scenarios = try Scenario.list(json: Data(block.utf8), name: "example")
        #expect(try await ParityRunner().run(try #require(scenarios.first)).differences == [])
    }
}
