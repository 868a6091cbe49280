import CredentialMigration
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import PushBridgeMigrating
@testable import pushbridge
@testable import pushbridge_try

/// The output that people read.
@Suite struct OutputTests {
    @Test func tableAlignsWideNarrowAndCombiningCharacters() {
        var table = Table(("Name", .left), ("Count", .right), ("Last", .left))
        table.add("日本銀行", "7", "a")
        table.add("Société", "1234567", "b")
        table.add("e\u{301}", "1", "")
        #expect(
            table.text == """
                Name        Count  Last
                日本銀行        7  a
                Société   1234567  b
                é               1

                """
        )
    }

    @Test func aTableContainsNoControlCharacters() {
        var table = Table(("Key", .left), ("", .left))
        table.add("a\u{1B}[31mb\nc\u{202E}d\u{7}", "end")
        #expect(
            table.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        )
        #expect(!table.text.contains("\u{202E}"))
        #expect(table.text.split(separator: "\n").count == 2)
    }

    @Test(arguments: [(0, "0 records"), (1, "1 record"), (2, "2 records")])
    func countsAreSingularOrPlural(_ count: Int, _ words: String) {
        #expect(count.counted("record") == words)
    }

    @Test func longCellsAreCutInTheMiddle() {
        var table = Table(("Key", .left), ("", .left))
        table.add(String(repeating: "a", count: 2000) + "-push", "")
        let line = table.text.split(separator: "\n")[1]
        #expect(line.count == 60)
        #expect(line.hasSuffix("-push"))
    }

    /// A foreign store may have keys of several megabytes.
    @Test func aTableWithHugeCellsIsMadeQuickly() {
        var table = Table(("Key", .left), ("", .left))
        let key = String(repeating: "a", count: 10_000_000)
        let start = ContinuousClock.now
        for _ in 0..<4 { table.add(key, "") }
        #expect(table.text.count < 1_000)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    /// A key of a foreign store may contain markup, direction overrides and invalid characters.
    @Test func valuesInAPageAreEscaped() throws {
        let key = "<a href=\"x\">'&'</a>{{source}}\u{202E}\u{0}"
        let page = try PageTemplate.migration.html([
            "title": .string(key), "records": .array([["key": .string(key), "outcome": "kept"]]),
        ])
        let escaped = "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;{{source}}  "
        #expect(page.contains("<title>pushbridge \(escaped)</title>"))
        #expect(page.contains("<div class=\"key\">\(escaped)</div>"))
    }

    /// If a part were missing, the page would contain only its placeholder.
    @Test func everyPageContainsAllPartsOfItsTemplate() throws {
        for template in PageTemplate.allCases {
            let page = try template.html(["title": "one", "command": "two"])
            #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
            #expect(page.hasSuffix("</html>"))
            for part in [
                "<title>pushbridge one</title>", "--ink:", ".records > input", "<h1>pushbridge two</h1>",
            ] {
                #expect(page.contains(part), "\(template): \(part)")
            }
            #expect(!page.contains("{{"))
        }
    }

    @Test func progressDrawsABarAfterOneSecond() throws {
        let written = Guarded("")
        let bar = ProgressBar(isInteractive: true, startedBefore: .seconds(2)) { text in
            written.withValue { $0 += text }
        }
        bar.show(CredentialMigration.Progress(step: .applying, completed: 30_000, total: 60_000))
        #expect(
            written.withValue { $0 }.contains(
                "[###############...............] applying 30000 of 60000 records"
            )
        )
        bar.finish()
        #expect(written.withValue { $0 }.hasSuffix("\r\u{1B}[K"))
        let quiet = ProgressBar(isInteractive: true) { _ in
            Issue.record("The progress bar was shown in the first second.")
        }
        quiet.show(CredentialMigration.Progress(step: .planning, completed: 1, total: nil))
        quiet.finish()
    }

    @Test func progressHasItsUnit() {
        var shown: [String] = []
        for isInteractive in [false, true] {
            let bar = ProgressBar(isInteractive: isInteractive, startedBefore: .seconds(2)) {
                shown.append($0)
            }
            bar.show("comparing", 3, of: 12, unit: "MB")
        }
        #expect(shown.first == "comparing: 3 of 12 MB, 25 %\n")
        #expect(shown.last?.hasSuffix("[#######.......................] comparing: 3 of 12 MB, 25 %") == true)
    }

    @Test func progressInALogHasNoControlCharacters() {
        let written = Guarded("")
        let bar = ProgressBar(isInteractive: false, startedBefore: .seconds(2)) { text in
            written.withValue { $0 += text }
        }
        bar.show(CredentialMigration.Progress(step: .planning, completed: 500, total: nil))
        bar.finish()
        #expect(written.withValue { $0 } == "planning 500 records\n")
    }
}
