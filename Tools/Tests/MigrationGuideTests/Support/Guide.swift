import Foundation

/// MIGRATION.md, or another page, taken apart.
struct Guide {
    let lines: [Substring]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init(_ page: String = "MIGRATION.md") throws {
        let url = Self.root.appendingPathComponent(page)
        lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
    }

    /// The Swift code blocks.
    var swiftBlocks: [String] {
        lines.split { $0.hasPrefix("```swift") }.dropFirst().map { block in
            block.prefix { !$0.hasPrefix("```") }.joined(separator: "\n")
        }
    }

    /// The identifiers in the first cell of every table row.
    var subjects: [Set<String>] {
        lines.filter { $0.hasPrefix("| ") }.compactMap { line in
            line.split(separator: "|").first.map { Set($0.codeSpans.flatMap(\.identifiers)) }
        }
    }

    /// The names behind every "Asserted by", and those in the last cells of tables with such a column.
    var assertions: [String] {
        let tables = lines.split { !$0.hasPrefix("|") }.filter {
            $0.first?.hasSuffix("| asserted by |") == true
        }
        let cells = tables.joined().compactMap { $0.split(separator: "|").last }
        return (lines.filter { $0.hasPrefix("Asserted by ") } + cells).flatMap(\.codeSpans)
    }

    /// The subcommands of `pushbridge` that are named.
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

    /// The words that code is made of.
    var identifiers: [String] {
        components(separatedBy: .alphanumerics.union(["_"]).inverted).filter { !$0.isEmpty }
    }
}
