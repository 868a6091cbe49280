import Foundation
import PushBridgeSymbols
import PushParity
import Testing

/// The documents' code compiles, and the tests, commands and link targets that the documents name exist.
///
/// The documents are the guide, the pages of `docs`, and the articles of the API reference.
@Suite struct GuideTests {
    /// Pages whose code blocks must also occur in the files of ``folders``, between the marks of the guide's code.
    private static let pages = [
        Guide.guide, "docs/outcomes.md", "docs/doctor.md", "docs/plugins.md",
        Guide.article("FRAuthenticator", "Keeping-call-sites"),
        Guide.article("FRAuthenticator", "Moving-call-sites"),
        Guide.article("PingPush", "Device-tokens"),
        Guide.article("CredentialMigration", "Rolling-out"),
        Guide.article("CredentialMigration", "Moving-a-store"),
        Guide.article("CredentialMigration", "Successor-SDK"),
    ]
    /// Pages whose code blocks are checked by other tests.
    ///
    /// `PageTests` compiles the blocks about pushes with the stand-ins.
    private static let heldElsewhere: Set = [
        Guide.article("PushBridgeNotifications", "Delivering-pushes"),
        Guide.article("PushBridgeNotifications", "Service-extension"),
        Guide.article("PushBridgeNotifications", "Measuring-delivery"),
        Guide.article("PushBridgeNotifications", "Calls"),
    ]
    /// Pages in which every table is followed by a line that begins with "Tested by".
    private static let asserted = [
        Guide.guide, Guide.symbols, Guide.divergences, Guide.serverVersions,
        Guide.article("FRAuthenticator", "Moving-call-sites"), "docs/outcomes.md", "docs/fields.md",
        Guide.article("PingPush", "Device-tokens"), "docs/command-line.md",
        "docs/file-formats.md",
    ]
    private static let folders = [
        "Examples/OldStyleApp/Sources", "Tests/AppleStandIns/Tests/FRAuthenticatorTests",
        "Tools/Tests/MigrationGuideTests",
    ]
    private static let tests = ["Tests", "Tools/Tests", "Tools/Audit/Tests", "Tools/APNs/Tests", "Examples"]

    @Test func everyCodeBlockOfThePagesIsCompiled() throws {
        let compiled = Set(try Self.folders.flatMap(SourceFiles.guideCode))
        let blocks = try Self.pages.flatMap { try Guide($0).swiftBlocks }
        #expect(blocks.count > 25)
        for block in blocks { #expect(compiled.contains(block), "\(block)") }
        for code in compiled { #expect(blocks.contains(code), "\(code)") }
    }

    @Test func everyPageWithCodeBlocksIsChecked() throws {
        let withBlocks = try Guide.docs().filter { try !Guide($0).swiftBlocks.isEmpty }
        #expect(Set(withBlocks).subtracting(Self.pages) == Self.heldElsewhere)
    }

    @Test func everyNamedTestExists() throws {
        let names = try ([Guide.guide] + Guide.docs()).flatMap { try Guide($0).assertions }
        #expect(names.count > 150)
        try expectTests(names)
    }

    /// Every promise must name at least one test, and each of these tests must exist.
    @Test func everyPromiseNamesTestsThatExist() throws {
        let page = try Guide("docs/promises.md")
        let rows = page.lines.filter { $0.hasPrefix("| <a id=") }
        #expect(rows.count > 40)
        for row in rows {
            #expect(!(row.split(separator: "|").last ?? "").codeSpans.isEmpty, "\(row)")
        }
        let names = page.tests(inTablesEnding: "tests")
        try expectTests(names.filter { !$0.hasPrefix("Scripts/") })
        let run = try [".ci/run", "Scripts/checks/nightly"].map {
            try String(contentsOf: Guide.root.appendingPathComponent($0), encoding: .utf8)
        }.joined()
        for name in names where name.hasPrefix("Scripts/") { #expect(run.contains(name), "\(name)") }
    }

    private func expectTests(_ names: [String]) throws {
        let sources = try Self.tests.flatMap(SourceFiles.contents).joined(separator: "\n")
        let suites = Set(sources.matches(of: #/(?:struct|class) (\w+)[ :]/#).map { String($0.1) })
        let functions = Set(sources.matches(of: #/func (\w+)\(/#).map { String($0.1) })
        for name in names {
            let parts = name.split(separator: ".").map(String.init)
            if parts.count == 2 {
                #expect(suites.contains(parts[0]) && functions.contains(parts[1]), "\(name)")
            } else {
                #expect(suites.contains(name) || functions.contains(name), "\(name)")
            }
        }
    }

    @Test(arguments: asserted)
    func everyTableNamesTheTestsThatAssertIt(_ path: String) throws {
        let lines = try Guide(path).lines
        let ends = lines.indices.filter { index in
            lines[index].hasPrefix("|") && (index + 1 == lines.count || !lines[index + 1].hasPrefix("|"))
        }
        #expect(!ends.isEmpty)
        for end in ends {
            let next = lines[(end + 1)...].first { !$0.isEmpty } ?? ""
            #expect(next.hasPrefix("Tested by "), "\(lines[end])")
        }
    }

    @Test func everyCommandInTheDocumentsExists() throws {
        let names = try SourceFiles.contents(of: "Tools/Sources/Migrating/pushbridge").joined(separator: "\n")
        for command in try ([Guide.guide] + Guide.docs()).flatMap({ try Guide($0).commands }) {
            #expect(names.range(of: "struct \(command): ", options: .caseInsensitive) != nil, "\(command)")
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

    @Test(arguments: [(Guide.guide, 300), ("README.md", 150)])
    func pagesDoNotExceedTheirMaximalLength(_ path: String, _ limit: Int) throws {
        #expect(try Guide(path).lines.count <= limit + 1)
    }

    @Test func everyLinkHasATarget() throws {
        let others = [
            "README.md", Guide.guide, "CHANGELOG.md", "CONTRIBUTING.md", "LegacyFixtures/README.md",
            "Examples/README.md", "Examples/DeliveryApp/README.md", "Examples/SwiftUIApp/README.md",
            "Examples/SCENARIOS.md", "SECURITY.md",
        ]
        var count = 0
        for path in try others + Guide.docs() {
            let page = try Guide(path)
            let anchors = page.anchors
            #expect(Set(anchors).count == anchors.count, "\(path) has two equal anchors")
            for link in page.links {
                count += 1
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let folder = Guide.root.appendingPathComponent(path).deletingLastPathComponent()
                let target =
                    parts[0].isEmpty
                    ? Guide.root.appendingPathComponent(path)
                    : folder.appendingPathComponent(String(parts[0])).standardized
                #expect(FileManager.default.fileExists(atPath: target.path), "\(path): \(link)")
                guard parts.count == 2, target.pathExtension == "md" else { continue }
                let aim = String(target.path.dropFirst(Guide.root.standardized.path.count + 1))
                #expect(try Guide(aim).anchors.contains(String(parts[1])), "\(path): \(link)")
            }
        }
        #expect(count > 150)
    }

    /// Checks the anchors to which the audit, the skill and the page of `parity` link.
    @Test func everyAnchorThatTheToolsPrintExists() throws {
        let divergences = RegisteredDivergence.Register.allCases.flatMap(\.divergences)
        let places = SymbolTable.record.sections.map(\.place) + divergences.map(\.place)
        #expect(places.count > 40)
        for place in places {
            #expect(try Guide(place.page.rawValue).anchors.contains(place.anchor), "\(place)")
        }
        let names = Set(places.map(\.description))
        for divergence in Divergence.register { #expect(names.contains(divergence.place)) }
    }
}
