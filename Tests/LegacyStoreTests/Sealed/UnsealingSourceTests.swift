import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@_spi(PushBridgeTools) @testable import LegacyStore

/// Stores of sealed items that another implementation of the formats wrote.
@Suite struct UnsealingSourceTests {
    static let stores = ["sealed-variable-iv.jsonl", "sealed-mixed.jsonl"]

    private let key: SoftwareItemKey

    init() throws {
        let text = String(decoding: try LegacyFixtures.data("sealed.key"), as: UTF8.self)
        let bytes = try #require(Base64.decode(text))
        key = try #require(SoftwareItemKey(rawRepresentation: bytes))
    }

    @Test(arguments: stores)
    func theKeyOpensEverySealedItem(_ name: String) throws {
        let sealed = try LegacyFile.open(LegacyFixtures.url(name))
        let opened = try UnsealingSource(sealed, key: key).allItems()
        #expect(opened == (try StoreFixture.items("everyday.jsonl")))
    }

    @Test(arguments: stores)
    func withoutTheKeySealedItemsAreUndecryptable(_ name: String) throws {
        let plain = try StoreFixture.items("everyday.jsonl")
        for (item, original) in zip(try StoreFixture.items(name), plain) {
            if item == original {
                #expect(throws: Never.self) { try item.decoded() }
            } else {
                #expect(throws: LegacyRecordError.sealed) { try item.decoded() }
            }
        }
    }

    @Test func aWrongKeyLeavesPlainItemsReadable() throws {
        let source = UnsealingSource(
            try LegacyFile.open(LegacyFixtures.url("sealed-mixed.jsonl")),
            key: SoftwareItemKey()
        )
        let readable = try source.allItems().map { $0.payload != .unreadable(.undecryptable) }
        #expect(readable == readable.indices.map { $0.isMultiple(of: 3) })
    }

    @Test(arguments: stores)
    func aRemovalDeletesTheDocumentAndBacksUpTheSealedStore(_ name: String) throws {
        let folder = try TemporaryFolder()
        let url = try folder.copy(LegacyFixtures.url(name))
        let source = UnsealingSource(try LegacyFile.open(url), key: key)
        let items = try source.allItems()
        let backup = URL(fileURLWithPath: folder.path("backup"))
        try source.remove(items, backup: backup)
        #expect(try folder.contents() == ["backup": LegacyFixtures.data(name)])
    }

    @Test func aRemovalRejectsItemsWithAnotherDigest() throws {
        let folder = try TemporaryFolder()
        let url = try folder.copy(LegacyFixtures.url("sealed-mixed.jsonl"))
        let file = try LegacyFile.open(url)
        // The second item is sealed, so its digest differs from the digest of its decrypted contents.
        let item = try #require(try file.allItems().dropFirst().first)
        let backup = URL(fileURLWithPath: folder.path("backup"))
        let cases = [
            ([item.position: item.digest], LegacyStoreError.changedRecord(of: "the store")),
            (
                [.index(99): item.digest],
                .changed("Not all of the records to remove are in the store.")
            ),
        ]
        for (removals, error) in cases {
            #expect(throws: error) { try UnsealingSource(file, key: key).remove(removals, backup: backup) }
        }
        #expect(Set(try folder.contents().keys) == ["sealed-mixed.jsonl"])
    }
}
