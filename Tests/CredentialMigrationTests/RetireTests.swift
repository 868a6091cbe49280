import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite struct RetireTests {
    private let store = MemoryCredentialStore()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: ["everyday.sqlite", "everyday.plist", "everyday.jsonl", "edges.sqlite"])
    func provenRecordsLeaveAfterABackup(_ name: String) throws {
        let source = try folder.copy(LegacyFixtures.url(name))
        let backup = folder.url("backup")
        let before = try LegacyFile.open(source).payloads()
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        let removed = try migration.retire(receipt, backup: backup)
        #expect(removed.count == receipt.records.count)
        #expect(try LegacyFile.open(backup).payloads() == before)
        #expect(try left(in: source) == [])
    }

    /// The migrated records distinguish a store that was emptied from a file that never was a store.
    @Test(arguments: ["", #"{"svce":"other","acct":"a","data":"AA=="}"#])
    func emptiedFileIsAStoreWhereItsRecordsWent(_ contents: String) throws {
        let source = try folder.copy(LegacyFixtures.url("everyday.jsonl"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.migrate()
        try Data(contents.utf8).write(to: source)
        #expect(try migration.verify().records.isEmpty)
        #expect(try migration.retire(receipt, backup: folder.url("backup")).isEmpty)
        #expect(try migration.migrate().records.isEmpty)
        let other = CredentialMigration(from: .file(source), to: MemoryCredentialStore())
        let error = #expect(throws: LegacyStoreError.self) { try other.migrate() }
        #expect(error?.code == .notALegacyStore)
    }

    @Test func refusedRecordsStay() throws {
        let source = try folder.copy(LegacyFixtures.url("damaged.sqlite"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        let stays = receipt.records.filter { !$0.isRetirable }.map(\.key)
        #expect(!stays.isEmpty)
        try migration.retire(receipt, backup: folder.url("backup"))
        #expect(try left(in: source).sorted() == stays.sorted())
    }

    @Test func credentialThatWasLostSinceKeepsItsRecordInTheSource() throws {
        let source = try folder.copy(LegacyFixtures.url("everyday.sqlite"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        let lost = try #require(receipt.records.first { $0.kind == .hotp })
        try store.write { _ = try $0.remove(.oath, id: try #require(lost.result.credentialId)) }
        let removed = try migration.retire(receipt, backup: folder.url("backup"))
        #expect(!removed.contains(lost.fingerprint))
        #expect(try left(in: source).contains(lost.key))
    }

    @Test func recordsAddedAfterTheReceiptStay() throws {
        let source = try folder.copy(LegacyFixtures.url("everyday.jsonl"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        var later = LegacyStoreBuilder()
        try later.push("later")
        let line = Line(
            svce: LegacyService.mechanism.rawValue,
            acct: "later",
            data: later.items[0].payload.archived
        )
        let handle = try FileHandle(forWritingTo: source)
        try handle.seekToEnd()
        try handle.write(contentsOf: JSONEncoder().encode(line) + Data("\n".utf8))
        try handle.close()
        try migration.retire(receipt, backup: folder.url("backup"))
        #expect(try left(in: source) == ["later"])
    }

    @Test func existingBackupIsNotOverwritten() throws {
        let source = try folder.copy(LegacyFixtures.url("everyday.sqlite"))
        let before = try Data(contentsOf: source)
        let backup = folder.url("backup")
        try Data("precious".utf8).write(to: backup)
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        let reason = "The backup \(backup.path) exists already."
        #expect(throws: LegacyStoreError(.notWritable, reason: reason)) {
            try migration.retire(receipt, backup: backup)
        }
        #expect(try Data(contentsOf: backup) == Data("precious".utf8))
        #expect(try Data(contentsOf: source) == before)
    }

    /// The remaining keys; a file without our records is no longer a legacy store.
    private func left(in source: URL) throws -> [String] {
        do {
            return try LegacyFile.open(source).items().map { try $0.get().key }
        } catch let error as LegacyStoreError where error.code == .notALegacyStore {
            return []
        }
    }

    private struct Line: Encodable {
        let svce: String
        let acct: String
        let data: Data
    }
}

extension LegacySource {
    fileprivate func payloads() throws -> [LegacyItem.Payload] {
        try items().map { try $0.get().payload }
    }
}
