public import Foundation
public import PushBridgeCore
public import PushBridgeStore

/// A keychain that hides all items or one group from a process, or rejects single items.
///
/// Other processes have full access.
public final class UnreliableKeychain: Keychain {
    private let keychain: any Keychain
    private let state = Guarded(State())

    private struct State {
        var hidesAllItems = false
        var showsItemsFrom: String?
        var refusals: [String: Int32] = [:]
        var writeRefusals: [String: (status: Int32, after: Int)] = [:]
        var hiddenGroup: String?
    }

    /// Wraps a keychain.
    public init(_ keychain: any Keychain) {
        self.keychain = keychain
    }

    /// Whether the keychain behaves as if it had no items.
    public var hidesAllItems: Bool {
        get { state.withValue(\.hidesAllItems) }
        set { state.withValue { $0.hidesAllItems = newValue } }
    }

    /// Hides all items until the process lists a service, as if the user unlocked the device at that moment.
    public func hideAll(untilListing service: String) {
        state.withValue { ($0.hidesAllItems, $0.showsItemsFrom) = (true, service) }
    }

    /// Makes the keychain reject reads of an item's data, and all changes to the item, with a status.
    ///
    /// If the status is `nil`, the rejections end.
    public func refuse(_ account: String, with status: Int32?) {
        state.withValue { $0.refusals[account] = status }
    }

    /// Makes the keychain reject adding or updating an item, with a status.
    ///
    /// If the status is `nil`, the rejections end.
    /// - Parameters:
    ///   - account: The name of the item.
    ///   - status: The status.
    ///   - count: The number of writes that succeed before the first rejection.
    public func refuseWriting(_ account: String, with status: Int32?, after count: Int = 0) {
        state.withValue { $0.writeRefusals[account] = status.map { ($0, count) } }
    }

    /// Hides a keychain group from the process.
    ///
    /// If the group is `nil`, no group is hidden.
    public func hide(_ group: String?) {
        state.withValue { $0.hiddenGroup = group }
    }

    private func isVisible(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        guard let hidden = state.withValue(\.hiddenGroup) else { return true }
        if let group = name.accessGroup { return group != hidden }
        let places = try keychain.names(service: name.service, accessGroup: nil)
        return !places.contains { $0.account == name.account && $0.accessGroup == hidden }
    }

    private func visible(_ names: [KeychainItem.Name]) -> [KeychainItem.Name] {
        let hidden = state.withValue(\.hiddenGroup)
        return hidden == nil ? names : names.filter { $0.accessGroup != hidden }
    }

    /// Adds an item.
    public func add(_ item: KeychainItem) throws(KeychainError) {
        try check(item.name.account, isWriting: true)
        try keychain.add(item)
    }

    /// Replaces the data of an item.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        if hidesAllItems { throw KeychainError(status: -25300) }
        try check(name.account, isWriting: true)
        try keychain.update(name, data: data)
    }

    /// Replaces the data and the look-up key of an item.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        if hidesAllItems { throw KeychainError(status: -25300) }
        try check(item.name.account, isWriting: true)
        try keychain.update(item)
    }

    /// Returns the look-up keys of a service's items.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        guard !hidesAllItems else { return [] }
        let names = try names(service: service, accessGroup: accessGroup).map(\.account)
        return try keychain.lookUpKeys(service: service, accessGroup: accessGroup)?
            .filter { names.contains($0.account) }
    }

    /// Returns the data of an item.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        let isVisible = try isVisible(name)
        guard !hidesAllItems, isVisible else { return nil }
        try check(name.account)
        return try keychain.data(name)
    }

    /// Returns the accessibility class of an item.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        hidesAllItems ? nil : try keychain.accessibility(of: name)
    }

    /// Returns the account names of a service's items.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try names(service: service, accessGroup: accessGroup).map(\.account).sorted()
    }

    /// Returns the names of a service's items.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        state.withValue { if $0.showsItemsFrom == service { $0.hidesAllItems = false } }
        return hidesAllItems ? [] : visible(try keychain.names(service: service, accessGroup: accessGroup))
    }

    /// Returns when the items of a service were last changed.
    public func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        let hidden = state.withValue(\.hiddenGroup)
        let dates = try keychain.changeDates(service: service, accessGroup: accessGroup)
        return hidesAllItems ? [] : dates?.filter { hidden == nil || $0.accessGroup != hidden }
    }

    /// Returns the items of a service.
    ///
    /// Throws if the keychain rejects one of the items.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        if hidesAllItems { return [] }
        let names = try Set(names(service: service, accessGroup: accessGroup))
        let items = try keychain.items(service: service, accessGroup: accessGroup)
            .filter { names.contains($0.name) }
        for item in items { try check(item.name.account) }
        return items
    }

    /// Removes an item.
    public func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        if hidesAllItems { return false }
        try check(name.account)
        return try keychain.remove(name)
    }

    private func check(_ account: String, isWriting: Bool = false) throws(KeychainError) {
        let status: Int32? = state.withValue { state in
            if let status = state.refusals[account] { return status }
            guard isWriting, let refusal = state.writeRefusals[account] else { return nil }
            guard refusal.after > 0 else { return refusal.status }
            state.writeRefusals[account]?.after -= 1
            return nil
        }
        guard let status else { return }
        throw KeychainError(status: status)
    }

    /// Passes `body` to the same function of the wrapped keychain.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try keychain.exclusively(body)
    }
}
