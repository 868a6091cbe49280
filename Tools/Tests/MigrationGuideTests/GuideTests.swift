import Foundation
import Testing

/// What MIGRATION.md shows is code that compiles, and what it names exists.
@Suite struct GuideTests {
    private let folders = ["Examples/OldStyleApp/Sources", "Tools/Tests/MigrationGuideTests/Snippets"]

    @Test func everyBlockIsCompiled() throws {
        let compiled = Set(try folders.flatMap(SourceFiles.guideCode))
        let blocks = try Guide().swiftBlocks
        #expect(blocks.count > 15)
        for block in blocks { #expect(compiled.contains(block), "\(block)") }
        for code in compiled { #expect(blocks.contains(code), "\(code)") }
    }

    @Test func everyBlockOfThePagesIsCompiled() throws {
        let compiled = try SourceFiles.guideCode(in: "Tools/Tests/MigrationGuideTests/Pages")
        let blocks = try Self.pages.flatMap { try Guide($0).swiftBlocks }
        #expect(Set(blocks) == compiled)
        #expect(blocks.count >= 3)
    }

    private static let pages = ["docs/roll-out.md", "docs/doctor.md"]

    @Test func everyNamedTestExists() throws {
        let sources = try ["Tests", "Tools/Tests", "Tools/Audit/Tests", "Examples"].flatMap(
            SourceFiles.contents
        ).joined(
            separator: "\n"
        )
        let names = try (["MIGRATION.md"] + Self.pages).flatMap { try Guide($0).assertions }
        #expect(names.count > 50)
        for name in names {
            #expect(sources.contains("struct \(name) {") || sources.contains("func \(name)("), "\(name)")
        }
    }

    @Test func everyTableSaysWhatAssertsIt() throws {
        let lines = try Guide().lines
        let ends = lines.indices.filter { index in
            lines[index].hasPrefix("|") && (index + 1 == lines.count || !lines[index + 1].hasPrefix("|"))
        }
        #expect(ends.count > 10)
        for end in ends {
            let next = lines[(end + 1)...].first { !$0.isEmpty } ?? ""
            #expect(next.hasPrefix("Asserted by "), "\(lines[end])")
        }
    }

    @Test func everyCommandExists() throws {
        let names = try SourceFiles.contents(of: "Tools/Sources/pushbridge").joined(separator: "\n")
        for command in try Guide().commands {
            #expect(names.contains("struct \(command.capitalized): "), "\(command)")
        }
    }

    @Test(arguments: ["AccountsController", "PushController"])
    func stepTwoLeavesCallSitesAlone(_ name: String) throws {
        let sources = try ["Step1", "Step2"].map { step in
            let path = "Examples/OldStyleApp/Sources/\(step)/\(name).swift"
            return try Data(contentsOf: Guide.root.appendingPathComponent(path))
        }
        #expect(sources[0] == sources[1])
    }

    @Test func itStaysReadable() throws {
        #expect(try Guide().lines.count < 1_100)
    }
}
