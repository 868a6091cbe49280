import Foundation

/// The attributes that identify an item.
struct Place: Hashable {
    let isDataProtected: Bool
    let service: String
    let account: String
    let group: String

    /// Returns whether both places are the same; services and accounts are compared by their bytes.
    static func == (one: Place, other: Place) -> Bool {
        one.isDataProtected == other.isDataProtected && one.service.utf8.elementsEqual(other.service.utf8)
            && one.account.utf8.elementsEqual(other.account.utf8) && one.group == other.group
    }
}

/// The stored data and attributes of an item.
struct Item {
    var data: Data
    var generic: Data?
    let accessibility: String
    let asksOwner: Bool
    var modified: Date
    var isUndecryptable = false
}

/// The result of a query, in the form that the query asked for.
enum Found {
    case nothing
    case data(Data)
    case attributes([String: String], modified: Date, generic: Data?, Data?)
    case all([Found])

    var object: CFTypeRef? {
        switch self {
        case .nothing: return nil
        case .data(let data): return NSData(data: data)
        case .all(let elements): return NSArray(array: elements.compactMap(\.object))
        case .attributes(let texts, let modified, let generic, let data):
            let attributes = NSMutableDictionary()
            for (name, text) in texts {
                attributes.setObject(NSString(string: text), forKey: NSString(string: name))
            }
            let date = NSDate(timeIntervalSinceReferenceDate: modified.timeIntervalSinceReferenceDate)
            attributes.setObject(date, forKey: kSecAttrModificationDate)
            if let generic { attributes.setObject(NSData(data: generic), forKey: kSecAttrGeneric) }
            if let data { attributes.setObject(NSData(data: data), forKey: kSecValueData) }
            return attributes
        }
    }
}

extension StandInKeychain {
    mutating func add(_ query: ItemQuery) throws {
        guard let group = query.group ?? groups.first, groups.contains(group) else {
            throw Refusal(errSecMissingEntitlement)
        }
        let place = Place(
            isDataProtected: query.isDataProtected,
            service: query.service ?? "",
            account: query.account ?? "",
            group: group
        )
        guard items[place] == nil else { throw Refusal(errSecDuplicateItem) }
        let item = Item(
            data: query.data ?? Data(),
            generic: query.generic,
            accessibility: query.accessibility ?? "ak",
            asksOwner: query.asksOwner,
            modified: nextDate()
        )
        guard isReadable(item) else { throw Refusal(errSecInteractionNotAllowed) }
        items[place] = item
    }

    mutating func update(_ query: ItemQuery, _ changes: (data: Data, generic: Data?)) throws {
        let places = try places(query)
        for place in places { _ = try opened(place) }
        let now = nextDate()
        for place in places {
            items[place]?.data = changes.data
            if let generic = changes.generic { items[place]?.generic = generic }
            items[place]?.modified = now
        }
    }

    mutating func delete(_ query: ItemQuery) throws {
        for place in try places(query) { items[place] = nil }
    }

    mutating func matching(_ query: ItemQuery) throws -> Found {
        let found = try places(query).map { place -> Found in
            let data = query.wantsData ? try opened(place) : nil
            if data != nil { openedItems[place.service, default: 0] += 1 }
            guard query.wantsAttributes else { return data.map(Found.data) ?? .nothing }
            let texts = [
                "svce": place.service, "acct": place.account, "agrp": place.group,
                "pdmn": items[place]?.accessibility,
            ]
            let modified = items[place]?.modified ?? .distantPast
            let generic = items[place]?.generic
            return .attributes(texts.compactMapValues { $0 }, modified: modified, generic: generic, data)
        }
        return query.wantsAll ? .all(found) : found[0]
    }

    private func places(_ query: ItemQuery) throws -> [Place] {
        guard query.group.map(groups.contains) ?? true else { throw Refusal(errSecMissingEntitlement) }
        let places = candidates(query).filter { place in
            query.accessibility.map { $0 == items[place]?.accessibility } ?? true
                && query.generic.map { $0 == items[place]?.generic } ?? true
        }
        guard !places.isEmpty else { throw Refusal(errSecItemNotFound) }
        return places
    }

    /// Returns the items with the service, account and groups of the query.
    ///
    /// If the query names a service and an account, the items are found without a search.
    private func candidates(_ query: ItemQuery) -> [Place] {
        let groups = query.group.map { [$0] } ?? groups
        if let service = query.service, let account = query.account {
            return groups.map { group in
                Place(
                    isDataProtected: query.isDataProtected,
                    service: service,
                    account: account,
                    group: group
                )
            }.filter { items[$0] != nil }
        }
        return items.keys.filter { place in
            place.isDataProtected == query.isDataProtected && groups.contains(place.group)
                && query.service.map { $0.utf8.elementsEqual(place.service.utf8) } ?? true
                && query.account.map { $0.utf8.elementsEqual(place.account.utf8) } ?? true
        }
    }

    private func opened(_ place: Place) throws -> Data {
        guard let item = items[place] else { throw Refusal(errSecItemNotFound) }
        guard isReadable(item) else { throw Refusal(errSecInteractionNotAllowed) }
        guard !item.asksOwner || ownerAgrees else { throw Refusal(errSecUserCanceled) }
        guard !item.isUndecryptable else { throw Refusal(errSecDecode) }
        return item.data
    }

    private func isReadable(_ item: Item) -> Bool {
        device == .unlocked || item.accessibility.hasPrefix("c")
    }
}
