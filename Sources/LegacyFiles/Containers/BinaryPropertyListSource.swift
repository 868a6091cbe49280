import Foundation
import LegacyStore
import PushBridgeFiles

/// A binary property list: service, then account key, then data.
struct BinaryPropertyListSource: DocumentSource {
    let url: URL
    let container = "propertyList"
    let status: FileStatus

    /// Reads a property list with at least one of our services; `nil` if it contains none.
    init?(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        guard try Self.contents(of: url, status) != nil else { return nil }
        self.url = url
        self.status = status
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        let contents = try Self.contents(of: url, status)
        var numbers = (0..<(contents?.places.count ?? 0)).makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in
            numbers.next().flatMap { contents?.item($0) }
        }
    }

    func hasOtherContents() throws(LegacyStoreError) -> Bool {
        try Self.contents(of: url, status)?.hasOtherServices ?? true
    }

    private static func contents(
        of url: URL,
        _ status: FileStatus
    ) throws(LegacyStoreError) -> PropertyListContents? {
        let bytes = Data(try LegacyFile.contents(url, status))
        do {
            return try PropertyListContents(BinaryPropertyList(bytes))
        } catch {
            throw .notALegacyStore("\(url.relativePath) is a damaged property list: \(error.reason)")
        }
    }
}

/// The items of a binary property list in the order of its dictionaries.
struct PropertyListContents: Sendable {
    struct Place: Sendable {
        let service: RecordService
        /// The dictionary of the service; `nil` if the service holds none, which is an item itself.
        let dictionary: PropertyListReference?
        /// Which entry of the dictionary, or of the root.
        let position: Int
    }

    let list: BinaryPropertyList
    private(set) var places: [Place] = []
    /// Whether the list has an entry besides our services.
    private(set) var hasOtherServices = false

    /// Reads a list with at least one of our services; `nil` if it contains none.
    init?(_ list: BinaryPropertyList) throws(PropertyListError) {
        self.list = list
        let root = try list.reading { list throws(PropertyListError) in try list.token(at: list.layout.root) }
        guard case .dictionary(let names, let contents) = root else { return nil }
        var services: Set<RecordService> = []
        for (position, entry) in zip(list.references(names), list.references(contents)).enumerated() {
            // A name that cannot be read is not of the SDK.
            let name = list.readable { list throws(PropertyListError) in try list.text(at: entry.0) }
            guard let service = name.flatMap(RecordService.init) else {
                hasOtherServices = true
                continue
            }
            guard services.insert(service).inserted else { throw .repeatedObjects }
            let content = list.readable { list throws(PropertyListError) in try list.token(at: entry.1) }
            guard case .dictionary(let keys, _)? = content else {
                places.append(Place(service: service, dictionary: nil, position: position))
                continue
            }
            // References are small and may repeat, so that a short list could hold any number of items.
            guard places.count + keys.count <= list.layout.objectCount else { throw .repeatedObjects }
            places += (0..<keys.count).map { Place(service: service, dictionary: entry.1, position: $0) }
        }
        guard !services.isEmpty else { return nil }
    }

    /// The item of this number; what cannot be read is a damaged one.
    func item(_ number: Int) -> LegacyItem {
        let place = places[number]
        var key: String?
        let payload: LegacyItem.Payload
        do throws(PropertyListError) {
            payload = try list.reading { list throws(PropertyListError) in
                let dictionary = try list.token(at: place.dictionary ?? list.layout.root)
                guard case .dictionary(let keys, let values) = dictionary else { throw .unknownObject }
                let value = list.reference(place.position, of: values)
                guard place.dictionary != nil else {
                    _ = try list.token(at: value)
                    return .damaged("A service holds no dictionary.")
                }
                // A value may be sound without its key, and it names its record itself.
                key = self.list.readable { list throws(PropertyListError) in
                    try list.text(at: list.reference(place.position, of: keys))
                }
                guard case .data(let range) = try list.token(at: value) else {
                    return .damaged("The value is not data.")
                }
                // A copy, so that no item keeps the whole list in memory.
                return range.count <= LegacyItem.largestValue
                    ? place.service.payload(Data(list.bytes[range])) : .tooLarge
            }
        } catch {
            payload = .damaged(error.reason)
        }
        return LegacyItem(
            position: .index(number),
            service: place.service.kind(of: payload, under: key ?? ""),
            key: key ?? "record \(number + 1)",
            payload: payload
        )
    }
}

extension PropertyListBytes {
    fileprivate func text(at reference: PropertyListReference) throws(PropertyListError) -> String? {
        guard case .text(let text) = try token(at: reference) else { return nil }
        return try string(text)
    }
}
