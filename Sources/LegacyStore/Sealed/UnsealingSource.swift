package import Foundation
import PushBridgeCore

/// A legacy store that opens sealed items when they are read.
///
/// Items that are not sealed are returned unchanged.
///
/// A removal removes the items from the underlying store, and its backup contains them in sealed form.
package struct UnsealingSource: WrappingSource {
    package let wrapped: any LegacySource
    private let key: any LegacyItemKey

    package init(_ sealed: any LegacySource, key: any LegacyItemKey) {
        wrapped = sealed
        self.key = key
    }

    package func items() throws(LegacyStoreError) -> LegacyItems {
        var items = try wrapped.items()
        return LegacyItems { [key] () throws(LegacyStoreError) in
            try items.next()?.get().unsealed(with: key)
        }
    }

    /// Returns the state of the underlying store combined with the existence of the key; `nil` if that store has no
    /// state.
    ///
    /// Sealed items cannot be read without the key.
    package func state() throws(LegacyStoreError) -> SourceState? {
        try wrapped.state()?.combined(with: [key.isPresent ? "key" : "no key"])
    }

    package func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        var list = RemovalList("the store", removals)
        var sealedDigests: [LegacyItem.Position: LegacyItem.Digest] = [:]
        for item in try wrapped.items() {
            let item = try item.get()
            guard removals[item.position] != nil, try list.takes(item.unsealed(with: key)) else { continue }
            sealedDigests[item.position] = item.digest
        }
        try list.finish()
        return try wrapped.remove(sealedDigests, backup: backup)
    }
}

extension LegacyItem {
    /// Returns the item with its value opened or, if the value cannot be opened, with the reason.
    func unsealed(with key: any LegacyItemKey) -> LegacyItem {
        guard case .archive(let bytes) = payload, SealedItem(bytes) != nil else { return self }
        var opened = self
        do throws(LegacyRecordError) {
            opened.payload = .archive(try key.open(bytes))
        } catch {
            opened.payload = .unreadable(error)
        }
        return opened
    }
}
