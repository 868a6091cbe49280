import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

/// The records of an app's own storage are read and removed through an adapter.
@Suite struct LegacyStorageSourceTests {
    private let storage = CustomStorage()
    private let source: LegacyStorageSource
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        source = LegacyStorageSource(storage)
        storage.fill(try StoreFixture.items("edges.jsonl").map { try $0.decoded().record })
    }

    private var backup: URL { URL(fileURLWithPath: folder.path("backup")) }

    @Test func eachItemContainsTheRecordOfTheStorage() throws {
        let items = try source.allItems()
        #expect(source.container == "storageClient")
        #expect(try items.map { try $0.decoded().record } == storage.records())
        #expect(try source.allItems().map(\.digest) == items.map(\.digest))
    }

    @Test func aRemovalDeletesTheGivenRecordsAndBacksUpAllRecords() throws {
        let all = storage.records()
        let items = try source.allItems()
        let even = items.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        try source.remove(even, backup: backup)
        #expect(
            storage.records() == all.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        )
        let backup = try LegacyFile.open(backup).allItems()
        #expect(Set(backup.map(\.payload.content)) == Set(all.map(\.archive)))
        #expect(backup.count == all.count)
    }

    @Test func aRemovalRejectsRecordsThatChangedOrAreMissing() throws {
        let items = try source.allItems()
        let all = storage.records()
        storage.fill(Array(all.reversed()))
        let cases = [
            ([items[0].position: items[0].digest], LegacyStoreError.changedRecord(of: "the storage")),
            (
                [.index(9999): items[0].digest],
                .changed("Not all of the records to remove are in the storage.")
            ),
        ]
        for (removals, error) in cases {
            #expect(throws: error) { try source.remove(removals, backup: backup) }
        }
        #expect(storage.records().count == all.count)
        #expect(try folder.contents().isEmpty)
    }

    @Test func aRemovalThatFailsHalfwayRestoresTheRemovedRecords() throws {
        let all = storage.records()
        storage.refuse(removalsAfter: 3)
        #expect(throws: LegacyStoreError.notWritable("The app refuses.")) {
            try source.remove(source.allItems(), backup: backup)
        }
        #expect(Set(storage.records().map(\.archive)) == Set(all.map(\.archive)))
        // The failed removal left a backup, which is used again although the restored records now have different
        // positions.
        storage.refuse(removalsAfter: .max)
        try source.remove(source.allItems(), backup: backup)
        #expect(storage.records() == [])
        #expect(try LegacyFile.open(backup).allItems().count == all.count)
    }
}

/// An in-memory storage that can reject removals.
final class CustomStorage: LegacyRecordStorage {
    private let state = Lock(State())

    private struct State {
        var records: [LegacyRecord] = []
        var removals = Int.max
    }

    func fill(_ records: [LegacyRecord]) { state.withValue { $0.records = records } }

    func refuse(removalsAfter count: Int) { state.withValue { $0.removals = count } }

    func records() -> [LegacyRecord] { state.withValue { $0.records } }

    func remove(_ record: LegacyRecord) throws(LegacyStoreError) {
        let isRemoved = state.withValue { state in
            guard state.removals > 0, let index = state.records.firstIndex(of: record) else { return false }
            state.removals -= 1
            state.records.remove(at: index)
            return true
        }
        guard isRemoved else { throw LegacyStoreError(.notWritable, reason: "The app refuses.") }
    }

    func restore(_ record: LegacyRecord) { state.withValue { $0.records.append(record) } }
}
