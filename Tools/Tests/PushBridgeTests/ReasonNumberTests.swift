import Foundation
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import Testing

/// The outputs that state the number of a reason.
///
/// The page docs/outcomes.md lists the numbers.
@Suite struct ReasonNumberTests {
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
    }

    /// Both records are mechanisms whose bytes are not an archive.
    @Test func commandsReportTheReasonNumberOfADamagedRecord() throws {
        let lines = ["push", "totp"].map { kind in
            #"{"svce":"com.forgerock.ios.authenticator.keychainservice.local.mechanism","acct":"Bank-alice-\#(kind)","data":"AAAA"}"#
        }
        let store = try tool.file("damaged.jsonl", Data(lines.joined(separator: "\n").utf8))
        let database = tool.path("new.db")
        #expect(try tool("migrate", store, "--to", database).status == 1)
        let retire = ["retire", store, "--against", database, "--backup", tool.path("backup")]
        for (command, member, count) in [
            (["inspect", store], "problems", 2), (["verify", store], "problems", 1), (retire, "records", 2),
            (["verify", store, "--against", database], "records", 2),
            (["plan", store, "--to", database], "records", 2),
        ] {
            let text = try tool.run(command)
            #expect(text.status == 1)
            #expect(text.output.contains("  PB-R014: "), "\(text.output)")
            let value = try #require(JSONValue(json: Data(try tool.run(command + ["--json"]).output.utf8)))
            guard case .array(let elements)? = value[member] else {
                Issue.record("The output has no array \(member): \(value.text)")
                continue
            }
            #expect(elements.map { $0["number"] } == Array(repeating: .string("PB-R014"), count: count))
        }
    }

    @Test func aProvenRecordHasNoReasonNumber() throws {
        let store = try tool.fixture("everyday.sqlite")
        let run = try tool("migrate", store, "--to", tool.path("new.db"), "--json")
        guard case .array(let records)? = JSONValue(json: Data(run.output.utf8))?["records"] else {
            Issue.record("The output has no array records: \(run.output)")
            return
        }
        let proven = records.filter { $0["code"] == nil }
        #expect(!proven.isEmpty && proven.allSatisfy { $0["number"] == nil })
    }
}
