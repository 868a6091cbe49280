import Foundation
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct BinaryPropertyListSourceTests {
    private let scratch: TemporaryFolder
    private let account = LegacyService.account.rawValue

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test func aPropertyListWrittenByFoundationIsRead() throws {
        let items = try read([account: ["A-B": Data([1, 2])], "other": ["x": Data()]])
        let item = LegacyItem(
            position: .index(0),
            service: .account,
            key: "A-B",
            payload: .archive(Data([1, 2]))
        )
        #expect(items == [item])
    }

    @Test func valuesOfAnotherTypeAreDamagedItems() throws {
        let items = try read([account: ["A-B": "text"]])
        #expect(items.map(\.payload) == [.damaged("The value is not data.")])
        #expect(try read([account: ["a"]]).map(\.payload) == [.damaged("A service is not a dictionary.")])
    }

    @Test func listsOfOtherServicesAreRefused() throws {
        let url = try write(["other": ["x": Data()]])
        let reason = "\(url.path) is not a store of the legacy SDK or its successor."
        #expect(throws: LegacyStoreError.notALegacyStore(reason)) { try LegacyFile.open(url) }
    }

    @Test func aPropertyListWithOtherContentsIsNotRemoved() throws {
        let url = try write([account: ["A": Data([1])], "other": ["text": "ü"]])
        let before = try scratch.contents()
        let source = try LegacyFile.open(url)
        let error = #expect(throws: LegacyStoreError.self) {
            try source.remove(source.allItems(), backup: scratch.url("backup"))
        }
        #expect(error?.code == .notWritable)
        #expect(error?.reason.contains("also contains data that does not belong to the SDKs") == true)
        #expect(try scratch.contents() == before)
    }

    @Test func aDamagedValueDoesNotPreventReadingTheOthers() throws {
        let marker = Data(repeating: 0xAB, count: 40)
        let kept = Data(repeating: 0xCD, count: 40)
        let list: [String: Any] = [
            account: ["A": marker, "B": "this value will be damaged", "C": kept],
            LegacyService.notification.rawValue: ["no dictionary"], "other": ["x": marker.prefix(39)],
        ]
        let url = try write(list)
        var bytes = try Data(contentsOf: url)
        let text = try #require(bytes.range(of: Data("this value".utf8)))
        // The byte three places before the text contains the type of the object; 0x7F is an unknown type.
        bytes[text.lowerBound - 3] = 0x7F
        try bytes.write(to: url)
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        #expect(items.count == 4)
        #expect(items.count { $0.payload == .archive(marker) } == 1)
        #expect(items.count { $0.payload == .archive(kept) } == 1)
    }

    @Test func readingChangedBytesNeverTraps() throws {
        var generator = SeededGenerator(seed: 3)
        let original = try PropertyListSerialization.data(
            fromPropertyList: [account: ["A": Data([1]), "B": Data([2])], "other": ["x": [1, 2]]],
            format: .binary,
            options: 0
        )
        for round in 0..<3_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let url = try scratch.file("a", bytes)
            guard let source = try? LegacyFile.open(url) else { continue }
            for item in try source.items() { _ = try? item.get().decoded() }
            guard round % 10 == 0 else { continue }
            _ = try? source.remove(source.allItems(), backup: scratch.url("backup"))
            try? FileManager.default.removeItem(at: scratch.url("backup"))
        }
    }

    private func write(_ list: [String: Any]) throws -> URL {
        try scratch.file(
            "a",
            PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        )
    }

    private func read(_ list: [String: Any]) throws -> [LegacyItem] {
        try LegacyFile.open(write(list)).allItems()
    }
}
