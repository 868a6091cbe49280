package import PushBridgeCore

/// What a transaction changes, collected to be carried out later, and then as a whole; the last word on a record
/// counts.
package struct RecordChanges: Sendable {
    private var kinds: [RecordKind: KindChanges] = [:]

    package init() {}

    package var isEmpty: Bool { kinds.values.allSatisfy(\.isEmpty) }

    /// The ids of the records that are to be removed and not stored anew, sorted.
    package func removed(_ kind: RecordKind) -> [String] {
        guard let changes = kinds[kind] else { return [] }
        return changes.removed.filter { changes.values[$0] == nil }.sorted()
    }

    /// The records that are to be stored, in the order of their first storing.
    package func stored<Value: StoredRecord>(_ type: Value.Type = Value.self) -> [Value] {
        guard let changes = kinds[type.recordKind] else { return [] }
        return changes.order.compactMap { changes.values[$0] as? Value }
    }

    /// The class that a record was given if it should be new.
    package func accessibility<Value: StoredRecord>(_ type: Value.Type, id: String) -> KeychainAccessibility?
    {
        kinds[type.recordKind]?.classes[id]
    }

    /// What the transaction made of a record: `nil` if it did not touch it, `.some(nil)` if it removed it.
    package func value<Value: StoredRecord>(_ type: Value.Type = Value.self, id: String) -> Value?? {
        guard let changes = kinds[type.recordKind], changes.touches(id) else { return nil }
        return .some(changes.values[id] as? Value)
    }

    package func apply(to view: any CredentialWriting) throws {
        try apply(PushCredential.self, to: view)
        try apply(OathCredential.self, to: view)
        try apply(AccountProfile.self, to: view)
        try apply(PushNotification.self, to: view)
        try apply(PushDeviceToken.self, to: view)
        try apply(LedgerEntry.self, to: view)
        try apply(ImportMark.self, to: view)
    }

    fileprivate subscript(kind: RecordKind) -> KindChanges {
        get { kinds[kind] ?? KindChanges() }
        _modify { yield &kinds[kind, default: KindChanges()] }
    }

    private func apply<Value: StoredRecord>(_ type: Value.Type, to view: any CredentialWriting) throws {
        for id in removed(type.recordKind) { try view.remove(type, where: RecordQuery(id: id)) }
        for value in stored(type) { try view.put(value) }
    }
}

private struct KindChanges: Sendable {
    var removed: Set<String> = []
    var order: [String] = []
    var values: [String: any StoredRecord] = [:]
    var classes: [String: KeychainAccessibility] = [:]

    var isEmpty: Bool { removed.isEmpty && values.isEmpty }

    func touches(_ id: String) -> Bool { values[id] != nil || removed.contains(id) }

    mutating func put(_ value: any StoredRecord, id: String, _ accessibility: KeychainAccessibility?) {
        guard values.updateValue(value, forKey: id) == nil else { return }
        order.append(id)
        classes[id] = accessibility
    }

    mutating func remove(_ id: String) {
        if values.removeValue(forKey: id) != nil { order.removeAll { $0 == id } }
        removed.insert(id)
    }
}

/// A view that changes nothing: it shows what another view would after the ``changes`` it was asked to make.
///
/// For stores that first collect a transaction and then carry it out in one go. Valid as long as the other view is.
package final class RecordOverlay {
    package private(set) var changes: RecordChanges
    private var accessibility: KeychainAccessibility?
    private let base: any CredentialReading

    package init(over base: any CredentialReading, after changes: RecordChanges = RecordChanges()) {
        self.base = base
        self.changes = changes
    }

    /// The records that the query selects after the changes, without its limit being applied, and why others cannot be
    /// read.
    private func merged<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) throws -> Fetched<
        Value
    > {
        let staged = changes[type.recordKind]
        var baseQuery = query
        baseQuery.limit = query.limit.map { $0 + staged.removed.count + staged.values.count }
        var merged = Fetched<Value>([])
        var shown: Set<String> = []
        merged.unreadable = try base.forEach(type, where: baseQuery) { value in
            let id = value.recordIndex.id
            guard staged.touches(id) else { return merged.values.append(value) }
            guard let change = staged.values[id] as? Value, query.selects(change.recordIndex) else { return }
            shown.insert(id)
            merged.values.append(change)
        }.filter { !staged.touches($0.record ?? "") }
        for id in staged.order where !shown.contains(id) {
            guard let new = staged.values[id] as? Value, query.selects(new.recordIndex) else { continue }
            merged.values.insert(new, at: merged.values.place(of: new))
        }
        return merged
    }
}

extension RecordOverlay: CredentialWriting {
    package var repeatsAccounts: Bool { base.repeatsAccounts }
    package var keepsAccounts: Bool { base.keepsAccounts }

    package func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        if let id = query.id, case .some(let change) = changes.value(type, id: id) {
            if let change, query.selects(change.recordIndex) { try body(change) }
            return []
        }
        let merged = try merged(type, where: query)
        try merged.values.prefix(query.limit ?? .max).forEach(body)
        return merged.unreadable
    }

    package func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> [String] {
        let staged = changes[type.recordKind]
        guard !staged.isEmpty else { return try base.ids(of: type, where: query) }
        let merged = try merged(type, where: query)
        let unreadable = query.looksInside ? [] : merged.unreadable.compactMap(\.record)
        let ids = merged.values.map(\.recordIndex.id) + unreadable
        return Array(ids.prefix(query.limit ?? .max))
    }

    package func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> Int {
        let staged = changes[type.recordKind]
        guard !staged.isEmpty else { return try base.count(of: type, where: query) }
        var all = query
        all.limit = nil
        var count = try base.count(of: type, where: all)
        for id in staged.removed.union(staged.values.keys) where query.id == nil || query.id == id {
            var one = all
            one.id = id
            count -= try base.count(of: type, where: one)
            if let value = staged.values[id], query.selects(value.recordIndex) { count += 1 }
        }
        return min(count, query.limit ?? .max)
    }

    package func put(_ value: some StoredRecord) throws {
        changes[type(of: value).recordKind].put(value, id: value.recordIndex.id, accessibility)
    }

    package func protect(as accessibility: KeychainAccessibility?) { self.accessibility = accessibility }

    package func remove<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) throws -> Int {
        let ids = try ids(of: type, where: query)
        for id in ids { changes[type.recordKind].remove(id) }
        return ids.count
    }
}

extension Array where Element: StoredRecord {
    /// Where a new record belongs: by its date among records in either order, else at the end.
    fileprivate func place(of new: Element) -> Int {
        guard !Element.recordKind.isListedAsStored, let first, let last else { return count }
        let isDescending = last.recordIndex.precedes(first.recordIndex)
        return firstIndex { record in
            isDescending
                ? record.recordIndex.precedes(new.recordIndex) : new.recordIndex.precedes(record.recordIndex)
        } ?? count
    }
}

extension RecordIndex {
    /// Whether a record is listed before another one of its kind.
    package func precedes(_ other: RecordIndex) -> Bool { (date, id) < (other.date, other.id) }
}
