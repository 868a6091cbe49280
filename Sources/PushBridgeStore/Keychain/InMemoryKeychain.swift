public import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// A keychain in memory for the lifetime of the process, for tests and rehearsals.
///
/// The keychain behaves like Apple's keychain.
public final class InMemoryKeychain: Keychain {
    private let state = Lock(State())
    private let transactions = ProcessLock()

    /// Creates an empty, unlocked keychain.
    public init() {}

    /// Whether the keychain behaves as on a locked device.
    ///
    /// While the keychain is locked, every call that reads or changes items fails with the status −25308.
    public var isLocked: Bool {
        get { state.withValue(\.isLocked) }
        set { state.withValue { $0.isLocked = newValue } }
    }

    /// Makes an item undecryptable until it is removed, as if the keychain had been restored to another device.
    /// - Parameter name: The name of the item.
    public func makeUndecryptable(_ name: KeychainItem.Name) {
        state.withValue { state in
            for place in state.locations(of: name) { state.undecryptable.insert(place) }
        }
    }

    /// Adds an item.
    ///
    /// - Throws: ``KeychainError`` with the code `duplicate` if an item with the same name exists, or with the code
    ///   `locked` if the keychain is locked.
    public func add(_ item: KeychainItem) throws(KeychainError) {
        try unlocked { state -> Result<Void, KeychainError> in
            let place = State.location(of: item.name)
            guard state.items[place] == nil else { return .failure(KeychainError(status: -25299)) }
            state.put(item, at: place)
            state.recordChange(of: place)
            return .success(())
        }
    }

    /// Replaces the data of an item.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try change(name) { $0.data = data }
    }

    /// Replaces the data and the look-up key of an item.
    ///
    /// - Throws: ``KeychainError`` with the code `notFound` if the item does not exist, `locked` if the keychain is
    ///   locked, or `undecryptable` if the keychain can never decrypt the item.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        try change(item.name) { stored in
            stored.data = item.data
            stored.lookUpKey = item.lookUpKey
        }
    }

    private func change(
        _ name: KeychainItem.Name,
        _ body: (inout KeychainItem) -> Void
    ) throws(KeychainError) {
        try unlocked { state -> Result<Void, KeychainError> in
            let places = state.locations(of: name)
            guard !places.isEmpty else { return .failure(KeychainError(status: -25300)) }
            guard state.undecryptable.isDisjoint(with: places) else {
                return .failure(KeychainError(status: -26275))
            }
            for place in places {
                if var item = state.items[place] {
                    body(&item)
                    state.put(item, at: place)
                }
                state.recordChange(of: place)
            }
            return .success(())
        }
    }

    /// Returns the data of an item; `nil` if the item does not exist.
    ///
    /// - Throws: ``KeychainError`` with the code `locked` if the keychain is locked, or `undecryptable` if the keychain
    ///   can never decrypt the item.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        try unlocked { state in
            guard let place = state.locations(of: name).first else { return .success(nil) }
            guard !state.undecryptable.contains(place) else {
                return .failure(KeychainError(status: -26275))
            }
            return .success(state.items[place]?.data)
        }
    }

    /// Returns the accessibility of an item; `nil` if the item does not exist.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try unlocked { state in
            .success(state.locations(of: name).first.flatMap { state.items[$0]?.accessibility })
        }
    }

    /// Returns the sorted accounts of all items of a service, without reading the items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try unlocked { state in
            .success(state.names(service, accessGroup).map(\.account))
        }
    }

    /// Returns the names and groups of all items of a service, sorted by account.
    ///
    /// If several groups contain the same account, the app's first group comes first.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        try unlocked { .success($0.names(service, accessGroup)) }
    }

    /// Returns the date of the last change of each item of a service, without reading the items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        try unlocked { state in
            let dates = state.names(service, accessGroup).compactMap { name in
                state.dates[name].map {
                    KeychainItem.ChangeDate(account: name.account, date: $0, accessGroup: name.accessGroup)
                }
            }
            return .success(dates)
        }
    }

    /// Returns the look-up key of each item of a service, without reading the items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        try unlocked { state in
            let keys = state.names(service, accessGroup).map {
                KeychainItem.LookUpKey(account: $0.account, key: state.items[$0]?.lookUpKey)
            }
            return .success(keys)
        }
    }

    /// Returns the names of all items that have the same service and account as `name`.
    ///
    /// The name of the item in the app's first group comes first.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        try unlocked { .success($0.locations(of: name)) }
    }

    /// Returns the sorted accounts of those items of a service that have the given look-up key, without reading the
    /// items' data.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func accounts(
        service: String,
        accessGroup: String?,
        lookUpKey: Data
    ) throws(KeychainError) -> [String]? {
        try unlocked { .success($0.names(service, accessGroup, lookUpKey).map(\.account).sorted()) }
    }

    /// Returns all items of a service with their data, sorted by account.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        try unlocked { state in
            let names = state.names(service, accessGroup)
            guard state.undecryptable.isDisjoint(with: names) else {
                return .failure(KeychainError(status: -26275))
            }
            let found = names.compactMap { name in
                state.items[name].map { item in
                    var found = KeychainItem(name, data: item.data, accessibility: item.accessibility)
                    found.lookUpKey = item.lookUpKey
                    return found
                }
            }
            return .success(found)
        }
    }

    /// Removes an item, and returns whether it existed.
    ///
    /// - Throws: ``KeychainError`` if the keychain is locked or refuses the call.
    @discardableResult
    public func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        try unlocked { state in
            let places = state.locations(of: name)
            for place in places {
                state.remove(place)
            }
            return .success(!places.isEmpty)
        }
    }

    /// Calls `body` while no other transaction runs on this keychain.
    ///
    /// - Throws: The errors of `body`.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try transactions.withLock(body)
    }

    private func unlocked<Value>(
        _ body: (inout State) -> Result<Value, KeychainError>
    ) throws(KeychainError) -> Value {
        try state.withValue { state in
            state.isLocked ? .failure(KeychainError(status: -25308)) : body(&state)
        }.get()
    }

    private struct State {
        var items: [KeychainItem.Name: KeychainItem] = [:]
        /// The names of the items, by service and account, for fast look-ups in a full keychain.
        private var index: [String: [String: Set<KeychainItem.Name>]] = [:]
        /// The names of the items, by service and look-up key.
        private var keyed: [String: [Data: Set<KeychainItem.Name>]] = [:]
        /// The dates of the items' last changes; no two changes have the same date.
        var dates: [KeychainItem.Name: Date] = [:]
        private var lastChange = Date.distantPast
        var undecryptable: Set<KeychainItem.Name> = []
        var isLocked = false

        /// Returns the name that a new item gets.
        ///
        /// If `name` has no group, the new name has the app's first group.
        static func location(of name: KeychainItem.Name) -> KeychainItem.Name {
            KeychainItem.Name(
                service: name.service,
                account: name.account,
                accessGroup: name.accessGroup ?? firstGroup
            )
        }

        private static let firstGroup = "the app's first group"

        /// Orders names by account, and then by group; the app's first group precedes all others.
        static func precedes(_ one: KeychainItem.Name, _ other: KeychainItem.Name) -> Bool {
            if one.account != other.account { return one.account < other.account }
            func rank(_ name: KeychainItem.Name) -> (Int, String) {
                (name.accessGroup == firstGroup ? 0 : 1, name.accessGroup ?? "")
            }
            return rank(one) < rank(other)
        }

        mutating func recordChange(of place: KeychainItem.Name) {
            let next = lastChange.timeIntervalSinceReferenceDate.nextUp
            lastChange = max(Date(), Date(timeIntervalSinceReferenceDate: next))
            dates[place] = lastChange
        }

        mutating func put(_ item: KeychainItem, at place: KeychainItem.Name) {
            removeLookUpKey(of: place)
            items[place] = item
            if let key = item.lookUpKey { keyed[place.service, default: [:]][key, default: []].insert(place) }
            index[place.service, default: [:]][place.account, default: []].insert(place)
        }

        mutating func remove(_ place: KeychainItem.Name) {
            undecryptable.remove(place)
            removeLookUpKey(of: place)
            items[place] = nil
            dates[place] = nil
            index[place.service]?[place.account]?.remove(place)
            if index[place.service]?[place.account]?.isEmpty == true {
                index[place.service]?[place.account] = nil
            }
        }

        private mutating func removeLookUpKey(of place: KeychainItem.Name) {
            guard let key = items[place]?.lookUpKey else { return }
            keyed[place.service]?[key]?.remove(place)
            if keyed[place.service]?[key]?.isEmpty == true { keyed[place.service]?[key] = nil }
        }

        /// Returns the names of a service's items that have the look-up key; without `accessGroup`, in all groups.
        func names(_ service: String, _ accessGroup: String?, _ lookUpKey: Data) -> [KeychainItem.Name] {
            (keyed[service]?[lookUpKey] ?? []).filter { accessGroup == nil || $0.accessGroup == accessGroup }
        }

        /// Returns the sorted names of a service's items; without `accessGroup`, in all groups.
        func names(_ service: String, _ accessGroup: String?) -> [KeychainItem.Name] {
            index[service, default: [:]].sorted { $0.key < $1.key }.flatMap { _, names in
                let selected = names.filter { accessGroup == nil || $0.accessGroup == accessGroup }
                return selected.count < 2 ? Array(selected) : selected.sorted(by: Self.precedes)
            }
        }

        /// Returns the complete names of the items that `name` denotes.
        ///
        /// If `name` has no group, items of all groups match, as in Apple's queries.
        func locations(of name: KeychainItem.Name) -> [KeychainItem.Name] {
            guard name.accessGroup == nil else { return items[name] == nil ? [] : [name] }
            // The index does not distinguish names that are canonically equivalent, but the keychain does.
            let places = index[name.service]?[name.account] ?? []
            return places.filter { $0.hasSameKey(as: name) }.sorted(by: Self.precedes)
        }
    }
}
