import Foundation
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct HostileStoreTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test(arguments: Shape.allCases)
    fileprivate func readingChangedBytesNeverTraps(_ shape: Shape) throws {
        var generator = SeededGenerator(seed: 7)
        let original = Array(shape.text.utf8)
        for _ in 0..<5_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, &generator) }
            let url = try scratch.file("a", Data(bytes))
            guard let source = try? LegacyFile.open(url) else { continue }
            for item in try source.items() { _ = try? item.get().decoded() }
        }
    }

    @Test func readingDamagedRecordsNeverTraps() throws {
        let items = try StoreFixture.items("damaged.sqlite")
        #expect(items.count > 40)
        for item in items { _ = try? item.decoded() }
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        guard place < bytes.count else { return }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = "{}[]\",:\\<>/&;!?-\0 ".utf8.randomElement(using: &generator) ?? 0
        case 2: bytes.remove(at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 30))
        }
    }
}

private enum Shape: CaseIterable {
    case document
    case export
    case lines
    case xml

    var text: String {
        let account = LegacyService.account.rawValue
        switch self {
        case .document:
            return #"{"accounts":[\#(LegacyDocument.account(1))],"#
                + #""mechanisms":[\#(LegacyDocument.mechanism(1, nested: false))],"deviceToken":null}"#
        case .export:
            let mechanism = LegacyDocument.mechanism(1, nested: true)
            return #"{"mechanisms":[\#(mechanism)],"metadata":{"totalMechanisms":1}}"#
        case .lines:
            return #"{"svce":"\#(account)","acct":"A\u0041","data":"AQI="}"#
                + "\n" + #"{"svce":"other","acct":"A","data":"AQI="}"# + "\n"
        case .xml:
            return "<plist><!-- c --><dict><key>other</key><string>x</string><key>\(account)</key><dict>"
                + "<key>a&amp;<![CDATA[b]]></key><data>AQI=</data><key>b</key><data/></dict></dict></plist>"
        }
    }
}
