import CredentialMigration
import Foundation
import GRDB
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
    func provenRecordsAreRemovedAfterABackup(_ name: String) throws {
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

    /// A file without legacy records is accepted if the destination contains records that were migrated from
    /// this file; otherwise the file is rejected.
    @Test(arguments: ["", #"{"svce":"other","acct":"a","data":"AA=="}"#])
    func anEmptiedFileIsAcceptedOnlyForTheStoreWithItsRecords(_ contents: String) throws {
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

    @Test func unprovenRecordsRemainInTheSource() throws {
        let source = try folder.copy(LegacyFixtures.url("damaged.sqlite"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        let stays = receipt.records.filter { !$0.isRetirable }.map(\.key)
        #expect(!stays.isEmpty)
        try migration.retire(receipt, backup: folder.url("backup"))
        #expect(try left(in: source).sorted() == stays.sorted())
    }

    @Test func theRecordOfALostCredentialRemainsInTheSource() throws {
        let source = try folder.copy(LegacyFixtures.url("everyday.sqlite"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        let lost = try #require(receipt.records.first { $0.kind == .hotp })
        let id = try #require(lost.result.credentialId)
        _ = try store.write { try $0.remove(.oath, where: RecordQuery(id: id)) }
        let removed = try migration.retire(receipt, backup: folder.url("backup"))
        #expect(!removed.contains(lost.fingerprint))
        #expect(try left(in: source).contains(lost.key))
    }

    @Test func recordsAddedAfterTheReceiptStay() throws {
        let source = try folder.copy(LegacyFixtures.url("everyday.sqlite"))
        let migration = CredentialMigration(from: .file(source), to: store)
        let receipt = try migration.apply(migration.plan())
        var later = LegacyStoreBuilder()
        try later.push("later")
        let data = later.items[0].payload.archived
        try DatabaseQueue(path: source.path).write { db in
            try db.execute(
                sql: "INSERT INTO genp(agrp, svce, acct, data) VALUES ('', ?, 'later', ?)",
                arguments: [LegacyService.mechanism.rawValue, data]
            )
        }
        try migration.retire(receipt, backup: folder.url("backup"))
        #expect(try left(in: source) == ["later"])
    }

    /// If one record of a document is not proven, the whole document remains, because a document is never rewritten.
    @Test(arguments: ["everyday.plist", "everyday.jsonl"], [true, false])
    func aDocumentStaysIfOneRecordIsNotProven(_ name: String, _ isLost: Bool) throws {
        let source = try folder.copy(LegacyFixtures.url(name))
        let before = try folder.contents()
        let migration = CredentialMigration(from: .file(source), to: store)
        var receipt = try migration.apply(migration.plan())
        let hotp = try #require(receipt.records.first { $0.kind == .hotp })
        if isLost {
            let id = try #require(hotp.result.credentialId)
            _ = try store.write { try $0.remove(.oath, where: RecordQuery(id: id)) }
        } else {
            receipt = receipt.filter { $0 != hotp }
        }
        var warnings: [String] = []
        let removed = try migration.retire(receipt, backup: folder.url("backup")) { warnings.append($0) }
        #expect(removed.isEmpty)
        #expect(warnings.count == 1 && warnings.first?.contains("1 of its records") == true)
        #expect(try folder.contents() == before)
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

    /// Returns the keys of the remaining records.
    ///
    /// The result is empty if the database has no legacy records, or if the document was deleted.
    private func left(in source: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: source.path) else { return [] }
        do {
            return try LegacyFile.open(source).items().map { try $0.get().key }
        } catch let error as LegacyStoreError where error.code == .notALegacyStore {
            return []
        }
    }
}

extension LegacySource {
    fileprivate func payloads() throws -> [LegacyItem.Payload] {
        try items().map { try $0.get().payload }
    }
}
