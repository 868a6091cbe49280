import Foundation
import Testing

/// The parsed text of MIGRATION.md or of another page of the documents.
struct Guide: CustomTestStringConvertible {
    /// The page's path in the repository.
    let path: String
    let lines: [Substring]

    static let guide = "MIGRATION.md"
    static let symbols = "docs/symbols.md"
    static let divergences = "docs/divergences.md"
    static let serverVersions = "docs/server-versions.md"

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init(_ path: String = Self.guide) throws {
        self.path = path
        let url = Self.root.appendingPathComponent(path)
        lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
    }

    /// Returns the path of an article in the catalogue of a product.
    static func article(_ product: String, _ name: String) -> String {
        "Sources/\(product)/\(product).docc/\(name).md"
    }

    /// Returns the paths of the pages in `docs` and of the products' articles, sorted within each folder.
    static func docs() throws -> [String] {
        let products = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent("Sources").path
        )
        let catalogues = products.map { "Sources/\($0)/\($0).docc" }
            .filter { FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path) }
        return try (["docs"] + catalogues.sorted()).flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
                .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        }
    }

    var testDescription: String { path }

    /// The lines that are not in a block of code.
    var prose: [Substring] {
        var isCode = false
        return lines.filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode
        }
    }

    /// The targets to which links can point: the anchors of headings, and the ids in the text.
    var anchors: [String] {
        let headings = prose.filter { $0.hasPrefix("#") }.map { line in
            line.drop { $0 == "#" }.dropFirst().lowercased()
                .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacingOccurrences(of: " ", with: "-")
        }
        return headings + prose.flatMap { $0.matches(of: #/<a id="([^"]+)">/#).map { String($0.1) } }
    }

    /// The targets of links to pages in the repository.
    var links: [String] {
        prose.flatMap { line in
            line.replacing(#/`[^`]*`/#, with: "").matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
        }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
    }

    /// Returns the names of tests in the last columns of those tables whose last column has this title.
    func tests(inTablesEnding title: String) -> [String] {
        let tables = lines.split { !$0.hasPrefix("|") }.filter { $0.first?.hasSuffix("| \(title) |") == true }
        return tables.flatMap { $0.dropFirst(2) }.compactMap { $0.split(separator: "|").last }
            .flatMap(\.codeSpans)
    }

    /// The Swift code blocks.
    var swiftBlocks: [String] {
        lines.split { $0.hasPrefix("```swift") }.dropFirst().map { block in
            block.prefix { !$0.hasPrefix("```") }.joined(separator: "\n")
        }
    }

    /// The names of tests in lines that begin with "Tested by", and in the columns "tested by" of tables.
    ///
    /// A column "tested by" must be the last column of its table.
    var assertions: [String] {
        lines.filter { $0.hasPrefix("Tested by ") }.flatMap(\.codeSpans)
            + tests(inTablesEnding: "tested by")
    }

    /// The subcommands of `pushbridge` that the page names.
    var commands: Set<String> {
        Set(
            lines.flatMap(\.codeSpans).compactMap { span in
                let words = span.split(separator: " ")
                return words.count > 1 && words[0] == "pushbridge" ? String(words[1]) : nil
            }
        )
    }
}

extension StringProtocol {
    /// The text between backticks.
    var codeSpans: [String] {
        components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    /// The identifiers in code.
    var identifiers: [String] {
        components(separatedBy: .alphanumerics.union(["_"]).inverted).filter { !$0.isEmpty }
    }
}
