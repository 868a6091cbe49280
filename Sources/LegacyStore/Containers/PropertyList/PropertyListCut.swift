import Foundation

/// Which objects of a binary property list go with some of our items, and which dictionaries lose entries.
struct PropertyListCut {
    /// A key and its value.
    typealias Entry = (key: PropertyListReference, value: PropertyListReference)

    /// The dictionaries that lose entries, with what is left of each.
    private(set) var left: [PropertyListReference: [Entry]] = [:]
    /// The objects that nothing needs any more.
    private(set) var gone: Set<PropertyListReference> = []
    /// The objects that are needed still.
    private(set) var kept: Set<PropertyListReference> = []
    private let list: BinaryPropertyList
    private var doomed: [PropertyListReference] = []
    private var count = 0

    /// Finds the items of these numbers; `nil` if they cannot be cut out without touching others.
    init?(_ list: BinaryPropertyList, removing indexes: Set<Int>) throws(PropertyListError) {
        self.list = list
        guard case .dictionary(let services) = try list.object(at: list.root) else { return nil }
        var sections: Set<PropertyListReference> = []
        var entries: [Entry] = []
        for entry in services {
            guard isService(entry.key) else {
                entries.append(entry)
                continue
            }
            guard sections.insert(entry.value).inserted else { return nil }
            if cut(entry, indexes) { entries.append(entry) }
        }
        if entries.count < services.count { left[list.root] = entries }
        kept = reachable(from: [list.root])
        gone = reachable(from: doomed).subtracting(kept)
    }

    // Answers whether the service stays; one that holds no dictionary is an item itself.
    private mutating func cut(_ service: Entry, _ indexes: Set<Int>) -> Bool {
        guard case .dictionary(let entries)? = object(service.value) else {
            defer { count += 1 }
            guard indexes.contains(count) else { return true }
            doomed += [service.key, service.value]
            return false
        }
        var rest: [Entry] = []
        for entry in entries {
            if indexes.contains(count) {
                doomed += [entry.key, entry.value]
            } else {
                rest.append(entry)
            }
            count += 1
        }
        if rest.count < entries.count { left[service.value] = rest }
        return true
    }

    private func isService(_ key: PropertyListReference) -> Bool {
        guard case .string(let name)? = object(key) else { return false }
        return RecordService(name: name) != nil
    }

    // What cannot be read refers to nothing that could be found.
    private func reachable(from roots: [PropertyListReference]) -> Set<PropertyListReference> {
        var found: Set<PropertyListReference> = []
        var pending = roots
        while let next = pending.popLast() {
            guard found.insert(next).inserted else { continue }
            if let entries = left[next] {
                pending += entries.flatMap { [$0.key, $0.value] }
                continue
            }
            switch object(next) {
            case .array(let elements)?: pending += elements
            case .dictionary(let entries)?: pending += entries.flatMap { [$0.key, $0.value] }
            default: continue
            }
        }
        return found
    }

    private func object(_ reference: PropertyListReference) -> BinaryPropertyList.Object? {
        do {
            return try list.object(at: reference)
        } catch {
            return nil
        }
    }
}
