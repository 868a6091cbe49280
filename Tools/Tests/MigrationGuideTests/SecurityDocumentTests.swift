import Foundation
import Testing

/// The documents about security name tests and scripts, and these tests and scripts exist.
@Suite struct SecurityDocumentTests {
    @Test(arguments: [("threat-model", 100), ("masvs", 35), ("fips-and-psd2", 10)])
    func everyNamedTestExists(_ page: String, _ count: Int) throws {
        let files = try ["Tests", "Tools/Tests", "Tools/APNs/Tests", "Tools/Audit/Tests"]
            .flatMap(SourceFiles.contents)
        let names = try text(page).matches(of: /`(\w+Tests)\.(\w+)`/).map(\.output)
        #expect(names.count >= count)
        for (name, suite, test) in names {
            let isThere = files.contains { file in
                file.contains("func \(test)(") && file.contains(" \(suite) ")
            }
            #expect(isThere, "\(name)")
        }
    }

    @Test(arguments: ["threat-model", "masvs"])
    func everyNamedScriptExists(_ page: String) throws {
        for name in try text(page).matches(of: /`(Scripts\/[a-z\/-]+)`/).map(\.output.1) {
            let path = Guide.root.appendingPathComponent(String(name)).path
            #expect(FileManager.default.isExecutableFile(atPath: path), "\(name)")
        }
    }

    @Test func everyThreatNamesTheCheckOfItsMitigation() throws {
        let rows = try text("threat-model").matches(of: /(?m)^\| [A-Z]\d+ \|.*\| (.*) \|$/)
        #expect(rows.count > 50)
        for row in rows { #expect(row.output.1.contains("`"), "\(row.output.0)") }
    }

    /// The MASVS 2.1 control groups, and the number of controls in each.
    @Test(arguments: [
        ("STORAGE", 2), ("CRYPTO", 2), ("AUTH", 3), ("NETWORK", 2), ("PLATFORM", 3), ("CODE", 4),
        ("RESILIENCE", 4), ("PRIVACY", 4),
    ])
    func everyControlNamesATestOrTheAppsPart(_ group: String, _ count: Int) throws {
        let rows = try text("masvs").split(separator: "\n").filter { $0.hasPrefix("| MASVS-\(group)-") }
        #expect(rows.count == count)
        for row in rows where !row.contains("none is used") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            #expect(cells.count == 6, "\(row)")
            #expect(cells[3].contains("`") || cells[4].contains { $0.isLetter }, "\(row)")
        }
    }

    private func text(_ page: String) throws -> String {
        try String(contentsOf: Guide.root.appendingPathComponent("docs/\(page).md"), encoding: .utf8)
    }
}
