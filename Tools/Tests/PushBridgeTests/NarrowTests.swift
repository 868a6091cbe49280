import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import PushBridgeCommandLine

/// Tables and progress in a narrow terminal, and the links in pages.
@Suite struct NarrowTests {
    private static let table: Table = {
        var table = Table(("Kind", .left), ("Key", .left), ("Reason", .left))
        table.add("push mechanism", "Bank-alice-push", "PB-R014: The bytes cannot be read.")
        table.add("account", "日本銀行-bob", "")
        return table
    }()

    @Test func theLastColumnIsWrapped() {
        #expect(
            Self.table.text(columns: 52) == """
                Kind            Key              Reason
                push mechanism  Bank-alice-push  PB-R014: The bytes
                                                 cannot be read.
                account         日本銀行-bob

                """
        )
    }

    @Test func aVeryNarrowTableIsAListOfItsCells() {
        #expect(
            Self.table.text(columns: 30) == """
                Kind: push mechanism
                Key: Bank-alice-push
                Reason: PB-R014: The bytes
                  cannot be read.

                Kind: account
                Key: 日本銀行-bob

                """
        )
    }

    @Test(arguments: 8...90)
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        let lines = Self.table.text(columns: width).split(separator: "\n")
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width }, "\(lines)")
    }

    @Test func aWideEnoughTerminalAndAPipeHaveTheSameTable() {
        #expect(Self.table.text(columns: 200) == Self.table.text(columns: nil))
    }

    @Test(arguments: [
        (100, "[###############...............] exporting: 5 of 10 records, 50 %"),
        (40, "exporting: 5 of 10 records, 50 %"), (20, "exporting: 5 of 10…"),
    ])
    func progressIsOneLine(_ columns: Int, _ shown: String) {
        let written = Guarded("")
        let bar = ProgressBar(isInteractive: true, columns: columns, startedBefore: .seconds(2)) { text in
            written.withValue { $0 += text }
        }
        bar.show("exporting", records: 5, of: 10)
        #expect(written.withValue { $0 } == "\r\u{1B}[K\(shown)")
    }

    @Test func reportsFitFortyColumns() throws {
        let tool = try CommandLineTool()
        let store = try tool.fixture("damaged.sqlite")
        let database = tool.path("new.db")
        for command in [
            ["inspect", store], ["doctor", store], ["plan", store, "--to", database], ["verify", store],
            ["fleet", tool.path("events.jsonl")], ["parity", "--divergences"],
        ] {
            if command[0] == "fleet" {
                _ = try tool("fleet", "simulate", "--phones", "300", "--to", command[1])
            }
            let run = try tool.run(command, environment: ["COLUMNS": "40"])
            // The terminal wraps sentences, but the cells of a table must fit.
            let rows = run.output.split(separator: "\n").filter { $0.contains("  ") }
            #expect(rows.allSatisfy { DisplayWidth.of(String($0)) <= 40 }, "\(command): \(run.output)")
        }
    }

    @Test func documentsAreLinksOnceTheProjectHasAnAddress() {
        let place = "docs/divergences.md#locks"
        let named = JSONValue.documentLink(place, at: "https://example.com/PushBridge/blob/main/")
        #expect(named["address"] == .string("https://example.com/PushBridge/blob/main/\(place)"))
        let copy = JSONValue.documentLink(place, at: "../PushBridge")
        #expect(copy["address"] == .string("../PushBridge/\(place)"))
        let unnamed = JSONValue.documentLink(place, at: "https://example.com/OWNERS-TO-BE-NAMED/PushBridge/")
        #expect(unnamed["address"] == nil)
        #expect(unnamed["place"] == .string(place))
    }
}
