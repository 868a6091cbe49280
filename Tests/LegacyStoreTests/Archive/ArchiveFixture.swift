import Foundation
import GRDB
import LegacyStore
import PushBridgeTestSupport

/// A record that the legacy SDK itself wrote, from one of the fixture stores.
struct ArchiveFixture {
    let service: LegacyService
    let key: String
    let archive: Data

    /// Stores that contain only intact records.
    static let soundStores = [
        "everyday", "everyday-sdk-2.0", "everyday-sdk-3.1", "everyday-sdk-3.3", "everyday-sdk-4.0", "edges",
    ]

    /// Returns all records of a fixture store, in the order of their rows.
    static func all(in store: String) throws -> [ArchiveFixture] {
        var configuration = Configuration()
        configuration.readonly = true
        let path = LegacyFixtures.url("\(store).sqlite").path
        let rows = try DatabaseQueue(path: path, configuration: configuration).read { database in
            try Row.fetchAll(database, sql: "SELECT svce, acct, data FROM genp ORDER BY rowid")
        }
        return rows.compactMap { row in
            LegacyService(rawValue: row["svce"]).map {
                ArchiveFixture(service: $0, key: row["acct"], archive: row["data"])
            }
        }
    }

    /// Returns the bytes of a fixture file.
    static func file(_ name: String) throws -> Data {
        try LegacyFixtures.data(name)
    }
}
