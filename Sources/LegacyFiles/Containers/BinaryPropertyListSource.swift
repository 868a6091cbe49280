import Foundation
import LegacyStore
import PushBridgeFiles

/// A binary property list that contains a dictionary of services.
///
/// Each service is a dictionary that contains data under account keys.
struct BinaryPropertyListSource: DocumentSource {
    let url: URL
    let container = "propertyList"
    let status: FileStatus

    /// Opens a property list; returns `nil` if the list contains no service that PushBridge reads.
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
        /// The dictionary of the service; `nil` if the service's entry is not a dictionary.
        ///
        /// An entry that is not a dictionary counts as one damaged item.
        let dictionary: PropertyListReference?
        /// The index of the entry in `dictionary`.
        ///
        /// If `dictionary` is `nil`, this is the index of the service in the root.
        let position: Int
    }

    let list: BinaryPropertyList
    private(set) var places: [Place] = []
    /// Whether the list contains entries other than the services that PushBridge reads.
    private(set) var hasOtherServices = false

    /// Reads a list; returns `nil` if the list contains no service that PushBridge reads.
    init?(_ list: BinaryPropertyList) throws(PropertyListError) {
        self.list = list
        let root = try list.reading { list throws(PropertyListError) in try list.token(at: list.layout.root) }
        guard case .dictionary(let names, let contents) = root else { return nil }
        var services: Set<RecordService> = []
        for (position, entry) in zip(list.references(names), list.references(contents)).enumerated() {
            // An entry whose name cannot be read counts as a service of another program.
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
            // Several references may point to the same object. Without this check, a short list could contain
            // an unlimited number of items.
            guard places.count + keys.count <= list.layout.objectCount else { throw .repeatedObjects }
            places += (0..<keys.count).map { Place(service: service, dictionary: entry.1, position: $0) }
        }
        guard !services.isEmpty else { return nil }
    }

    /// Returns the item with the given number.
    ///
    /// An item that cannot be read is returned as damaged.
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
                    return .damaged("A service is not a dictionary.")
                }
                // A value can be valid even if its key cannot be read, because the value identifies its
                // record.
                key = self.list.readable { list throws(PropertyListError) in
                    try list.text(at: list.reference(place.position, of: keys))
                }
                guard case .data(let range) = try list.token(at: value) else {
                    return .damaged("The value is not data.")
                }
                // The data is copied. Otherwise, each item would keep the whole list in memory.
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
