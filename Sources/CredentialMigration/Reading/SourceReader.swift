import LegacyStore
import PushBridgeCore

/// A legacy item and its name in the ledger.
struct NamedItem {
    let item: LegacyItem
    let fingerprint: RecordFingerprint
}

/// Names items; equal items of one store are told apart by counting them.
struct ItemNamer {
    private var occurrences: [RecordFingerprint: Int] = [:]

    mutating func name(_ item: LegacyItem) -> NamedItem {
        let first = RecordFingerprint(item, occurrence: 0)
        let occurrence = occurrences[first, default: 0]
        occurrences[first] = occurrence + 1
        let fingerprint = occurrence == 0 ? first : RecordFingerprint(item, occurrence: occurrence)
        return NamedItem(item: item, fingerprint: fingerprint)
    }
}

/// Reads a legacy store item by item and names each one.
struct SourceReader: Sequence, IteratorProtocol {
    private var items: LegacyItems
    private var namer = ItemNamer()

    init(_ source: any LegacySource) throws {
        items = try source.items()
    }

    /// The next item, or why the store can be read no further.
    mutating func next() -> Result<NamedItem, LegacyStoreError>? {
        items.next()?.map { namer.name($0) }
    }
}

extension RecordFingerprint {
    fileprivate init(_ item: LegacyItem, occurrence: Int) {
        self.init(
            parts: [item.service.rawValue, item.key, item.accessGroup ?? ""],
            payload: item.payload.bytes,
            occurrence: occurrence
        )
    }
}
