/// The collected changes of a transaction, which the caller applies together.
///
/// If the transaction changes a record several times, the last change counts.
package struct RecordChanges: Sendable {
    /// The records to store.
    fileprivate private(set) var table = RecordTable()
    /// The ids of the removed records, including the records that were stored again later.
    private var removals: [RecordKind: Set<String>] = [:]
    private var classes: [RecordKind: [String: KeychainAccessibility]] = [:]

    package init() {}

    package var isEmpty: Bool { table.isEmpty && removals.isEmpty }

    /// Returns the sorted ids of the records that the transaction removed and did not store again.
    package func removed(_ kind: RecordKind) -> [String] {
        removals[kind, default: []].filter { table.item(kind, id: $0) == nil }.sorted()
    }

    /// Returns the records of a kind that the transaction stored, in the order in which it first stored them.
    package func stored(_ kind: RecordKind) -> [any StoredRecord] { table.itemsAsStored(kind).map(\.record) }

    /// Returns the records of a type that the transaction stored, in the order in which it first stored them.
    package func stored<Value: StoredRecord>(_ type: Value.Type) -> [Value] {
        stored(type.recordKind).compactMap { $0 as? Value }
    }

    /// Returns the accessibility class for a record that is new in the store; `nil` if the transaction set none.
    package func accessibility(_ kind: RecordKind, id: String) -> KeychainAccessibility? {
        classes[kind]?[id]
    }

    /// Returns the ids of all records of a kind that the transaction stored or removed.
    fileprivate func touched(_ kind: RecordKind) -> Set<String> {
        removals[kind, default: []].union(table.items(kind, where: .all).map(\.index.id))
    }

    fileprivate func touches(_ kind: RecordKind, id: String) -> Bool {
        table.item(kind, id: id) != nil || removals[kind]?.contains(id) == true
    }

    /// Returns an upper bound for the number of records of a kind that the transaction stored or removed.
    fileprivate func touchCount(_ kind: RecordKind) -> Int {
        table.count(kind) + removals[kind, default: []].count
    }

    fileprivate mutating func put(_ record: any StoredRecord, _ accessibility: KeychainAccessibility?) {
        let (kind, id) = (record.recordKind, record.recordIndex.id)
        if table.item(kind, id: id) == nil { classes[kind, default: [:]][id] = accessibility }
        table.put(record)
    }

    fileprivate mutating func remove(_ kind: RecordKind, id: String) {
        table.remove(kind, id: id)
        removals[kind, default: []].insert(id)
    }
}

/// An operation that a caller requests from a view.
package enum RecordVerb {
    case read
    case put(any StoredRecord)
    case remove(RecordKind)
}

/// A view that collects ``changes`` instead of making them, and shows the records as they would be after the
/// changes.
///
/// An overlay is used for transactions that apply their changes together at the end, run several times, only plan their
/// changes, or have to fail at certain operations. An overlay is valid for as long as the underlying view is.
package final class RecordOverlay {
    package private(set) var changes: RecordChanges
    private var accessibility: KeychainAccessibility?
    private let base: any CredentialReading
    private let streamed: Set<RecordKind>
    private let admits: (RecordVerb) throws -> Bool

    /// Creates a view.
    /// - Parameters:
    ///   - base: The underlying view.
    ///   - changes: The changes that have already been collected.
    ///   - streamed: The kinds whose records a query passes on one at a time, without holding all of them in memory.
    ///     Records in `changes` follow the records of the underlying view, even if their dates are earlier.
    ///   - admits: Called before each operation. If `admits` throws an error, the operation throws the same
    ///     error. If `admits` returns `false`, a `put` or `remove` does nothing.
    package init(
        over base: any CredentialReading,
        after changes: RecordChanges = RecordChanges(),
        streaming streamed: Set<RecordKind> = [],
        admitting admits: @escaping (RecordVerb) throws -> Bool = { _ in true }
    ) {
        self.base = base
        self.changes = changes
        self.streamed = streamed
        self.admits = admits
    }

    /// Returns the selected records as they are after the changes, and the errors of unreadable records.
    private func found(
        _ kind: RecordKind,
        where query: RecordQuery
    ) throws -> (items: [(record: any StoredRecord, index: RecordIndex)], unreadable: [StoreError]) {
        var unlimited = query
        unlimited.limit = nil
        let stored = changes.table.items(kind, where: unlimited).map { ($0.record, $0.index) }
        if let id = query.id, changes.touches(kind, id: id) {
            return (Array(stored.prefix(query.limit ?? .max)), [])
        }
        var found: [(record: any StoredRecord, index: RecordIndex)] = []
        var shown: Set<String> = []
        let unreadable = try base.forEach(kind, where: query.beneath(changes.touchCount(kind))) { record in
            let index = record.recordIndex
            guard changes.touches(kind, id: index.id) else { return found.append((record, index)) }
            guard let change = changes.table.item(kind, id: index.id), query.selects(change.index) else {
                return
            }
            shown.insert(index.id)
            found.append((change.record, change.index))
        }
        let new = stored.filter { !shown.contains($0.1.id) }
        let merged = kind.isListedAsStored ? found + new : found.inserting(new)
        return (
            Array(merged.prefix(query.limit ?? .max)),
            unreadable.filter { $0.record.map { !changes.touches(kind, id: $0) } ?? true }
        )
    }

    /// Calls `body` with the selected records one at a time, and returns the errors of unreadable records.
    private func stream(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        // `body` may make further changes, which must not affect this query.
        let changes = changes
        var left = query.limit ?? .max
        func pass(_ record: any StoredRecord) throws {
            guard left > 0 else { return }
            left -= 1
            try body(record)
        }
        let unreadable = try base.forEach(kind, where: query.beneath(changes.touchCount(kind))) { record in
            if !changes.touches(kind, id: record.recordIndex.id) { try pass(record) }
        }
        for item in changes.table.items(kind, where: query) { try pass(item.record) }
        return unreadable.filter { $0.record.map { !changes.touches(kind, id: $0) } ?? true }
    }
}

extension RecordQuery {
    /// Returns this query for the underlying view, with a limit that is higher by the number of changes.
    ///
    /// Each change may hide one of the underlying view's records.
    fileprivate func beneath(_ changes: Int) -> RecordQuery {
        var query = self
        query.limit = limit.map { $0 + changes }
        return query
    }
}

extension RecordOverlay: CredentialWriting {
    package var denormalizesAccounts: Bool { base.denormalizesAccounts }
    package var keepsLegacyKeys: Bool { base.keepsLegacyKeys }
    package var keepsAccounts: Bool { base.keepsAccounts }
    package func checkPlace(for account: AccountKey) throws { try base.checkPlace(for: account) }

    package func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        _ = try admits(.read)
        guard changes.touchCount(kind) > 0 else { return try base.forEach(kind, where: query, body) }
        if streamed.contains(kind), query.id == nil { return try stream(kind, where: query, body) }
        let found = try found(kind, where: query)
        for item in found.items { try body(item.record) }
        return found.unreadable
    }

    package func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        _ = try admits(.read)
        return try foundIDs(kind, where: query)
    }

    package func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        _ = try admits(.read)
        var unlimited = query
        unlimited.limit = nil
        let stored = changes.table.items(kind, where: unlimited).count
        if let id = query.id, changes.touches(kind, id: id) { return min(stored, query.limit ?? .max) }
        let beneath = try base.count(of: kind, where: unlimited)
        var hidden = 0
        if beneath > 0, query.id == nil {
            if streamed.contains(kind), beneath <= changes.touchCount(kind) {
                hidden = try base.ids(of: kind, where: unlimited).count { changes.touches(kind, id: $0) }
            } else {
                for id in changes.touched(kind) {
                    unlimited.id = id
                    hidden += try base.count(of: kind, where: unlimited)
                }
            }
        }
        return min(beneath - hidden + stored, query.limit ?? .max)
    }

    package func put(_ record: any StoredRecord) throws {
        if try admits(.put(record)) { changes.put(record, accessibility) }
    }

    package func useAccessibility(_ accessibility: KeychainAccessibility?) {
        self.accessibility = accessibility
    }

    package func remove(_ kind: RecordKind, where query: RecordQuery) throws -> Int {
        guard try admits(.remove(kind)) else { return 0 }
        let ids = try foundIDs(kind, where: query)
        for id in ids { changes.remove(kind, id: id) }
        return ids.count
    }

    private func foundIDs(_ kind: RecordKind, where query: RecordQuery) throws -> [String] {
        guard changes.touchCount(kind) > 0 else { return try base.ids(of: kind, where: query) }
        if streamed.contains(kind), query.id == nil {
            let kept = try base.ids(of: kind, where: query.beneath(changes.touchCount(kind)))
                .filter { !changes.touches(kind, id: $0) }
            let new = changes.table.items(kind, where: query).map(\.index.id)
            return Array((kept + new).prefix(query.limit ?? .max))
        }
        let found = try found(kind, where: query)
        let unreadable = query.looksInside ? [] : found.unreadable.compactMap(\.record)
        return Array((found.items.map(\.index.id) + unreadable).prefix(query.limit ?? .max))
    }
}

extension [(record: any StoredRecord, index: RecordIndex)] {
    /// Returns the existing records, which keep their ascending or descending order, merged with new records by date.
    ///
    /// - Parameter new: The new records, in ascending order.
    /// - Returns: All records, in the order of the existing records.
    fileprivate func inserting(_ new: Self) -> Self {
        guard let first, let last else { return new }
        let isDescending = last.index.precedes(first.index)
        var waiting = (isDescending ? new.reversed() : new)[...]
        var merged: Self = []
        merged.reserveCapacity(count + new.count)
        for item in self {
            while let next = waiting.first,
                isDescending ? item.index.precedes(next.index) : next.index.precedes(item.index)
            {
                merged.append(waiting.removeFirst())
            }
            merged.append(item)
        }
        return merged + waiting
    }
}

extension CredentialWriting {
    /// Calls `body` with an overlay, and then makes the collected changes.
    /// - Parameters:
    ///   - admits: Called before each operation; see ``RecordOverlay/init(over:after:streaming:admitting:)``.
    ///   - body: Reads from and writes to the overlay.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body` and of the store.
    package func collecting<Value>(
        admitting admits: @escaping (RecordVerb) throws -> Bool = { _ in true },
        _ body: (RecordOverlay) throws -> Value
    ) throws -> Value {
        let overlay = RecordOverlay(over: self, admitting: admits)
        let value = try body(overlay)
        let changes = overlay.changes
        for kind in RecordKind.allCases {
            for id in changes.removed(kind) { try remove(kind, where: RecordQuery(id: id)) }
            for record in changes.stored(kind) {
                useAccessibility(changes.accessibility(kind, id: record.recordIndex.id))
                try put(record)
            }
        }
        return value
    }
}
