import Foundation
import GRDB
import PushBridgeTestSupport
import Testing

@_spi(PushBridgeTools) @testable import LegacyFiles
@testable import LegacyStore

struct LegacyFileTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test(arguments: ["everyday", "edges"])
    func eachContainerReturnsTheSameItems(_ name: String) throws {
        let expected = try StoreFixture.items(name + ".sqlite").map(Contents.init)
        for suffix in [".jsonl", ".plist"] {
            let items = try StoreFixture.items(name + suffix)
            #expect(items.map(Contents.init) == expected)
            #expect(items.map(\.position) == items.indices.map { .index($0) })
        }
    }

    @Test(arguments: [
        "", "GIF89a...", "\u{89}PNG\r\n\u{1A}\n", "plain text", "[]", "{}", #"{"foo":1}"#, "{",
        "<html></html>",
        "5",
        #"{"svce":"other","acct":"a","data":"AA=="}"#, "<plist><dict></dict></plist>", "bplist00", "<",
        "<plist><dict><key>other</key><dict><key>a</key><data>AA==</data></dict></dict></plist>",
        "SQLite format 3\0", "SQLite format 3\0 and then nothing that makes sense",
    ])
    func filesThatAreNotStoresAreRejected(_ contents: String) throws {
        let url = try scratch.file("a", contents)
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        #expect(error?.code == .notALegacyStore)
        #expect(error?.reason.hasSuffix(".") == true)
    }

    @Test func databasesWithoutLegacyItemsAreRefused() throws {
        let empty = try KeychainFile.create(at: scratch.url("empty")) { db in
            try db.execute(sql: "INSERT INTO genp VALUES (1, 'g', 'other', 'a', x'00')")
        }
        let shape = try KeychainFile.create(at: scratch.url("shape"), columns: "svce, data") { _ in }
        let numbers = try KeychainFile.create(
            at: scratch.url("numbers"),
            columns: "rowid TEXT, svce, acct, data"
        ) { db in
            let service = LegacyService.account.rawValue
            try db.execute(sql: "INSERT INTO genp VALUES ('x', ?, 'a', x'00')", arguments: [service])
        }
        let rows = try KeychainFile.create(
            at: scratch.url("rows"),
            columns: "svce PRIMARY KEY, acct, data) WITHOUT ROWID; CREATE TABLE x(y"
        ) { _ in }
        let reasons: [(URL, String)] = [
            (empty, "\(empty.path) contains no legacy records."),
            (shape, "\(shape.path) is a database without a keychain table."),
            (numbers, "\(numbers.path) is a database without a keychain table."),
            (rows, "The keychain table has no row numbers."),
        ]
        for (url, reason) in reasons {
            #expect(throws: LegacyStoreError(.notALegacyStore, reason: reason)) { try LegacyFile.open(url) }
        }
    }

    @Test(arguments: [
        "": "is an empty file and not a legacy store.",
        #"{"svce":"other","acct":"a","data":"AA=="}"#: "contains no legacy records.",
    ])
    func aFileWithoutRecordsIsAcceptedOnlyIfItMayBeEmpty(_ contents: String, _ words: String) throws {
        let url = try scratch.file("a", contents)
        #expect(throws: LegacyStoreError(.notALegacyStore, reason: "\(url.path) \(words)")) {
            try LegacyFile.open(url)
        }
        #expect(try LegacyFile.openEvenIfEmpty(url).allItems() == [])
    }

    @Test(arguments: ["hello", "{}", "<plist><dict></dict></plist>"])
    func aFileThatIsNotAStoreIsRefusedInsteadOfCountingAsEmpty(_ contents: String) throws {
        let url = try scratch.file("a", contents)
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.openEvenIfEmpty(url) }
        #expect(error?.code == .notALegacyStore)
    }

    @Test func missingFilesAndFoldersAreUnreadable() throws {
        let place = scratch.url("a")
        let words = "\(place.path) cannot be read: no such file or directory."
        #expect(throws: LegacyStoreError(.unreadable, reason: words)) { try LegacyFile.open(place) }
        let reason = "\(scratch.url.path) is a folder; specify the store in it."
        let folder = LegacyStoreError(.unreadable, reason: reason)
        #expect(throws: folder) { try LegacyFile.open(scratch.url) }
    }

    @Test(.enabled(if: geteuid() != 0, "The superuser can read every file."))
    func filesWithoutReadPermissionAreUnreadable() throws {
        let url = try scratch.file("a", "{}")
        chmod(url.path, 0)
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        #expect(error?.code == .unreadable)
    }

    @Test func randomBytesAreRefused() throws {
        var generator = SeededGenerator(seed: 1)
        for size in [1, 16, 1000, 100_000] {
            let bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
            let url = try scratch.file("a", bytes)
            let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
            #expect(error?.code == .notALegacyStore)
        }
    }
}

/// The contents of an item, without its position.
private struct Contents: Equatable {
    let service: LegacyService
    let key: String
    let payload: LegacyItem.Payload

    init(_ item: LegacyItem) {
        service = item.service
        key = item.key
        payload = item.payload
    }
}
