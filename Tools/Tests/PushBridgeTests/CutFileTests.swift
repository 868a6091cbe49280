import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

@testable import pushbridge

/// The command `doctor` on files whose end is missing after an incomplete copy.
@Suite struct CutFileTests {
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
    }

    private struct Report: Decodable {
        struct Finding: Decodable {
            let check: String
            let severity: String
        }

        let findings: [Finding]
        let cutOff: String?
        let lacksLog: Bool
    }

    /// Returns stores of every form in which a cut can be detected.
    ///
    /// Two of them are the source and the database of a migration.
    private func stores() throws -> [String] {
        let (source, database) = (try tool.fixture("everyday.sqlite"), tool.path("new.db"))
        #expect(try tool("migrate", source, "--to", database).status == 0)
        let list = try Data(contentsOf: LegacyFixtures.url("everyday.plist"))
        let values = try PropertyListSerialization.propertyList(from: list, format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        return [
            source, try tool.fixture("everyday.plist"), try tool.fixture("everyday.jsonl"),
            try tool.file("binary.plist", binary), database,
        ]
    }

    @Test func aCutOffStoreIsReportedAsOneFault() throws {
        for store in try stores() {
            let whole = try Data(contentsOf: URL(fileURLWithPath: store))
            #expect(CutFile(at: store) == nil)
            for part in [whole.count / 4, whole.count / 2, whole.count - 40] {
                let cut = try tool.file("cut", whole.prefix(part))
                let run = try tool("doctor", cut)
                #expect(run.status == 1, "\(store), \(part): \(run.diagnostics)")
                #expect(
                    run.output.hasPrefix("doctor: \(cut) is cut off: "),
                    "\(store), \(part): \(run.output)"
                )
                #expect(run.output.contains("copy it again"))
                #expect(run.diagnostics.isEmpty, "\(run.diagnostics)")
                let report = try tool("doctor", cut, "--json").json(Report.self)
                #expect(report.findings.map(\.check) == ["storeReadable"])
                #expect(report.findings.map(\.severity) == ["fault"])
                // The text names the file; the JSON does not.
                let end = try #require(CutFile(at: cut)?.end)
                #expect(run.output.hasPrefix("doctor: \(cut) is cut off: \(end).\n"))
                #expect(report.cutOff == "The store is cut off: \(end).")
            }
        }
    }

    @Test func anEmptyFileIsNotAStore() throws {
        let run = try tool("doctor", tool.file("empty.db"))
        #expect(run.status == 66)
        #expect(run.sentences.count == 1)
        #expect(run.diagnostics.contains("is an empty file; if it is a copy, copy it again"))
    }

    @Test func aCutFileOfAnotherProgramIsNotAStore() throws {
        let run = try tool("doctor", tool.file("other.json", Data(#"{"name":"val"#.utf8)))
        #expect(run.status == 66)
        #expect(run.sentences.count == 1)
    }

    @Test func aListWithTextAfterItsEndIsNotCalledCut() throws {
        let list = try Data(contentsOf: LegacyFixtures.url("everyday.plist"))
        let blanks = Data(String(repeating: " \n", count: 100).utf8)
        for rest in [Data("<!-- a copy of a phone -->\n".utf8), blanks] {
            let path = try tool.file("list.plist", list + rest)
            #expect(CutFile(at: path) == nil)
        }
    }

    /// A database with a log is not reported as cut off, because its latest pages may be in the log.
    @Test func aDatabaseWithItsLogIsNotCalledCut() throws {
        let whole = try Data(contentsOf: LegacyFixtures.url("everyday.sqlite"))
        let path = try tool.file("half.sqlite", whole.prefix(whole.count / 2))
        #expect(CutFile(at: path) != nil)
        _ = try tool.file("half.sqlite-wal", Data([0]))
        #expect(CutFile(at: path) == nil)
    }
}
