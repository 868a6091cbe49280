import Foundation
import PushBridgeTestSupport

@testable import LegacyFiles
@testable import LegacyStore

/// The contents of the files in `LegacyFixtures`.
enum StoreFixture {
    static func items(_ name: String) throws -> [LegacyItem] {
        try LegacyFile.open(LegacyFixtures.url(name)).allItems()
    }

    /// Returns the descriptions of a store's records, which the legacy SDK's own classes wrote.
    static func expected(_ name: String) throws -> [Expectation] {
        try JSONDecoder().decode([Expectation].self, from: LegacyFixtures.data(name))
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
        var doomed: [LegacyItem.Position: LegacyItem.Digest] = [:]
        for item in items { doomed[item.position] = item.digest }
        return try remove(doomed, backup: backup)
    }
}
