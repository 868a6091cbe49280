public import Foundation
public import PushBridgeCore
public import PushBridgeStore

/// The keychain of a process that dies together with a store.
///
/// Each call, except a call to `exclusively(_:)`, counts as an operation of the store. After the process has died,
/// these calls fail and have no effect.
public final class DyingKeychain: Keychain {
    private let keychain: any Keychain
    private let store: FaultyStore

    /// Wraps the keychain of the store's process.
    public init(_ keychain: any Keychain, dyingWith store: FaultyStore) {
        self.keychain = keychain
        self.store = store
    }

    private func spend() throws(KeychainError) {
        do {
            try store.spend()
        } catch {
            throw KeychainError(status: -25308)
        }
    }

    /// Adds an item.
    public func add(_ item: KeychainItem) throws(KeychainError) {
        try spend()
        try keychain.add(item)
    }

    /// Replaces the data of an item.
    public func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try spend()
        try keychain.update(name, data: data)
    }

    /// Replaces the data and the look-up key of an item.
    public func update(_ item: KeychainItem) throws(KeychainError) {
        try spend()
        try keychain.update(item)
    }

    /// Returns the look-up keys of a service's items.
    public func lookUpKeys(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.LookUpKey]? {
        try spend()
        return try keychain.lookUpKeys(service: service, accessGroup: accessGroup)
    }

    /// Returns the data of an item.
    public func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        try spend()
        return try keychain.data(name)
    }

    /// Returns the accessibility class of an item.
    public func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try spend()
        return try keychain.accessibility(of: name)
    }

    /// Returns the account names of a service's items.
    public func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try spend()
        return try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    /// Returns the names of a service's items.
    public func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        try spend()
        return try keychain.names(service: service, accessGroup: accessGroup)
    }

    /// Returns when the items of a service were last changed.
    public func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        try spend()
        return try keychain.changeDates(service: service, accessGroup: accessGroup)
    }

    /// Returns the items of a service.
    public func items(service: String, accessGroup: String?) throws(KeychainError) -> [KeychainItem] {
        try spend()
        return try keychain.items(service: service, accessGroup: accessGroup)
    }

    /// Removes an item.
    public func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        try spend()
        return try keychain.remove(name)
    }

    /// Passes `body` to the same function of the wrapped keychain.
    public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
        try keychain.exclusively(body)
    }
}
