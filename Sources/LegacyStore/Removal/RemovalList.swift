import Foundation

/// The items to remove from a store, each with its position and its digest at the time of the proof.
package struct RemovalList {
    private let store: String
    // The items to remove that the iteration over the store has not reached yet.
    private var pending: [LegacyItem.Position: LegacyItem.Digest]

    package init(_ store: String, _ removals: [LegacyItem.Position: LegacyItem.Digest]) {
        self.store = store
        pending = removals
    }

    /// Returns whether the item has to be removed; if so, the item is deleted from the list.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `changed` if the item has changed since the proof.
    package mutating func takes(_ item: LegacyItem) throws(LegacyStoreError) -> Bool {
        guard let digest = pending.removeValue(forKey: item.position) else { return false }
        guard item.digest == digest else { throw .changedRecord(of: store) }
        return true
    }

    package func finish() throws(LegacyStoreError) {
        guard pending.isEmpty else {
            throw .changed("Not all of the records to remove are in \(store).")
        }
    }
}

/// Writes a backup, and removes items from a store that has no transactions.
///
/// If a removal fails, the items that were already removed are restored, if possible.
///
/// The backup is a JSON lines store that consists of `contents`, the unchanged readable items of the whole
/// store.
func removeOneByOne<Item>(
    _ removals: [Item],
    from store: String,
    with contents: [(value: Data, service: String, key: String)],
    backup: URL,
    remove: (Item) throws(LegacyStoreError) -> Void,
    restore: (Item) throws -> Void
) throws(LegacyStoreError) {
    let writer = try JSONLinesStoreWriter(backup: backup)
    for item in contents { try writer.write(item.value, service: item.service, key: item.key) }
    try writer.finish()
    for (count, item) in removals.enumerated() {
        do throws(LegacyStoreError) {
            try remove(item)
        } catch {
            do {
                try removals.prefix(count).forEach(restore)
            } catch {
                throw .notWritable(
                    """
                    Records that were removed from \(store) cannot be restored; they are in \
                    \(backup.relativePath).
                    """
                )
            }
            throw error
        }
    }
}
