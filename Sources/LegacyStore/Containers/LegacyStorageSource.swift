package import Foundation
package import PushBridgeCore

/// The records of a legacy storage that an app implements.
///
/// An adapter of the app's `StorageClient` conforms to this protocol.
///
/// The methods are called on the thread of the migration. If the storage is locked, they throw a
/// ``LegacyStoreError`` with the code `locked`.
package protocol LegacyRecordStorage: Sendable {
    /// Returns all records, in an order that stays the same until a record changes.
    ///
    /// - Throws: ``LegacyStoreError`` if the app's storage fails.
    func records() throws(LegacyStoreError) -> [LegacyRecord]

    /// Removes one record.
    ///
    /// All other records stay, even if they have the same legacy key as the removed record.
    ///
    /// - Throws: ``LegacyStoreError`` if the app's storage fails.
    func remove(_ record: LegacyRecord) throws(LegacyStoreError)

    /// Restores a removed record, because the removal of a later record failed.
    ///
    /// - Throws: ``LegacyStoreError`` if the app's storage fails.
    func restore(_ record: LegacyRecord) throws(LegacyStoreError)
}

/// The records of an app's own legacy storage as a source of migration.
package struct LegacyStorageSource: LiveSource {
    package let container = "storageClient"
    private let storage: any LegacyRecordStorage

    package init(_ storage: any LegacyRecordStorage) {
        self.storage = storage
    }

    package func sharesItems(with store: any CredentialStore) throws -> Bool {
        try store.read(\.keepsLegacyKeys)
    }

    package func items() throws(LegacyStoreError) -> LegacyItems {
        var records = try storage.records().enumerated().makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in
            records.next().map { LegacyItem($0.element, at: $0.offset) }
        }
    }

    /// Writes a backup of all records, and then removes the given records.
    ///
    /// If a removal fails, the records that were already removed are restored, if possible.
    ///
    /// - Throws: ``LegacyStoreError``, as described for ``LegacySource/remove(_:backup:)``.
    package func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        let records = try storage.records()
        var list = RemovalList("the storage", removals)
        var removed: [LegacyRecord] = []
        for (index, record) in records.enumerated() where removals[.index(index)] != nil {
            if try list.takes(LegacyItem(record, at: index)) { removed.append(record) }
        }
        try list.finish()
        // The backup is sorted, because a repeated backup must be identical. Without sorting, records that are
        // restored after a failure could get a different position.
        let archives = records.map { ($0.archive, $0.service.rawValue, $0.identifier) }
        try removeOneByOne(
            removed,
            from: "the storage",
            with: archives.sorted { $0.0.lexicographicallyPrecedes($1.0) },
            backup: backup,
            remove: storage.remove,
            restore: storage.restore
        )
        return []
    }
}

extension LegacyItem {
    fileprivate init(_ record: LegacyRecord, at index: Int) {
        self.init(
            position: .index(index),
            service: record.service,
            key: record.identifier,
            payload: RecordService.legacy(record.service).payload(record.archive)
        )
    }
}
