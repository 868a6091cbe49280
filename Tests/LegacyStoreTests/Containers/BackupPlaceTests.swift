import Foundation
import GRDB
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct BackupPlaceTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    /// A backup with one of these names is rejected, because SQLite would use the backup as a log of the store or as
    /// the log's index.
    @Test(arguments: ["-wal", "-shm", "-journal", "-WAL"])
    func aBackupWithTheNameOfADatabaseLogIsRejected(_ suffix: String) throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"), as: "s")
        let link = scratch.url("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let before = try scratch.contents()
        for place in ["s", "link"] {
            let source = try LegacyFile.open(scratch.url(place))
            let reason = "SQLite would use s\(suffix) as part of the database s."
            #expect(throws: LegacyStoreError(.notWritable, reason: reason)) {
                try source.remove(source.allItems(), backup: scratch.url("s" + suffix))
            }
        }
        #expect(try scratch.contents() == before)
    }

    @Test func anExportWithTheNameOfADatabaseLogIsRejected() throws {
        try scratch.file("s", "")
        let reason = "SQLite would use s-wal as part of the database s."
        #expect(throws: LegacyStoreError(.notWritable, reason: reason)) {
            try JSONLinesStoreWriter(scratch.url("s-wal"))
        }
        try JSONLinesStoreWriter(scratch.url("other-wal")).finish()
    }

    @Test(arguments: ["-wal", "-journal"])
    func aNewFileWhoseLogAlreadyExistsIsRejected(_ suffix: String) throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"), as: "s")
        try scratch.file("new" + suffix, "")
        let source = try LegacyFile.open(url)
        let reason = "SQLite would use the file new\(suffix) together with new."
        let error = LegacyStoreError(.notWritable, reason: reason)
        #expect(throws: error) { try source.remove(source.allItems(), backup: scratch.url("new")) }
        #expect(throws: error) {
            try SQLiteStoreWriter(scratch.url("new"), date: Date(timeIntervalSince1970: 0), replacing: true)
        }
    }
}
