/// What a transaction did to the values of one kind: the last word on each id counts.
package struct ValueChanges<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What is to be removed; an id that is in ``saved`` too was removed first and saved anew.
    package private(set) var removed: Set<ID> = []
    private var order: [ID] = []
    private var values: [ID: Value] = [:]

    package init() {}

    package var isEmpty: Bool { removed.isEmpty && values.isEmpty }

    /// What is to be stored, in the order of saving, after everything in ``removed`` was removed.
    package var saved: [(id: ID, value: Value)] {
        order.compactMap { id in values[id].map { (id, $0) } }
    }

    package mutating func save(_ value: Value, id: ID) {
        if values.updateValue(value, forKey: id) == nil { order.append(id) }
    }

    package mutating func remove(_ id: ID) {
        if values.removeValue(forKey: id) != nil { order.removeAll { $0 == id } }
        removed.insert(id)
    }

    /// The value with an id as it is after the changes, where `stored` tells what was there before.
    package func value(_ id: ID, stored: () throws -> Value?) rethrows -> Value? {
        if let value = values[id] { return value }
        return removed.contains(id) ? nil : try stored()
    }

    /// The values after the changes: each in its place, the new ones at the end.
    package func applied(to stored: [Value], id: (Value) -> ID) -> [Value] {
        var new = values
        let kept = stored.compactMap { value in
            removed.contains(id(value)) ? nil : new.removeValue(forKey: id(value)) ?? value
        }
        return kept + order.compactMap { new[$0] }
    }

    /// The ids after the changes: each in its place, the new ones at the end.
    package func applied(to stored: [ID]) -> [ID] {
        let kept = stored.filter { !removed.contains($0) }
        let known = Set(kept)
        return kept + order.filter { !known.contains($0) }
    }
}
