import Foundation
import LegacyStore

/// The items that were found in a dump of a keychain.
///
/// Dump tools give different names to the members of an item, so an item is found by its values: the name of a
/// service that is read, an archive or a record, and a string that is the key. The name of a member decides only if
/// several members have suitable values, or if no value is a record.
struct Dump {
    /// The maximum number of members that are read from one object.
    ///
    /// If the name of the object is the name of a service, its members are items, and all of them are read.
    static let mostMembers = 256
    /// The maximum size in bytes of a name, a service or a hash.
    static let longestName = 1024
    /// The maximum size in bytes of the text of a value: hexadecimal digits need two bytes for each byte.
    static let longestText = LegacyItem.largestValue * 2 + 64 * 1024

    private(set) var items: [LegacyItem] = []
    private(set) var deletedItems = 0
    private(set) var hashedItems = HashedItems()
    /// Whether a part of the dump was not read because it is nested too deeply.
    var isTooDeep = false
    private let services = Dictionary(
        RecordService.all.flatMap { service in service.names.map { ($0, service) } }
    ) { first, _ in first }

    var isEmpty: Bool { items.isEmpty && deletedItems == 0 }

    // The parts by which the names of members are recognised, in lower case.
    private static let serviceNames = ["svce", "service", "svc"]
    private static let keyNames = ["acct", "account"]
    private static let otherKeyNames = ["usr", "user", "key", "name"]
    private static let groupNames = ["agrp", "group"]
    private static let dataNames = ["data", "value", "payload", "bytes", "base64", "hex"]
    /// The member that marks an item as deleted; the keychain's own table uses this name.
    private static let tombstone = "tomb"
    private static let attributeNames = [
        tombstone, "class", "labl", "label", "desc", "comment", "icmt", "pdmn", "accessib", "protect", "sync",
        "date", "type", "uuid",
    ]

    private static func isNamed(_ name: String, _ parts: [String]) -> Bool {
        let name = name.lowercased()
        return parts.contains { name.contains($0) }
    }

    /// Returns whether a member with this name usually contains an item's data.
    static func isNameOfData(_ name: String) -> Bool { isNamed(name, dataNames) }

    /// Returns whether an object may be an item.
    ///
    /// The result depends only on short values. The other values are read only if the result is `true`.
    func concerns(_ members: [DumpedMember]) -> Bool {
        service(of: members) != nil || hash(of: members) != nil
    }

    /// Adds an object if it is an item.
    /// - Returns: Whether the object is an item.
    mutating func add(_ members: [DumpedMember]) -> Bool {
        let isDeleted = Self.isDeleted(members)
        guard let (place, service) = self.service(of: members) else {
            guard let hash = self.hash(of: members) else { return false }
            hashedItems.add(hash, isDeleted: isDeleted)
            return true
        }
        let content = Self.content(of: members, besides: place, service)
        let keyPlace = Self.key(of: members, besides: [place, content?.place].compactMap(\.self))
        let key = keyPlace.flatMap { members[$0].value.text }
        // An object without data is an item only if one of its members has a name for the account.
        let hasAccount = keyPlace.map { Self.isNamed(members[$0].name, Self.keyNames) } ?? false
        guard content != nil || hasAccount else { return false }
        add(
            content?.payload ?? .damaged("The item has no value."),
            under: key,
            of: service,
            accessGroup: members.first { Self.isNamed($0.name, Self.groupNames) }?.value.text,
            isDeleted: isDeleted
        )
        return true
    }

    /// Returns the service for the name of an object; `nil` if the name is not the name of a service.
    ///
    /// The members of an object with such a name are items of the service.
    func service(ofEntriesIn name: String) -> RecordService? {
        services[name] ?? (FurtherServices.isCounting ? RecordService(name: name) : nil)
    }

    /// Adds one member of an object that is named after a service: the member's name is the key of an item.
    /// - Returns: Whether the value shows that the object contains items of the service.
    mutating func addEntry(_ value: DumpedValue?, under key: String, of service: RecordService) -> Bool {
        let record = value?.record(of: service)
        // While the items of all services are counted, any name may be the name of a service. So only a record shows
        // that the object contains items.
        guard record != nil || !FurtherServices.isCounting else { return false }
        let payload = record.map(service.payload) ?? Self.payload(value, of: service)
        add(payload, under: key, of: service, accessGroup: nil, isDeleted: false)
        // Many strings have the form of a secret, so a secret does not show that the object contains items.
        if FurtherServices.isCounting, case .newSDKSecret = payload { return false }
        return true
    }

    private mutating func add(
        _ payload: LegacyItem.Payload,
        under key: String?,
        of service: RecordService,
        accessGroup: String?,
        isDeleted: Bool
    ) {
        guard !isDeleted else {
            service.countDeleted(payload, under: key ?? "")
            deletedItems += 1
            return
        }
        let key = key ?? "record \(items.count + 1)"
        items.append(
            LegacyItem(
                position: .index(items.count),
                service: service.kind(of: payload, under: key),
                key: key,
                accessGroup: accessGroup,
                payload: payload
            )
        )
    }

    /// Returns the service of an item, and the place of the member that contains the service's name; `nil` for
    /// other objects.
    private func service(of members: [DumpedMember]) -> (place: Int, service: RecordService)? {
        let named = members.indices.filter { Self.isNamed(members[$0].name, Self.serviceNames) }
        for place in named + members.indices {
            guard let text = members[place].value.shortText, let known = services[text] else { continue }
            return (place, known)
        }
        // While the items of all services are counted, any string that looks like a service's name may be
        // the name of a service.
        guard FurtherServices.isCounting else { return nil }
        let unnamed = members.indices.filter { index in
            !Self.isNamed(members[index].name, Self.groupNames)
                && members[index].value.shortText?.isLikeService == true
        }
        for place in named + unnamed {
            guard let text = members[place].value.shortText, !text.isEmpty else { continue }
            return RecordService(name: text).map { (place, $0) }
        }
        return nil
    }

    /// Returns the hash that an item contains instead of its service's name; `nil` for other objects.
    ///
    /// A hash that belongs to no known service counts only if its member has a usual name for the service, and if the
    /// object contains at least two hashes.
    private func hash(of members: [DumpedMember]) -> Data? {
        guard !FurtherServices.isCounting else { return nil }
        let hashes = members.compactMap { member in member.value.hash.map { (member.name, $0) } }
        if let known = hashes.first(where: { hashedItems.contains($0.1) }) { return known.1 }
        guard hashes.count > 1 else { return nil }
        return hashes.first { Self.isNamed($0.0, Self.serviceNames) }?.1
    }

    private static func isDeleted(_ members: [DumpedMember]) -> Bool {
        let mark = members.first { $0.name.lowercased().contains(tombstone) }?.value.text
        return mark.map { !["0", "false", ""].contains($0) } ?? false
    }

    /// Returns the payload of an item, and the place of the member that contains it; `nil` if there is none.
    private static func content(
        of members: [DumpedMember],
        besides servicePlace: Int,
        _ service: RecordService
    ) -> (place: Int, payload: LegacyItem.Payload)? {
        let rest = members.indices.filter { $0 != servicePlace }
        let named = rest.filter { isNamed(members[$0].name, dataNames) }
        let unnamed = rest.filter {
            !isNamed(members[$0].name, dataNames + keyNames + groupNames + [tombstone])
        }
        for place in named + unnamed {
            guard let record = members[place].value.record(of: service) else { continue }
            return (place, service.payload(record))
        }
        // No value is a record, so the record is damaged or encrypted. If no member has a usual name for data, the
        // first long value is the record, because a record has more bytes than the other strings of an item.
        let place = named.first ?? unnamed.first { members[$0].value.isLong }
        return place.map { ($0, payload(members[$0].value, of: service)) }
    }

    /// Returns the payload of a value that does not have the form of a record.
    private static func payload(_ value: DumpedValue?, of service: RecordService) -> LegacyItem.Payload {
        switch value {
        case .tooLarge?: .tooLarge
        case .word?, nil: .damaged("The value is not data.")
        case let value?:
            value.data(for: service).map(service.payload) ?? .damaged("The value is not base64.")
        }
    }

    /// Returns the place of the member that contains the key of an item; `nil` if there is none.
    private static func key(of members: [DumpedMember], besides places: [Int]) -> Int? {
        let rest = members.indices.filter { place in
            !places.contains(place) && members[place].value.text != nil
                && !isNamed(members[place].name, groupNames)
        }
        let texts = rest.filter { place in
            guard case .text = members[place].value else { return false }
            return !isNamed(members[place].name, attributeNames)
        }
        return rest.first { isNamed(members[$0].name, keyNames) }
            ?? texts.first { isNamed(members[$0].name, otherKeyNames) } ?? texts.first
    }
}

extension String {
    /// Whether the text looks like a typical service name: words that are joined by dots.
    fileprivate var isLikeService: Bool {
        guard utf8.count <= 256, first != ".", last != ".", contains(".") else { return false }
        guard contains(where: \.isLetter) else { return false }
        return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
    }
}
