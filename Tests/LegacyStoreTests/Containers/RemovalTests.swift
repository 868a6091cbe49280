import Foundation
import GRDB
import PushBridgeFiles
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct RemovalTests {
    private let scratch: TemporaryFolder
    private var backup: URL { scratch.url("backup") }

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func missingRecord(of url: URL) -> LegacyStoreError {
        .changed("Not all of the records to remove are in \(url.path).")
    }

    @Test func aRemovalDeletesOnlyTheChosenRecords() throws {
        let url = try Store.sqlite.make(in: scratch)
        let items = try LegacyFile.open(url).allItems()
        for keep in [Set(items.indices.dropFirst(2).dropLast()), Set(items.indices.filter { $0 % 2 == 0 })] {
            let copy = try scratch.copy(url, as: UUID().uuidString)
            let backup = scratch.url(UUID().uuidString)
            let removed = items.indices.filter { !keep.contains($0) }.map { items[$0] }
            try LegacyFile.open(copy).remove(removed, backup: backup)
            let left = try LegacyFile.open(copy).allItems()
            #expect(left.map(\.payload) == items.indices.filter(keep.contains).map { items[$0].payload })
            #expect(try LegacyFile.open(backup).allItems() == items)
            #expect(try FileStatus(of: backup).permissions == 0o600)
            #expect(try FileStatus(of: copy).permissions == FileStatus(of: url).permissions)
        }
        #expect(try scratch.names().count == 5)
    }

    @Test func removingNothingChangesNothing() throws {
        let url = try Store.sqlite.make(in: scratch)
        let before = try LegacyFile.open(url).allItems()
        try LegacyFile.open(url).remove([LegacyItem](), backup: backup)
        #expect(try LegacyFile.open(url).allItems() == before)
        #expect(FileManager.default.fileExists(atPath: backup.path))
    }

    @Test(arguments: Store.documents)
    fileprivate func aDocumentIsRemovedAsAWholeAfterABackup(_ store: Store) throws {
        let url = try store.make(in: scratch)
        let before = try Data(contentsOf: url)
        let source = try LegacyFile.open(url)
        #expect(source.isRemovedWhole)
        #expect(try source.remove(source.allItems(), backup: backup).isEmpty)
        #expect(try scratch.contents() == ["backup": before])
        #expect(try FileStatus(of: backup).permissions == 0o600)
    }

    @Test(arguments: Store.documents)
    fileprivate func aDocumentStaysIfOneOfItsRecordsWouldBeLost(_ store: Store) throws {
        let url = try store.make(in: scratch)
        let before = try scratch.contents()
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        let reason = "\(url.path) can be removed only as a whole, and 1 of its records would be lost."
        #expect(throws: LegacyStoreError.notWritable(reason)) {
            try source.remove(items.dropFirst(), backup: backup)
        }
        #expect(try scratch.contents() == before)
    }

    /// A document is not removed if it also contains data that does not belong to the SDKs.
    @Test(arguments: [
        #"{"accounts":[{"id":"A-a","issuer":"A","accountName":"a","timeAdded":0}],"settings":{"theme":"dark"}}"#,
        #"{"svce":"\#(LegacyService.account.rawValue)","acct":"A","data":"AA=="}"# + "\n"
            + #"{"svce":"other","acct":"B","data":"AA=="}"#,
        """
        <plist><dict><key>\(LegacyService.account.rawValue)</key><dict><key>A</key><data>AA==</data></dict>
        <key>theme</key><string>dark</string></dict></plist>
        """,
    ])
    func aDocumentWithOtherContentsIsNotRemoved(_ text: String) throws {
        let url = try scratch.file("a", text)
        let source = try LegacyFile.open(url)
        let reason = """
            \(url.path) can be removed only as a whole, and also contains data that does not belong to the SDKs; nothing is removed.
            """
        #expect(throws: LegacyStoreError.notWritable(reason)) {
            try source.remove(source.allItems(), backup: backup)
        }
        #expect(try scratch.contents() == ["a": Data(text.utf8)])
    }

    @Test(arguments: Store.allCases)
    fileprivate func nothingIsRemovedIfARecordIsMissing(_ store: Store) throws {
        let url = try store.make(in: scratch)
        let before = try Data(contentsOf: url)
        let source = try LegacyFile.open(url)
        let first = try #require(try source.allItems().first)
        for gone in [LegacyItem.Position.index(10_000), .row(10_000), .key(service: "S", account: "A")] {
            #expect(throws: missingRecord(of: url)) {
                try source.remove([first.position: first.digest, gone: first.digest], backup: backup)
            }
        }
        #expect(try Data(contentsOf: url) == before)
        #expect(try scratch.names() == [url.lastPathComponent])
    }

    @Test(arguments: Store.allCases)
    fileprivate func aBackupNeverReplacesAFile(_ store: Store) throws {
        let url = try store.make(in: scratch)
        let other = try scratch.file("other", "precious")
        let before = try Data(contentsOf: url)
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        let reasons = [
            (other, "The backup \(other.path) exists already."),
            (url, "The backup \(url.path) would replace the store itself."),
        ]
        for (backup, reason) in reasons {
            #expect(throws: LegacyStoreError(.notWritable, reason: reason)) {
                try source.remove(items, backup: backup)
            }
        }
        let nowhere = scratch.url("missing").appendingPathComponent("backup")
        let reason = "\(nowhere.path) cannot be written: no such file or directory."
        #expect(throws: LegacyStoreError(.notWritable, reason: reason)) {
            try source.remove(items, backup: nowhere)
        }
        #expect(try Data(contentsOf: url) == before)
        #expect(try String(contentsOf: other, encoding: .utf8) == "precious")
    }

    @Test(arguments: Store.documents)
    fileprivate func aFileThatChangedIsNotRemoved(_ store: Store) throws {
        let url = try store.make(in: scratch)
        let source = try LegacyFile.open(url)
        let first = try #require(try source.allItems().first)
        try Data(contentsOf: LegacyFixtures.url("edges.jsonl")).write(to: url)
        let reason = "\(url.path) has changed since it was read."
        #expect(throws: LegacyStoreError(.changed, reason: reason)) {
            try source.remove([first], backup: backup)
        }
        #expect(try scratch.names() == [url.lastPathComponent])
    }

    /// If another record has taken the position of a proven record since the proof, no record is removed.
    @Test(arguments: Store.allCases)
    fileprivate func nothingIsRemovedIfARecordChanged(_ store: Store) throws {
        let url = try store.make(in: scratch)
        let before = try Data(contentsOf: url)
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        let removals = [items[0].position: items[0].digest, items[1].position: items[2].digest]
        let reason = "A record of \(url.path) has changed since it was read."
        #expect(throws: LegacyStoreError(.changed, reason: reason)) {
            try source.remove(removals, backup: backup)
        }
        #expect(try Data(contentsOf: url) == before)
        #expect(try scratch.names() == [url.lastPathComponent])
    }

    @Test func rowsThatChangedSinceReadingAreNotRemoved() throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"))
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        try DatabaseQueue(path: url.path).write { db in
            try db.execute(sql: "UPDATE genp SET data = x'00' WHERE rowid = 3")
        }
        #expect(throws: LegacyStoreError.changedRecord(of: url.path)) {
            try source.remove(items, backup: backup)
        }
        #expect(try source.allItems().count == items.count)
        #expect(try scratch.names() == ["everyday.sqlite"])
    }

    @Test func removedRowsLeaveNoBytesAndOtherServicesRemain() throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"))
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        try source.remove(items, backup: backup)
        let keys = try DatabaseQueue(path: url.path).read { db in
            try String.fetchAll(db, sql: "SELECT acct FROM genp ORDER BY rowid")
        }
        #expect(keys == ["token", "sso"])
        let bytes = try Data(contentsOf: url)
        for item in items { #expect(bytes.range(of: Data(item.key.utf8)) == nil) }
        #expect(try scratch.names() == ["backup", "everyday.sqlite"])
    }

    @Test func rowsOfOtherServicesAreNeverRemoved() throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"))
        let source = try LegacyFile.open(url)
        let item = try #require(try source.allItems().first)
        #expect(throws: missingRecord(of: url)) {
            try source.remove([.row(1): item.digest, .row(2): item.digest], backup: backup)
        }
        #expect(try Data(contentsOf: url) == Data(contentsOf: LegacyFixtures.url("everyday.sqlite")))
    }

    @Test func rowsAreRemovedFromADatabaseInWriteAheadMode() throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"))
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        try source.remove([items[0]], backup: backup)
        #expect(try LegacyFile.open(url).allItems() == Array(items.dropFirst()))
        #expect(try LegacyFile.open(backup).allItems() == items)
        #expect(try scratch.names() == ["backup", "everyday.sqlite"])
    }
}

private enum Store: String, CaseIterable {
    case sqlite = "everyday.sqlite"
    case lines = "everyday.jsonl"
    case xml = "everyday.plist"
    case binary
    case document
    case export

    static let documents = allCases.filter { $0 != .sqlite }

    func make(in scratch: TemporaryFolder) throws -> URL {
        switch self {
        case .sqlite, .lines, .xml: return try scratch.copy(LegacyFixtures.url(rawValue))
        case .binary:
            let writer = try PropertyListStoreWriter(scratch.url(rawValue))
            for item in try StoreFixture.items("everyday.sqlite") { try writer.write(item.decoded().record) }
            try writer.finish()
            return scratch.url(rawValue)
        case .document:
            let document = try LegacyDocument.make("edges.expected.json")
            // A number, which is not a record, does not prevent the removal of the document. An object would
            // prevent it.
            return try scratch.file(
                rawValue,
                document.replacingOccurrences(of: #""unknown": {"a": [1, "]"]}"#, with: #""unknown": 1"#)
            )
        case .export:
            let mechanisms = (1...5).map { LegacyDocument.mechanism($0, nested: true) }
            let list = mechanisms.joined(separator: " , ")
            return try scratch.file(rawValue, #"{"mechanisms":[\#(list)],"metadata":{"totalMechanisms":5}}"#)
        }
    }
}
