import CredentialMigration
import Foundation
import GRDB
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Records of both SDKs describe one account in one file; their order does not matter.
///
/// The record with the later date determines the account's names and appearance. If the dates are equal, the successor
/// SDK's record determines them.
@Suite("Accounts that both SDKs describe")
struct SharedAccountTests {
    private let folder: TemporaryFolder
    /// The date of the successor's record.
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { folder = try TemporaryFolder() }

    /// A container that can hold the items of both SDKs.
    enum Container: CaseIterable {
        case jsonLines, dump, sqlite
    }

    /// The record with the later date.
    ///
    /// The raw value is the legacy record's date minus the date of the successor's record, in seconds.
    enum Later: Double, CaseIterable {
        case legacy = 86_400
        case successor = -86_400
        case neither = 0
        /// The successor SDK stores whole seconds, so dates that differ by less than a second count as equal.
        case neitherInWholeSeconds = 0.5
    }

    private struct Item: Encodable {
        let svce: String
        let acct: String
        let data: Data
    }

    private func items(_ later: Later, lockedByLegacy: Bool) throws -> [Item] {
        var profile = AccountProfile(issuer: "Demo", accountName: "ann")
        profile.customDisplayIssuer = "Legacy"
        profile.customDisplayAccountName = "Ann of legacy"
        profile.imageURL = "https://legacy.example.com/a.png"
        profile.backgroundColor = "111111"
        profile.policies = #"{"biometricAvailable":{}}"#
        profile.isLocked = lockedByLegacy
        profile.lockingPolicy = lockedByLegacy ? "biometricAvailable" : nil
        let date = Self.date.addingTimeInterval(later.rawValue)
        let account = LegacyRecord.account(LegacyAccount(profile: profile, timeAdded: date))
        let lock =
            lockedByLegacy ? #""isLocked": false"# : #""isLocked": true, "lockingPolicy": "officeHours""#
        let push = """
            {"id": "P", "issuer": "Demo", "displayIssuer": "Successor", "accountName": "ann",
            "displayAccountName": "Ann of the successor", "imageURL": "https://successor.example.com/a.png",
            "backgroundColor": "222222", "policies": "{\\"deviceTampering\\":{\\"score\\":0.8}}",
            "serverEndpoint": "https://am.example.com/push", "sharedSecret": "b3JpZ2luYWwtc2VjcmV0LW9mLXRoZS1maWVsZC1jYXM=",
            "createdAt": "2023-11-14T22:13:20Z", "platform": "PING_AM", \(lock)}
            """
        return [
            Item(svce: account.service.rawValue, acct: account.identifier, data: account.archive),
            Item(svce: "com.pingidentity.push.credentials", acct: "P", data: Data(push.utf8)),
        ]
    }

    private func file(_ items: [Item], in container: Container) throws -> URL {
        let url = folder.url("\(UUID().uuidString)")
        switch container {
        case .jsonLines:
            let lines = try items.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            try Data(lines.joined(separator: "\n").utf8).write(to: url)
        case .dump:
            try JSONEncoder().encode(["genp": items]).write(to: url)
        case .sqlite:
            let queue = try DatabaseQueue(path: url.path)
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE genp(rowid INTEGER PRIMARY KEY, agrp, svce, acct, data)")
                for item in items {
                    try db.execute(
                        sql: "INSERT INTO genp(agrp, svce, acct, data) VALUES ('', ?, ?, ?)",
                        arguments: [item.svce, item.acct, item.data]
                    )
                }
            }
            try queue.close()
        }
        return url
    }

    @Test(arguments: Container.allCases, Later.allCases)
    func theLaterRecordDeterminesTheAppearanceOfASharedAccount(_ container: Container, _ later: Later) throws
    {
        for lockedByLegacy in [true, false] {
            let items = try items(later, lockedByLegacy: lockedByLegacy)
            for order in [items, items.reversed()] {
                for batchSize in [1, 750] {
                    let store = MemoryCredentialStore()
                    let migration = CredentialMigration(
                        from: .file(try file(order, in: container)),
                        to: store,
                        options: MigrationOptions(batchSize: batchSize)
                    )
                    let receipt = try migration.migrate()
                    #expect(receipt.isComplete && receipt.totals[.kept] == 0)
                    let account = try #require(try store.read { try $0.accounts().values.first })
                    let isLegacy = later == .legacy
                    #expect(account.customDisplayIssuer == (isLegacy ? "Legacy" : "Successor"))
                    let name = isLegacy ? "Ann of legacy" : "Ann of the successor"
                    #expect(account.customDisplayAccountName == name)
                    let host = isLegacy ? "legacy" : "successor"
                    #expect(account.imageURL == "https://\(host).example.com/a.png")
                    #expect(account.backgroundColor == (isLegacy ? "111111" : "222222"))
                    // The account is locked if one of the two records is locked, regardless of the dates.
                    #expect(account.isLocked)
                    #expect(account.lockingPolicy == (lockedByLegacy ? "biometricAvailable" : "officeHours"))
                    #expect(try migration.verify().isComplete)
                    #expect(try migration.migrate().isComplete)
                    #expect(try store.read { try $0.accounts().values } == [account])
                }
            }
        }
    }
}
