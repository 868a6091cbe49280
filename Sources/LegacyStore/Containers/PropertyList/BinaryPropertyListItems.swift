import Foundation

/// The items of a binary property list in the order of its dictionaries.
final class BinaryPropertyListItems: ItemPuller {
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
    }

    func next() throws(LegacyStoreError) -> LegacyItem? {
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
            if let service = service(list, entry.key) { sections.append((service, entry.value)) }
        }
        return sections
    }

    // A name that cannot be read is none of ours.
    private static func service(_ list: BinaryPropertyList, _ key: PropertyListReference) -> RecordService? {
        do {
            guard case .string(let name) = try list.object(at: key) else { return nil }
            return RecordService(name: name)
        } catch {
            return nil
        }
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

    private func key(_ reference: PropertyListReference) -> String? {
        do {
            guard case .string(let key) = try list.object(at: reference) else { return nil }
            return key
        } catch {
            // The value may be sound all the same, and it names its record itself.
            return nil
        }
    }

    private func payload(_ reference: PropertyListReference) -> LegacyItem.Payload {
        do {
            guard case .data(let bytes) = try list.object(at: reference) else {
                return .damaged("The value is not data.")
            }
            // A copy, so that no item depends on the mapped file.
            return service.payload(Data(Array(bytes)))
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
