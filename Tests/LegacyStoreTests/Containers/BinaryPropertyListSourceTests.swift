import Foundation
import TestSupport
import Testing

@testable import LegacyStore

struct BinaryPropertyListSourceTests {
    private let scratch: TemporaryFolder
    private let account = LegacyService.account.rawValue

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test func listsOfTheSystemAreRead() throws {
        let items = try read([account: ["A-B": Data([1, 2])], "other": ["x": Data()]])
        let item = LegacyItem(
            position: .index(0),
            service: .account,
            key: "A-B",
            payload: .archive(Data([1, 2]))
        )
        #expect(items == [item])
    }

    @Test func otherValuesAreDamagedItems() throws {
        let items = try read([account: ["A-B": "text"]])
        #expect(items.map(\.payload) == [.damaged("The value is not data.")])
        #expect(try read([account: ["a"]]).map(\.payload) == [.damaged("A service holds no dictionary.")])
    }

    @Test func listsOfOtherServicesAreRefused() throws {
        let error = #expect(throws: LegacyStoreError.self) { try read(["other": ["x": Data()]]) }
        #expect(error?.code == .notALegacyStore)
    }

    @Test func removalKeepsEverythingElse() throws {
        let other: [String: Any] = [
            "date": Date(timeIntervalSinceReferenceDate: 1.5), "real": 2.5, "flags": [true, false], "n": -7,
            "text": "ü", "nested": ["deep": [Data([9])]],
        ]
        let list: [String: Any] = [account: ["A": Data([1]), "B": Data([2])], "other": other]
        let url = try write(list)
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        try source.remove([items[0]], backup: scratch.url("backup"))
        #expect(try LegacyFile.open(url).allItems().map(\.payload) == [items[1].payload])
        #expect(try LegacyFile.open(scratch.url("backup")).allItems() == items)
        let left = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        let dictionary = try #require(left as? [String: Any])
        #expect(dictionary["other"] as? NSDictionary == other as NSDictionary)
        #expect(try Data(contentsOf: url).starts(with: Data("bplist00".utf8)))
    }

    @Test func changedBytesNeverTrap() throws {
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
            try? source.remove(source.allItems().prefix(1), backup: scratch.url("backup"))
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
