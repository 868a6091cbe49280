import Foundation
import Testing

/// The code in the articles about pushes compiles against the stand-ins for Apple's frameworks.
@Suite struct PageTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func everyCodeBlockOfTheDocumentationIsCompiled() throws {
        let files = [
            "Tests/AppleStandIns/Tests/NotificationTests/Apps.swift",
            "Examples/DeliveryApp/App/Screens.swift",
            "Tests/PushBridgeNotificationsTests/MilestoneTests.swift",
        ]
        let compiled = try files.map { file in
            plain(try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8))
        }
        let catalogue = root.appendingPathComponent(
            "Sources/PushBridgeNotifications/PushBridgeNotifications.docc"
        )
        let articles = try FileManager.default.contentsOfDirectory(
            at: catalogue,
            includingPropertiesForKeys: nil
        )
        let blocks = try articles.flatMap { article in
            try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
        }.map { plain($0.components(separatedBy: "```")[0]) }
        #expect(blocks.count == 16)
        for block in blocks { #expect(compiled.contains { $0.contains(block) }, "\(block)") }
    }

    /// The page `coverage-of-documents.md` names only code that exists.
    @Test func everyNameInTheCoverageDocumentExists() throws {
        let page = root.appendingPathComponent("docs/coverage-of-documents.md")
        let names = try String(contentsOf: page, encoding: .utf8)
            .matches(of: /`([A-Za-z]+)(?:[.(][^`]*)?`/).map { String($0.output.1) }
        #expect(names.count > 50)
        var words: Set<String> = []
        for folder in ["Sources", "Tests", "Examples", "Scripts"] {
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder),
                includingPropertiesForKeys: nil
            )
            while let file = files?.nextObject() as? URL {
                if file.lastPathComponent == ".build" { files?.skipDescendants() }
                words.formUnion([file.lastPathComponent, file.deletingPathExtension().lastPathComponent])
                guard file.pathExtension == "swift" else { continue }
                let code = try Data(contentsOf: file).split {
                    !(0x30...0x7A).contains($0) || (0x3A...0x40).contains($0)
                }
                words.formUnion(code.map { String(decoding: $0, as: UTF8.self) })
            }
        }
        words.formUnion(["simctl", "pushbridge"])
        let missing = names.filter { !words.contains($0) }
        #expect(missing == [])
    }

    /// Returns the lines without their indentation, because the page shows members without the types that
    /// contain them.
    private func plain(_ code: String) -> String {
        code.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
