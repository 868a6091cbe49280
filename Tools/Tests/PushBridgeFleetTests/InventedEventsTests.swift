import Foundation
import PushBridgeFleet
import Testing

/// Attacks in which a sender invents events.
@Suite struct InventedEventsTests {
    /// A single sender can determine the verdict, so the document demands authentication before it shows the command.
    @Test func theDocumentDemandsAuthenticationBeforeTheCommand() throws {
        var phones = Phones()
        let troubled = phones(600) + phones(60, "failed", reason: "other", counts: "[]")
        #expect(try verdict(troubled).decision == .stop)
        #expect(try verdict(troubled + phones(20_000)).decision == .continue)
        var others = Phones()
        #expect(try verdict(others(600) + others(40, "held", attempt: 2, counts: "[]")).decision == .stop)
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/fleet.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let demand = try #require(
            text.range(of: "**Authenticate and limit the events before you count them.**")
        )
        let command = try #require(text.range(of: "```console"))
        #expect(demand.lowerBound < command.lowerBound)
        for number in ["20,000 invented", "40 invented"] { #expect(text.contains(number)) }
    }

    /// Each of 4,000 system versions is compared with all other versions together.
    ///
    /// The sum of all versions is computed only once.
    @Test func aFailingVersionAmongThousandsIsFound() throws {
        var phones = Phones()
        var lines: [String] = []
        for version in 0..<4000 { lines += phones(1, system: "iOS 26.\(version)") }
        lines += phones(100, "failed", system: "iOS 18.0", reason: "other", counts: "[]")
        let verdict = try verdict(lines)
        let causes = verdict.causes.filter { $0.group?.system != nil }
        #expect(causes.map(\.group?.system) == ["iOS 18.0"])
        #expect(causes.map(\.decision) == [.stop])
    }
}
