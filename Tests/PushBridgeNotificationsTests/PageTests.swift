import Foundation
import Testing

/// What DELIVERY.md shows is code that compiles against the stand-ins for Apple's frameworks.
@Suite struct PageTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func everyBlockIsCompiled() throws {
        let apps = root.appendingPathComponent("Tests/AppleStandIns/Tests/NotificationTests/Apps.swift")
        let compiled = plain(try String(contentsOf: apps, encoding: .utf8))
        let page = try String(contentsOf: root.appendingPathComponent("DELIVERY.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { part in
            plain(part.components(separatedBy: "```")[0])
        }
        #expect(blocks.count == 8)
        for block in blocks { #expect(compiled.contains(block), "\(block)") }
    }

    /// The lines without their margins, because the page shows members without their types.
    private func plain(_ code: String) -> String {
        code.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
