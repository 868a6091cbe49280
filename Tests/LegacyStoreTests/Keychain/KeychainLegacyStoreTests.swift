import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

/// The legacy SDK's items in their keychain.
@Suite struct KeychainLegacySourceTests {
    private let keychain = InMemoryKeychain()
    private let store: KeychainLegacySource
    private let folder: TemporaryFolder
    private let original: [LegacyItem]

    init() throws {
        folder = try TemporaryFolder()
        store = KeychainLegacySource(keychain)
        original = try StoreFixture.items("everyday.jsonl")
        for item in original {
            try keychain.add(
                KeychainItem(item.keychainName, data: item.payload.content, accessibility: .whenUnlocked)
            )
        }
        try keychain.add(
            KeychainItem(KeychainItem.Name(service: "another", account: "item"), data: Data([1]))
        )
    }

    private var backup: URL { URL(fileURLWithPath: folder.path("backup")) }

    @Test func itemsAreOrderedByServiceAndThenByKey() throws {
        let items = try store.allItems()
        let expected = LegacyService.allCases.flatMap { service in
            original.filter { $0.service == service }.map(\.key).sorted()
        }
        #expect(items.map(\.key) == expected)
        #expect(Set(items.map(\.digest)) == Set(original.map(\.digest)))
    }

    @Test func aKeychainWithoutLegacyItemsIsEmpty() throws {
        let store = KeychainLegacySource(InMemoryKeychain())
        #expect(try store.allItems() == [])
    }

    @Test func aLockedKeychainIsReportedAsLockedAndCanBeReadLater() throws {
        keychain.isLocked = true
        let reason = "The keychain is locked, or the device's owner did not authenticate."
        #expect(throws: LegacyStoreError(.locked, reason: reason)) { try store.items() }
        keychain.isLocked = false
        #expect(try store.allItems().count == original.count)
    }

    @Test func recordsReadAfterTheKeychainIsLockedAreReportedAsLocked() throws {
        var items = try store.items()
        let next = items.next()
        let first = try #require(next).get()
        keychain.isLocked = true
        let rest = try items.map { try $0.get() }
        #expect(first.payload != .unreadable(LegacyRecordError(KeychainError(status: -25308))))
        #expect(rest.count == original.count - 1)
        for item in rest {
            let error = #expect(throws: LegacyRecordError.self) { try item.decoded() }
            #expect(error?.code == .locked)
        }
    }

    @Test func anUndecryptableItemIsReportedAndTheOthersAreRead() throws {
        keychain.makeUndecryptable(original[0].keychainName)
        let codes = try store.allItems().map { item -> LegacyRecordError.Code? in
            do {
                _ = try item.decoded()
                return nil
            } catch let error as LegacyRecordError {
                return error.code
            }
        }
        #expect(codes.filter { $0 == .undecryptable }.count == 1)
        #expect(codes.filter { $0 == nil }.count == original.count - 1)
    }

    @Test func aRemovalKeepsTheOtherItemsAndBacksUpAllItems() throws {
        let items = try store.allItems()
        try store.remove(items.prefix(4), backup: backup)
        #expect(try store.allItems() == Array(items.dropFirst(4)))
        let copy = try LegacyFile.open(backup).allItems()
        #expect(Set(copy.map(\.digest)) == Set(original.map(\.digest)))
        #expect(try keychain.data(KeychainItem.Name(service: "another", account: "item")) == Data([1]))
    }

    @Test func aRemovalRejectsItemsThatChangedOrAreMissing() throws {
        let items = try store.allItems()
        try keychain.update(items[1].keychainName, data: Data("new".utf8))
        let cases = [
            ([items[0], items[1]], LegacyStoreError.changedRecord(of: "the keychain")),
            (
                [items[0].elsewhere],
                .changed("Not all of the records to remove are in the keychain.")
            ),
        ]
        for (removals, error) in cases {
            #expect(throws: error) { try store.remove(removals, backup: backup) }
        }
        #expect(try store.allItems().count == items.count)
        #expect(try folder.contents().isEmpty)
    }

    @Test func aRemovalRejectsAnExistingBackup() throws {
        _ = try folder.file("backup", Data("mine".utf8))
        let items = try store.allItems()
        let reason = "The backup \(backup.path) exists already."
        #expect(throws: LegacyStoreError.notWritable(reason)) { try store.remove(items, backup: backup) }
        #expect(try store.allItems() == items)
        #expect(try Data(contentsOf: backup) == Data("mine".utf8))
    }

    @Test func aRemovalThatFailsHalfwayRestoresTheRemovedItems() throws {
        let items = try store.allItems()
        let failing = KeychainLegacySource(StubbornKeychain(keychain, keeping: items[3].key))
        #expect(throws: LegacyStoreError.notWritable("The app has no entitlement for this keychain item.")) {
            try failing.remove(items, backup: backup)
        }
        #expect(try store.allItems() == items)
        #expect(items.allSatisfy { $0.accessibility == .whenUnlocked })
        // The failed removal left a backup, which is used again.
        try store.remove(items, backup: backup)
        #expect(try store.allItems() == [])
    }
}

extension LegacyItem {
    fileprivate var keychainName: KeychainItem.Name {
        KeychainItem.Name(service: service.rawValue, account: key)
    }

    fileprivate var elsewhere: LegacyItem {
        let position = Position.key(service: service.rawValue, account: "elsewhere")
        return LegacyItem(position: position, service: service, key: key, payload: payload)
    }
}
