import Foundation
import PushBridgeCommandLine
import PushBridgeCommandLineTestSupport
import Testing

/// The page docs/command-line.md lists the commands, the exit statuses and the schemas of the command line.
@Suite struct CommandLinePageTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs").standardized
    private let lines: [String]

    init() throws {
        let page = Self.docs.appendingPathComponent("command-line.md")
        lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    }

    @Test func everyCommandIsOnThePage() throws {
        let help = try CommandLineTool()("--help").output.components(separatedBy: "SUBCOMMANDS:\n")
        let names = (help.last ?? "").matches(of: #/(?m)^  ([a-z]+) /#).map { String($0.1) }
        #expect(names.count > 10)
        for name in names {
            #expect(lines.contains { $0.hasPrefix("| `\(name) ") || $0.hasPrefix("| `\(name)`") }, "\(name)")
        }
    }

    @Test func everyExitStatusIsOnThePage() {
        let rows = lines.filter { $0.wholeMatch(of: #/\| \d+ \| .* \|/#) != nil }
            .map { $0.replacingOccurrences(of: "`", with: "") }
        #expect(rows == ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" })
    }

    @Test func everySchemaIsOnThePage() throws {
        let folder = Self.docs.appendingPathComponent("schemas")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".schema.json") }
        #expect(names.count > 15)
        for name in names {
            #expect(lines.contains { $0.hasSuffix(" | [\(name)](schemas/\(name)) |") }, "\(name)")
        }
    }
}
