import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct JSONDocumentTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test(arguments: ["everyday.expected.json", "edges.expected.json"])
    func everyRecordOfADocumentIsFound(_ fixture: String) throws {
        let source = try LegacyFile.open(scratch.file("a", LegacyDocument.make(fixture)))
        let records = try source.allItems().map { try $0.decoded().record }
        let expected = try StoreFixture.expected(fixture)
            .map { try jsonItem($0.json, $0.service).decoded().record }
        #expect(source.container == "legacyJSON")
        #expect(records.count == expected.count)
        for record in expected { #expect(records.contains(record)) }
    }

    @Test func itemsHaveTheKeysAndPositionsOfTheirRecords() throws {
        let url = try scratch.file(
            "a",
            """
            {"deviceToken":{"tokenId":"AB","timeAdded":1},"accounts":[{"id":"a\\u0041"},{}],"mechanisms":[7]}
            """
        )
        let items = try LegacyFile.open(url).allItems()
        #expect(items.map(\.key) == ["deviceToken", "aA", "record 3", "record 4"])
        #expect(items.map(\.service) == [.deviceToken, .account, .account, .mechanism])
        #expect(items.map(\.position) == (0..<4).map { .index($0) })
    }

    @Test func aSecretIsNotUsedAsTheKeyOfAnItem() throws {
        let url = try scratch.file("a", #"{"accounts":[],"mechanisms":[{"id":"S","secret":"S"}]}"#)
        #expect(try LegacyFile.open(url).allItems().map(\.key) == ["record 1"])
    }

    @Test(arguments: [
        (#"{"accounts":[]}"#, "legacyJSON"),
        (#"{"accounts":[],"mechanisms":[],"notifications":[],"deviceToken":null}"#, "legacyJSON"),
        (#"{"mechanisms":[],"metadata":{"totalMechanisms":0,"exportedAt":1}}"#, "migrationExport"),
        (#"{"metadata":{"totalMechanisms":0,"exportedAt":1},"mechanisms":[]}"#, "migrationExport"),
    ])
    func emptyDocumentsAreStores(_ json: String, _ container: String) throws {
        let source = try LegacyFile.open(scratch.file("a", json))
        #expect(source.container == container)
        #expect(try source.allItems().isEmpty)
    }

    @Test(arguments: [true, false])
    func theFirstMechanismDeterminesTheFormOfADocument(_ nested: Bool) throws {
        let json = #"{"mechanisms":[\#(LegacyDocument.mechanism(1, nested: nested))]}"#
        let source = try LegacyFile.open(scratch.file("a", json))
        let item = try #require(try source.allItems().first)
        #expect(source.container == (nested ? "migrationExport" : "legacyJSON"))
        #expect(try (item.decoded().embeddedAccount != nil) == nested)
    }

    private static let end = "The document is incomplete: it ends at PLACE."
    private static let syntax = "From PLACE on, the document is not well-formed JSON."

    /// The character ^ in each document marks the place of the error; the error's message contains this
    /// place.
    @Test(arguments: [
        (#"{"accounts":[X,X^"#, end),
        (#"{"accounts":[X,X]^"#, end),
        (#"{"accounts":[X,X],"deviceToken":{"a":^"#, end),
        (#"{"accounts":[X,X,{"id":^"#, end),
        (#"{"accounts":[X,X ^X]}"#, syntax),
        (#"{"accounts":[X,X,^]}"#, syntax),
        (#"{"accounts":[X,X],"mechanisms":^5}"#, syntax),
        (#"{"accounts":[X,X],^mechanisms":[]}"#, syntax),
        (#"{"accounts":[X,X]}^{"accounts":[X]}"#, "The document contains text after its end, at PLACE."),
    ])
    func theRestAfterASyntaxErrorIsOneDamagedItem(_ json: String, _ reason: String) throws {
        let marked = json.replacingOccurrences(of: "X", with: LegacyDocument.account(1))
        let column = marked.prefix { $0 != "^" }.utf8.count + 1
        let reason = reason.replacingOccurrences(of: "PLACE", with: "line 1, column \(column)")
        let text = marked.replacingOccurrences(of: "^", with: "")
        let items = try LegacyFile.open(scratch.file("a", text)).allItems()
        #expect(items.count == 3)
        #expect(throws: Never.self) { try items[0].decoded() }
        #expect(throws: Never.self) { try items[1].decoded() }
        #expect(items[2].payload == .unreadable(LegacyRecordError(.damaged, reason: reason)))
    }

    @Test func theErrorContainsTheLineOfASyntaxError() throws {
        // The byte order mark is not counted in the line and column of the error.
        let text = "\u{FEFF}{\n  \"accounts\": [],\n  \"mechanisms\": [],\n}\n"
        let items = try LegacyFile.open(scratch.file("a", text)).allItems()
        let reason = "From line 4, column 1 on, the document is not well-formed JSON."
        #expect(items.map(\.payload) == [.unreadable(LegacyRecordError(.damaged, reason: reason))])
    }

    /// If no part of a broken document is recognised, the error contains the place of the first syntax error.
    @Test(arguments: [
        ("{\n  \"list\": [1,, 2]\n}\n", ": invalid JSON at line 2, column 14."),
        ("{\"accounts", ": invalid JSON at line 1, column 11."),
        ("\u{FEFF}{\"a\" 1}", ": invalid JSON at line 1, column 6."),
        // Each line of this file is a document.
        ("{\"a\": 1}\n{\"a\": 2}\n", "."),
        ("{\"a\": 1}", "."), ("plain text", "."),
    ])
    func theErrorOfABrokenDocumentThatIsNotAStoreHasAPlace(_ text: String, _ end: String) throws {
        let url = try scratch.file("a", text)
        let reason = "\(url.path) is not a store of the legacy SDK or its successor\(end)"
        #expect(throws: LegacyStoreError(.notALegacyStore, reason: reason)) { try LegacyFile.open(url) }
    }

    @Test func aBadRecordDoesNotAffectTheOthers() throws {
        let json = #"{"accounts":[X,{"id":"bad","issuer":},X]}"#
        let text = json.replacingOccurrences(of: "X", with: LegacyDocument.account(1))
        let items = try LegacyFile.open(scratch.file("a", text)).allItems()
        #expect(items.map { (try? $0.decoded()) != nil } == [true, false, true])
        #expect(items[1].key == "bad")
    }
}
