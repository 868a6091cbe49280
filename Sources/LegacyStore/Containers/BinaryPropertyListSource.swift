import Foundation
import PushBridgeStore

/// A binary property list: service, then account key, then data.
struct BinaryPropertyListSource: FileSource {
    let url: URL
    let container = "propertyList"
    let status: FileStatus

    /// Takes a property list that names at least one of our services; `nil` if it names none.
    init?(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let isOurs = try Self.reading(url) { list throws(PropertyListError) in
            try BinaryPropertyListItems(list) != nil
        }
        guard isOurs else { return nil }
        self.url = url
        self.status = status
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        let items = try Self.reading(url) { list throws(PropertyListError) in
            try BinaryPropertyListItems(list)
        }
        return LegacyItems { () throws(LegacyStoreError) in items?.next() }
    }

    func write(
        _ doomed: inout RemovalList,
        to write: ([UInt8]) throws(LegacyStoreError) -> Void
    ) throws(LegacyStoreError) {
        let (list, items) = try Self.reading(url) { list throws(PropertyListError) in
            (list, try BinaryPropertyListItems(list))
        }
        var removed: Set<Int> = []
        var count = 0
        while let item = items?.next() {
            if try doomed.takes(item) { removed.insert(count) }
            count += 1
        }
        try withoutActuallyEscaping(write) { write throws(LegacyStoreError) in
            guard try PropertyListCopy(list, without: removed).write(to: write) else {
                let name = url.lastPathComponent
                throw .notWritable("The records of \(name) lie upon each other, so that none can be removed.")
            }
        }
    }

    private static func reading<Value>(
        _ url: URL,
        _ body: (BinaryPropertyList) throws(PropertyListError) -> Value
    ) throws(LegacyStoreError) -> Value {
        let bytes = Data(try LegacyFile.contents(url))
        do {
            return try body(try BinaryPropertyList(bytes))
        } catch {
            throw .notALegacyStore("\(url.lastPathComponent) is a damaged property list: \(error.reason)")
        }
    }
}

/// The items of a binary property list in the order of its dictionaries.
private final class BinaryPropertyListItems {
    /// One of our services and what the list holds for it.
    typealias Section = (service: RecordService, content: PropertyListReference)

    private let list: BinaryPropertyList
    private var sections: ArraySlice<Section>
    private var service = RecordService.legacy(.mechanism)
    private var entries: BinaryPropertyList.Entries?
    private var place = 0
    private var count = 0

    /// Takes a list that names at least one of our services; `nil` if it names none.
    init?(_ list: BinaryPropertyList) throws(PropertyListError) {
        self.list = list
        sections = try Self.sections(of: list)[...]
        guard !sections.isEmpty else { return nil }
        try requireAsManyObjects()
    }

    // References are small and may repeat, so that a short list could hold any number of items.
    private func requireAsManyObjects() throws(PropertyListError) {
        guard Set(sections.map(\.service)).count == sections.count else { throw .repeatedObjects }
        var items = 0
        for section in sections {
            if case .dictionary(let entries)? = list.readable(section.content) { items += entries.count }
        }
        guard items <= list.layout.objectCount else { throw .repeatedObjects }
    }

    func next() -> LegacyItem? {
        while true {
            if let entries, place < entries.count {
                defer { place += 1 }
                return item(entries[place])
            }
            guard let section = sections.popFirst() else { return nil }
            if let broken = enter(section) { return broken }
        }
    }

    private static func sections(of list: BinaryPropertyList) throws(PropertyListError) -> [Section] {
        guard case .dictionary(let entries) = try list.object(at: list.root) else { return [] }
        var sections: [Section] = []
        for entry in entries {
            // A name that cannot be read is none of ours.
            guard case .string(let name)? = list.readable(entry.key) else { continue }
            if let service = RecordService(name: name) { sections.append((service, entry.value)) }
        }
        return sections
    }

    // Moves into a dictionary; what cannot be entered is one damaged item.
    private func enter(_ section: Section) -> LegacyItem? {
        (service, entries, place) = (section.service, nil, 0)
        do {
            guard case .dictionary(let content) = try list.object(at: section.content) else {
                return item(key: nil, .damaged("A service holds no dictionary."))
            }
            entries = content
            return nil
        } catch {
            return item(key: nil, .damaged(error.reason))
        }
    }

    private func item(_ entry: (key: PropertyListReference, value: PropertyListReference)) -> LegacyItem {
        item(key: key(entry.key), payload(entry.value))
    }

    // A value may be sound without its key, and it names its record itself.
    private func key(_ reference: PropertyListReference) -> String? {
        guard case .string(let key)? = list.readable(reference) else { return nil }
        return key
    }

    private func payload(_ reference: PropertyListReference) -> LegacyItem.Payload {
        do {
            guard case .data(let bytes) = try list.object(at: reference) else {
                return .damaged("The value is not data.")
            }
            // A copy, so that no item keeps the whole list in memory.
            return bytes.count <= LegacyItem.largestValue ? service.payload(Data(Array(bytes))) : .tooLarge
        } catch {
            return .damaged(error.reason)
        }
    }

    private func item(key: String?, _ payload: LegacyItem.Payload) -> LegacyItem {
        defer { count += 1 }
        return LegacyItem(
            position: .index(count),
            service: service.kind,
            key: key ?? "record \(count + 1)",
            payload: payload
        )
    }
}
