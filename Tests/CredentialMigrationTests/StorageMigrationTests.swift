import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A migration from an app's own storage has the same outcomes as a migration from a file with the same
/// records.
@Suite struct StorageMigrationTests {
    /// The records of an app's adapter, which rejects removals.
    private struct Records: LegacyRecordStorage {
        let all: [LegacyRecord]

        func records() -> [LegacyRecord] { all }
        func remove(_ record: LegacyRecord) throws(LegacyStoreError) {
            throw LegacyStoreError(.notWritable, reason: "The app refuses.")
        }
        func restore(_ record: LegacyRecord) {}
    }

    @Test(arguments: ["everyday.jsonl", "edges.jsonl"])
    func aStorageClientIsMigratedWithTheSameResultAsAFile(_ fixture: String) throws {
        let file = try LegacyFile.open(LegacyFixtures.url(fixture))
        let records = try file.items().map { try $0.get().decoded().record }
        let store = MemoryCredentialStore()
        let migration = CredentialMigration(from: .storage(Records(all: records)), to: store)
        let receipt = try migration.apply(migration.plan())
        let reference = MemoryCredentialStore()
        #expect(try receipt.totals == migrate(file, to: reference).totals)
        #expect(receipt.isComplete)
        #expect(receipt.container == "storageClient")
        let (snapshot, expected) = (try Snapshot(store), try Snapshot(reference))
        #expect(snapshot.accounts == expected.accounts)
        #expect(snapshot.push == expected.push)
        #expect(snapshot.oath == expected.oath)
        #expect(snapshot.notifications == expected.notifications)
        #expect(snapshot.token == expected.token)
        #expect(try migration.verify().isComplete)
        let folder = try TemporaryFolder()
        #expect(throws: LegacyStoreError(.notWritable, reason: "The app refuses.")) {
            try migration.retire(receipt, backup: URL(fileURLWithPath: folder.path("backup")))
        }
    }
}
