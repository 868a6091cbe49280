import Foundation

@testable import LegacyStore

/// The files in LegacyFixtures.
enum StoreFixture {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("LegacyFixtures")

    static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    static func items(_ name: String) throws -> [LegacyItem] { try LegacyFile.open(url(name)).allItems() }

    /// What the legacy SDK's own classes say about the records of a store.
    static func expected(_ name: String) throws -> [Expectation] {
        try JSONDecoder().decode([Expectation].self, from: Data(contentsOf: url(name)))
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
}
