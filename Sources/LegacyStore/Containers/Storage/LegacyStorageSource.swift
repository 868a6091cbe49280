public import Foundation
import PushBridgeCore

/// The records of an app's own legacy storage as a source of migration.
public struct LegacyStorageSource: LegacySource {
    /// The name of the container for reports.
    public let container = "storageClient"
    private let storage: any LegacyRecordStorage

    /// Takes a storage; nothing is read yet.
    public init(_ storage: any LegacyRecordStorage) {
        self.storage = storage
    }

    /// Whether there is nothing to migrate.
    public func isEmpty() throws(LegacyStoreError) -> Bool { try storage.records().isEmpty }

    /// The storage's records in its order, as the legacy SDK would archive them.
    public func items() throws(LegacyStoreError) -> LegacyItems {
        var records = try storage.records().enumerated().makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in
            records.next().map { LegacyItem($0.element, at: $0.offset) }
        }
    }

    /// Removes records after a backup: all, or none if that can be had.
    ///
    /// A storage has no transactions, so what was removed before a failure is put back. The backup is a store of JSON
    /// lines with every record.
    public func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) {
        let records = try storage.records()
        var removed: [LegacyRecord] = []
        for (index, record) in records.enumerated() {
            guard let digest = doomed[.index(index)] else { continue }
            guard LegacyItem(record, at: index).digest == digest else {
                throw .changed("A record of the storage is not what it was when it was read.")
            }
            removed.append(record)
        }
        guard removed.count == doomed.count else {
            throw .changed("The storage does not hold all of the records that are to be removed.")
        }
        let writer = try JSONLinesStoreWriter(backup)
        for record in records { try writer.write(record) }
        try writer.finish()
        try remove(removed, backup)
    }

    private func remove(_ records: [LegacyRecord], _ backup: URL) throws(LegacyStoreError) {
        for (count, record) in records.enumerated() {
            do {
                try storage.remove(record)
            } catch {
                try restore(records.prefix(count), backup)
                throw error
            }
        }
    }

    private func restore(_ records: some Sequence<LegacyRecord>, _ backup: URL) throws(LegacyStoreError) {
        for record in records {
            do {
                try storage.restore(record)
            } catch {
                let name = backup.lastPathComponent
                throw .notWritable(
                    "The storage gave up some records and refused them back; they are in \(name)."
                )
            }
        }
    }
}

extension LegacyItem {
    fileprivate init(_ record: LegacyRecord, at index: Int) {
        self.init(
            position: .index(index),
            service: record.service,
            key: record.identifier,
            payload: .archive(record.archive)
        )
    }
}
