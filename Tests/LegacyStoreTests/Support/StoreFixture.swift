import Foundation
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

/// The contents of the files in `LegacyFixtures`.
enum StoreFixture {
    static func items(_ name: String) throws -> [LegacyItem] {
        try LegacyFile.open(LegacyFixtures.url(name)).allItems()
    }

    /// Returns the descriptions of a store's records; the legacy SDK's own classes wrote these descriptions.
    static func expected(_ name: String) throws -> [Expectation] {
        try JSONDecoder().decode([Expectation].self, from: LegacyFixtures.data(name))
    }

    /// Returns the lines of `everyday.jsonl`, which are JSON objects.
    static func everydayObjects() throws -> [[String: String]] {
        try LegacyFixtures.data("everyday.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
            try #require(try JSONSerialization.jsonObject(with: line) as? [String: String])
        }
    }

    /// The items of `everyday.jsonl`.
    static func everydayItems() throws -> [Item] {
        try everydayObjects().map { members in
            Item(
                service: try #require(members["svce"]),
                key: try #require(members["acct"]),
                data: try #require(members["data"].flatMap { Data(base64Encoded: $0) })
            )
        }
    }

    /// A keychain item of a store file.
    struct Item {
        var service: String
        var key: String
        var data: Data
        /// 1 if the item is marked as deleted, and 0 if it is not; `nil` if the file has no such marks.
        var tombstone: Int?
    }

    struct Expectation: Decodable {
        let kind: String
        let key: String
        let json: String

        var service: LegacyService {
            switch kind {
            case "account": .account
            case "notification": .notification
            default: .mechanism
            }
        }
    }
}

extension LegacySource {
    func allItems() throws -> [LegacyItem] { try items().map { try $0.get() } }

    /// Removes items that were read from this source.
    @discardableResult
    func remove(_ items: some Sequence<LegacyItem>, backup: URL) throws(LegacyStoreError) -> [String] {
        var removals: [LegacyItem.Position: LegacyItem.Digest] = [:]
        for item in items { removals[item.position] = item.digest }
        return try remove(removals, backup: backup)
    }
}
