import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeSymbols
import Testing

/// The skill for coding assistants begins with its name and description, and everything it refers to exists.
@Suite struct SkillTests {
    private let folder = Compiler.repository.appendingPathComponent("skills/migrate-frauthenticator")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func theReferenceOfTheSkillIsTheSymbolTable() throws {
        #expect(try text("references/symbols.md") == SymbolTable.record.reference)
    }

    @Test func theSkillBeginsWithItsNameAndDescription() throws {
        let lines = try text("SKILL.md").split(separator: "\n")
        #expect(lines.first == "---")
        let front = lines.dropFirst().prefix { $0 != "---" }
        #expect(front.contains("name: \(folder.lastPathComponent)"))
        let description = try #require(front.first { $0.hasPrefix("description: ") })
        #expect(description.count < 1024)
    }

    @Test func theSkillNamesEachClassAndOnlyExistingOptions() throws {
        let skill = try text("SKILL.md")
        for work in Work.allCases { #expect(skill.contains("`\(work.rawValue)`"), "\(work)") }
        let help = try CommandLineTool()("audit", "--help").output
        for option in Set(skill.matches(of: #/(--[a-z][a-z-]+)/#).map { String($0.1) })
        where !option.hasSuffix("-path") && option != "--product" {
            #expect(help.contains(option), "\(option)")
        }
    }

    /// The skill refers to sections of the guide by their titles in quotation marks.
    @Test func theGuideContainsTheSectionsThatTheSkillNames() throws {
        let guide = try String(
            contentsOf: Compiler.repository.appendingPathComponent("MIGRATION.md"),
            encoding: .utf8
        )
        let quoted = try text("SKILL.md").matches(of: #/"([A-Z][^"]+)" in the guide/#).map { String($0.1) }
        #expect(quoted.count >= 2)
        for section in quoted { #expect(guide.contains("# \(section)\n"), "\(section)") }
    }
}
