import Foundation
import GRDB
import PushBridgeFiles
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct SQLiteSourceTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test func rowsOfTheSDKsServicesAreReadInOrder() throws {
        let items = try StoreFixture.items("everyday.sqlite")
        #expect(items.map(\.position) == (2...15).map { .row($0) })
        #expect(items[0].key == "Acme Bank-alice@example.com")
        #expect(items[0].accessGroup == "TEAMID1234.com.example.app")
        #expect(items.map(\.service).filter { $0 == .mechanism }.count == 5)
    }

    @Test func theContainerOfADatabaseIsSQLite() throws {
        #expect(try LegacyFile.open(LegacyFixtures.url("everyday.sqlite")).container == "sqlite")
    }

    @Test(arguments: [
        ("x'616263'", "abc"), ("'abc'", "abc"), ("NULL", ""), ("7", ""), ("1.5", ""), ("x''", ""),
    ])
    func aValueOfAnyColumnTypeIsReadAsAnArchive(_ data: String, _ expected: String) throws {
        let url = try KeychainFile.create(at: scratch.url("a"), columns: "svce, acct, data") { db in
            let service = LegacyService.account.rawValue
            try db.execute(sql: "INSERT INTO genp VALUES (?, 'A-B', \(data))", arguments: [service])
        }
        let item = LegacyItem(
            position: .row(1),
            service: .account,
            key: "A-B",
            payload: .archive(Data(expected.utf8))
        )
        #expect(try LegacyFile.open(url).allItems() == [item])
    }

    @Test func theColumnsOfNamesMayContainBlobs() throws {
        let url = try KeychainFile.create(at: scratch.url("a")) { db in
            let service = Data(LegacyService.deviceToken.rawValue.utf8)
            try db.execute(
                sql: "INSERT INTO genp VALUES (9, ?, ?, ?, x'00')",
                arguments: [Data("group".utf8), service, Data("deviceToken".utf8)]
            )
        }
        let item = LegacyItem(
            position: .row(9),
            service: .deviceToken,
            key: "deviceToken",
            accessGroup: "group",
            payload: .archive(Data([0]))
        )
        #expect(try LegacyFile.open(url).allItems() == [item])
    }

    @Test func theNameOfTheTableMayBeInCapitals() throws {
        let queue = try DatabaseQueue(path: scratch.path("a"))
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE GENP(rowid INTEGER PRIMARY KEY, AGRP, SVCE, ACCT, DATA)")
            try insert("A-B", into: db)
        }
        try queue.close()
        #expect(try LegacyFile.open(scratch.url("a")).allItems().map(\.key) == ["A-B"])
    }

    @Test func everyPageOfALongTableIsRead() throws {
        let url = try KeychainFile.create(at: scratch.url("a")) { db in
            for row in 1...1000 {
                let service = row % 3 == 0 ? "other" : LegacyService.account.rawValue
                try db.execute(
                    sql: "INSERT INTO genp VALUES (?, 'g', ?, ?, x'00')",
                    arguments: [row * 7, service, "\(row)"]
                )
            }
        }
        let expected = (1...1000).filter { $0 % 3 != 0 }
        #expect(try LegacyFile.open(url).allItems().map(\.key) == expected.map(String.init))
    }

    @Test(arguments: ["everyday.sqlite", "damaged.sqlite"])
    func readingADatabaseDoesNotChangeItsFolder(_ name: String) throws {
        let url = try scratch.copy(LegacyFixtures.url(name))
        let before = try (Data(contentsOf: url), FileStatus(of: url))
        _ = try LegacyFile.open(url).allItems().map { try? $0.decoded() }
        #expect(try Data(contentsOf: url) == before.0)
        #expect(try FileStatus(of: url) == before.1)
        #expect(try scratch.names() == [name])
    }

    @Test func aWriteAheadDatabaseIsReadWithoutALog() throws {
        let url = try writeAheadStore(named: "a%?#b c")
        #expect(try scratch.names() == ["a%?#b c"])
        #expect(try LegacyFile.open(url).allItems().map(\.key) == ["A-B"])
        #expect(try scratch.names() == ["a%?#b c"])
    }

    @Test func rowsInTheWriteAheadLogAreRead() throws {
        let url = try writeAheadStore(named: "live")
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try insert("C-D", into: $0) }
        // Both copies were made while the store was in use. One copy lacks the WAL index (`-shm`), and the
        // other copy is complete.
        for (name, suffixes) in [("copy", ["", "-wal"]), ("whole", ["", "-wal", "-shm"])] {
            for suffix in suffixes { _ = try scratch.copy(scratch.url("live" + suffix), as: name + suffix) }
        }
        try queue.close()
        let before = try scratch.contents()
        for name in ["copy", "whole"] {
            let items = try LegacyFile.open(scratch.url(name)).allItems()
            #expect(items.map(\.key) == ["A-B", "C-D"])
        }
        #expect(try scratch.contents() == before)
    }

    @Test func aStoreInUseIsReadAndNotChanged() throws {
        let url = try writeAheadStore(named: "live")
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try insert("C-D", into: $0) }
        let names = try scratch.names()
        #expect(try LegacyFile.open(url).allItems().map(\.key) == ["A-B", "C-D"])
        #expect(try scratch.names() == names)
        try queue.write { try insert("E-F", into: $0) }
        #expect(try LegacyFile.open(url).allItems().map(\.key) == ["A-B", "C-D", "E-F"])
        try queue.close()
    }

    /// An index (`-shm`) that another program creates during a read of the database is not removed.
    ///
    /// Before the read, the database has a log but no index.
    @Test func anIndexThatAppearsDuringAReadIsNotRemoved() throws {
        let live = try DatabaseQueue(path: writeAheadStore(named: "live").path)
        try live.write { try insert("C-D", into: $0) }
        for suffix in ["", "-wal"] { _ = try scratch.copy(scratch.url("live" + suffix), as: "copy" + suffix) }
        try live.close()
        var items: LegacyItems? = try LegacyFile.open(scratch.url("copy")).items()
        #expect(try items?.next()?.get().key == "A-B")
        let other = try DatabaseQueue(path: scratch.path("copy"))
        try other.write { try insert("E-F", into: $0) }
        let index = try FileStatus(of: scratch.url("copy-shm"))
        #expect(try items?.next()?.get().key == "C-D")
        items = nil
        #expect(try FileStatus(of: scratch.url("copy-shm")).isSameFile(as: index))
        try other.close()
    }

    @Test func aLockedDatabaseIsReportedAsLocked() throws {
        let url = try KeychainFile.create(at: scratch.url("a")) { try insert("A-B", into: $0) }
        let source = try LegacyFile.open(url)
        let item = try #require(try source.allItems().first)
        let reason = "\(url.path) is in use by another program; try again later."
        try DatabaseQueue(path: url.path).inDatabase { db in
            try db.execute(sql: "BEGIN EXCLUSIVE")
            #expect(throws: LegacyStoreError(.locked, reason: reason)) { try LegacyFile.open(url) }
            #expect(throws: LegacyStoreError(.locked, reason: reason)) {
                try source.remove([item], backup: scratch.url("backup"))
            }
            try db.execute(sql: "ROLLBACK")
        }
        #expect(try scratch.names() == ["a"])
        #expect(try source.allItems() == [item])
    }

    private func writeAheadStore(named name: String) throws -> URL {
        let url = try KeychainFile.create(at: scratch.url(name)) { try insert("A-B", into: $0) }
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        return url
    }

    private func insert(_ key: String, into db: Database) throws {
        try db.execute(
            sql: "INSERT INTO genp VALUES (NULL, 'g', ?, ?, x'00')",
            arguments: [LegacyService.account.rawValue, key]
        )
    }
}
