package import Foundation
import LegacyStore
package import PushBridgeCore
package import PushBridgeStore

/// The keychain groups of the app and its extension.
package enum Group {
    package static let own = "own"
    package static let shared = "shared"
    package static let helper = "helper"
}

/// The items in the phone's keychain, and the conditions under which processes can read them.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
package final class KeychainContents: @unchecked Sendable {
    package struct Key: Hashable, Comparable {
        package let service: String
        package let account: String
        package let group: String

        package static func < (one: Key, other: Key) -> Bool {
            (one.service, one.account, one.group) < (other.service, other.account, other.group)
        }
    }

    package struct Item {
        package var data: Data
        package var accessibility: KeychainAccessibility
        package var changed: Int
        package var lookUpKey: Data?
        package var canBeOpened = true
    }

    package var items: [Key: Item] = [:]
    /// Whether the device is locked; if it is, keychain operations fail with the status that means "locked".
    package var isLocked = false
    /// The parties that see no items.
    package var blind: Set<Party> = []
    /// The parties that lack a group: the extension lacks the app's group, and the app lacks the shared group.
    package var groupless: Set<Party> = []
    /// The statuses with which reads of refused items fail, by the items' account names.
    package var refusals: [String: Int32] = [:]
    /// Whether the keychain rejects an item of the store.
    package var refusesStored = false
    /// Whether the key of sealed items was lost.
    package var isKeyGone = false
    /// How often the key of sealed items will fail.
    package var keyFailures = 0
    private var changes = 0

    package init() {}

    /// The legacy SDK's own items.
    var legacyItems: [Key: Data] {
        items.filter { LegacyService(rawValue: $0.key.service) != nil }.mapValues(\.data)
    }

    /// Whether changes of an interrupted transaction are due, which the next reading of the items performs.
    var hasUnfinishedTransaction: Bool {
        items.contains { key, item in
            guard key.service == LegacyKeychain.besideService, let notes = JSONValue(json: item.data) else {
                return false
            }
            return notes["postponed"] != nil || notes["unfinished"].map { $0 != .array([]) } == true
        }
    }

    /// The sorted keys of the store's items, without the roll-out's state.
    var storedItems: [Key] {
        // A step selects an item of the store by its number. The roll-out's state, which rehearsals write, must not
        // change these numbers.
        items.keys.filter { $0.service.hasPrefix("com.pingidentity") && !$0.service.hasSuffix(".rollout") }
            .sorted()
    }

    /// Ends all refusals and failures.
    func admit() { (refusals, refusesStored, keyFailures) = ([:], false, 0) }

    /// Returns the names of the legacy items in the groups of a party.
    func itemNames(visibleTo party: Party) -> Set<String> {
        let groups = groups(of: party)
        return Set(legacyItems.keys.filter { groups.contains($0.group) }.map(\.account))
    }

    /// Whether the shared group contains legacy items.
    var hasItemsInSharedGroup: Bool { legacyItems.keys.contains { $0.group == Group.shared } }

    package func put(_ key: Key, _ data: Data, _ accessibility: KeychainAccessibility) {
        changes += 1
        items[key] = Item(data: data, accessibility: accessibility, changed: changes)
    }

    package func change(_ key: Key, _ data: Data) {
        changes += 1
        items[key]?.data = data
        items[key]?.changed = changes
    }

    /// Returns the groups that a process sees; an item without a group is added to the first of them.
    func groups(of party: Party) -> [String] {
        if groupless.contains(party) {
            return party == .helper ? [Group.helper, Group.shared] : [Group.own]
        }
        return [Group.own, Group.shared]
    }
}

/// The keychain as one process sees it, with Apple's rules.
package final class SimulatedKeychain: Keychain {
    private let contents: KeychainContents
    private let process: Process
    private let gate: Gate

    package init(_ contents: KeychainContents, _ process: Process, _ gate: Gate) {
        (self.contents, self.process, self.gate) = (contents, process, gate)
    }

    private typealias Key = KeychainContents.Key

    package func add(_ item: KeychainItem) throws(KeychainError) {
        try pass(.add, item.name.service, item.name.account) { () throws(KeychainError) in
            if isBlind(item.name.service) { throw KeychainError(status: -25308) }
            let groups = contents.groups(of: process.party)
            guard let group = item.name.accessGroup ?? groups.first, groups.contains(group) else {
                throw KeychainError(status: -34018)
            }
            let key = Key(service: item.name.service, account: item.name.account, group: group)
            guard contents.items[key] == nil else { throw KeychainError(status: -25299) }
            if isLost(key) { return }
            // The keychain refuses an item, and not the name of an item. So a new item with the same name is readable.
            if !contents.items.keys.contains(where: { $0.account == key.account }) {
                contents.refusals[key.account] = nil
            }
            contents.put(key, item.data, item.accessibility)
            contents.items[key]?.lookUpKey = item.lookUpKey
        }
    }

    package func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        // If no rehearsal has stored the roll-out's state, its item is missing. The update of a missing item is not
        // counted, so that the later operations have the same numbers with and without a rehearsal.
        if name.service.hasSuffix(".rollout"),
            try keys(name.service, name.account, name.accessGroup).isEmpty
        {
            throw KeychainError(status: -25300)
        }
        try pass(.update, name.service, name.account) { () throws(KeychainError) in
            let keys = try keys(name.service, name.account, name.accessGroup)
            guard !keys.isEmpty else { throw KeychainError(status: -25300) }
            for key in keys where contents.items[key]?.canBeOpened == false {
                throw KeychainError(status: -26275)
            }
            for key in keys where !isLost(key) { contents.change(key, data) }
        }
    }

    package func update(_ item: KeychainItem) throws(KeychainError) {
        let name = item.name
        try update(name, data: item.data)
        for key in try keys(name.service, name.account, name.accessGroup) {
            contents.items[key]?.lookUpKey = item.lookUpKey
        }
    }

    package func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        try pass(.names, service, nil) { () throws(KeychainError) in
            try keys(service, nil, accessGroup).map { key in
                KeychainItem.LookUpKey(account: key.account, key: contents.items[key]?.lookUpKey)
            }
        }
    }

    package func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        try pass(.data, name.service, name.account) { () throws(KeychainError) in
            guard let key = try keys(name.service, name.account, name.accessGroup).first else { return nil }
            return try opened(key)
        }
    }

    package func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try pass(.accessibility, name.service, name.account) { () throws(KeychainError) in
            try keys(name.service, name.account, name.accessGroup).first
                .flatMap { contents.items[$0]?.accessibility }
        }
    }

    package func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try pass(.accounts, service, nil) { () throws(KeychainError) in
            try keys(service, nil, accessGroup).map(\.account)
        }
    }

    /// Returns the names of a service's items, with their groups.
    package func names(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem.Name] {
        try pass(.names, service, nil) { () throws(KeychainError) in
            try keys(service, nil, accessGroup).map {
                KeychainItem.Name(service: $0.service, account: $0.account, accessGroup: $0.group)
            }
        }
    }

    package func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        try pass(.dates, service, nil) { () throws(KeychainError) in
            try keys(service, nil, accessGroup).map { key in
                let number = contents.items[key]?.changed ?? 0
                return KeychainItem.ChangeDate(
                    account: key.account,
                    date: Date(timeIntervalSinceReferenceDate: Double(number)),
                    accessGroup: key.group
                )
            }
        }
    }

    package func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        try pass(.items, service, nil) { () throws(KeychainError) in
            var items: [KeychainItem] = []
            for key in try keys(service, nil, accessGroup) {
                let name = KeychainItem.Name(
                    service: key.service,
                    account: key.account,
                    accessGroup: key.group
                )
                items.append(KeychainItem(name, data: try opened(key)))
            }
            return items
        }
    }

    @discardableResult
    package func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        try pass(.remove, name.service, name.account) { () throws(KeychainError) in
            let keys = try keys(name.service, name.account, name.accessGroup)
            for key in keys { contents.items[key] = nil }
            return !keys.isEmpty
        }
    }

    package func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try gate.exclusively(process, body)
    }

    /// Returns the sorted keys of the items that a query matches.
    private func keys(
        _ service: String,
        _ account: String?,
        _ group: String?
    ) throws(KeychainError) -> [Key] {
        if isBlind(service) { return [] }
        let groups = contents.groups(of: process.party)
        if let group, !groups.contains(group) { throw KeychainError(status: -34018) }
        return contents.items.keys.filter { key in
            key.service == service && (account == nil || key.account == account)
                && (group == nil ? groups.contains(key.group) : key.group == group)
        }.sorted()
    }

    /// Returns whether a write has no effect although the keychain reports success.
    private func isLost(_ key: Key) -> Bool {
        guard LegacyService(rawValue: key.service) != nil, process.losesWrite() else { return false }
        gate.coverage.count(.fault("write lost", at: contents.items[key] == nil ? .add : .update))
        gate.record("the write of \(gate.label(key.account))", "lost")
        return true
    }

    private func opened(_ key: Key) throws(KeychainError) -> Data {
        guard let item = contents.items[key] else { throw KeychainError(status: -25300) }
        if let status = contents.refusals[key.account] { throw KeychainError(status: status) }
        guard item.canBeOpened else { throw KeychainError(status: -26275) }
        return item.data
    }

    /// Returns whether the process sees no items of a service now, and records whether a disturbance is the cause.
    ///
    /// During the disturbance `seesFrom`, the roll-out's state stays visible, because this state may be in a file.
    private func isBlind(_ service: String) -> Bool {
        if contents.blind.contains(process.party) { return true }
        guard process.isBlind, !service.hasSuffix(".rollout") else { return false }
        process.wasDisturbed = true
        return true
    }

    private func pass<Value>(
        _ operation: Operation,
        _ service: String,
        _ account: String?,
        _ effect: () throws(KeychainError) -> Value
    ) throws(KeychainError) -> Value {
        let last = service.split(separator: ".").last.map(String.init) ?? service
        return try gate.pass(
            process,
            operation,
            account.map { "\(last)/\(gate.label($0))" } ?? last,
            // The process holds a lock while it accesses the roll-out's state. So the scheduler must not
            // switch to another process here.
            isOfOnePiece: service.hasSuffix(".rollout"),
            failing: { status in
                // An item that does not exist is never undecryptable.
                let exists = contents.items.keys.contains { $0.service == service && $0.account == account }
                return KeychainError(status: status == -26275 && account != nil && !exists ? -25291 : status)
            }
        ) { () throws(KeychainError) in
            if contents.isLocked, !isBlind(service) {
                throw KeychainError(status: -25308)
            }
            return try effect()
        }
    }
}
