/// Records in memory with their indexes.
///
/// The table is a value, so that a transaction can work on a copy.
package struct RecordTable: Sendable {
    package struct Item: Sendable {
        package let record: any StoredRecord
        package let index: RecordIndex
        /// The position of the record in the order in which records were first stored.
        fileprivate let number: Int
    }

    private var kinds: [RecordKind: KindTable] = [:]
    private var next = 0

    package init() {}

    package var isEmpty: Bool { kinds.values.allSatisfy(\.items.isEmpty) }

    package func count(_ kind: RecordKind) -> Int { kinds[kind]?.items.count ?? 0 }

    /// Returns the record with an id; `nil` if there is none.
    package func item(_ kind: RecordKind, id: String) -> Item? { kinds[kind]?.items[id] }

    /// Returns the records that a query selects: by date or, for ledger entries, in the order in which they were first
    /// stored.
    package func items(_ kind: RecordKind, where query: RecordQuery) -> [Item] {
        let selected = kinds[kind]?.candidates(query).filter { query.selects($0.index) } ?? []
        let sorted =
            kind.isListedAsStored ? selected.asStored : selected.sorted { $0.index.precedes($1.index) }
        return query.limit.map { Array(sorted.prefix($0)) } ?? sorted
    }

    /// Returns all records of a kind, in the order in which they were first stored.
    package func itemsAsStored(_ kind: RecordKind) -> [Item] {
        kinds[kind].map { Array($0.items.values).asStored } ?? []
    }

    package mutating func put(_ record: any StoredRecord) {
        let (kind, index) = (record.recordKind, record.recordIndex)
        let number = item(kind, id: index.id)?.number ?? next
        kinds[kind, default: KindTable()].put(Item(record: record, index: index, number: number))
        next += 1
    }

    /// Removes a record.
    /// - Returns: Whether the record was stored.
    @discardableResult
    package mutating func remove(_ kind: RecordKind, id: String) -> Bool {
        kinds[kind]?.remove(id) ?? false
    }
}

/// The records of a kind.
private struct KindTable {
    private(set) var items: [String: RecordTable.Item] = [:]
    /// The ids of the records, by owner (`owned`) and by alias (`named`).
    private var owned: [String: Set<String>] = [:]
    private var named: [String: Set<String>] = [:]

    /// Returns a superset of the records that a query selects.
    func candidates(_ query: RecordQuery) -> [RecordTable.Item] {
        if let id = query.id { return [items[id]].compactMap(\.self) }
        if let alias = query.alias { return named[alias, default: []].compactMap { items[$0] } }
        if let owner = query.owner { return owned[owner, default: []].compactMap { items[$0] } }
        return Array(items.values)
    }

    mutating func put(_ item: RecordTable.Item) {
        remove(item.index.id)
        items[item.index.id] = item
        if let owner = item.index.owner { owned[owner, default: []].insert(item.index.id) }
        if let alias = item.index.alias { named[alias, default: []].insert(item.index.id) }
    }

    @discardableResult
    mutating func remove(_ id: String) -> Bool {
        guard let item = items.removeValue(forKey: id) else { return false }
        if let owner = item.index.owner { owned[owner]?.remove(id) }
        if let alias = item.index.alias { named[alias]?.remove(id) }
        return true
    }
}

extension [RecordTable.Item] {
    fileprivate var asStored: Self { sorted { $0.number < $1.number } }
}
